// UI elements as text for models. Foreign text is escaped and quoted. Pure; any thread.
#pragma once

#include <string>

#include "da/v1/observation.pb.h"

namespace da::planner {

// `ID push button "Save", disabled`: id, role, name, text and unusual states.
std::string element_line(const v1::UiNode& node);

// True if the element is visible and has a name or text, or is editable.
bool is_telling(const v1::UiNode& node);

}  // namespace da::planner
