// Elements of the screen as text for people and scripts. Pure; any thread. Foreign text is escaped; places are desktop
// pixels.
#pragma once

#include <optional>
#include <string>

#include "da/v1/observation.pb.h"
#include "lib/base/geometry.h"

namespace da::console {

// `"Save"  push button "Save" at 940,610 (80x20), disabled`: begins with the target for a sentence, if there is one;
// the place is the center.
std::string element_text(const v1::UiNode& node);

// `window "Untitled 1 - Mousepad" of mousepad, has the focus`
std::string window_text(const v1::Window& window);

// Each window, front to back, followed by its elements.
std::string element_list(const v1::Observation& seen, const v1::UiTree& elements);

// One JSON object on one line. `window` may be null.
std::string element_json(const v1::UiNode& node, const v1::Window* window);

// Null if the element's window is unknown.
const v1::Window* window_of(const v1::Observation& seen, const v1::UiNode& node);

// The elements of windows whose title contains `title`, ignoring case.
v1::UiTree elements_in(const v1::Observation& seen, const v1::UiTree& elements, const std::string& title);

// The smallest element at the point, in an open menu or else in the front window; nullopt if there is none.
std::optional<v1::UiNode> element_at(const v1::Observation& seen, const v1::UiTree& elements, Point point);

}  // namespace da::console
