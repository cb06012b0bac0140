// UI elements in words, for models. Foreign text is escaped and quoted. Pure; any thread.
#pragma once

#include <string>

#include "da/v1/observation.pb.h"

namespace da::planner {

// `ID push button "Save", disabled`: id, role, name, content and what is remarkable of its state.
std::string element_line(const v1::UiNode& node);

// Worth telling of: it shows, and has a name, a content, or takes text.
bool is_telling(const v1::UiNode& node);

}  // namespace da::planner
