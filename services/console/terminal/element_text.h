// Elements of the screen as a person or a script reads them. Pure; any thread. Foreign text is escaped; places are in
// desktop pixels.
#pragma once

#include <optional>
#include <string>

#include "da/v1/observation.pb.h"
#include "lib/base/geometry.h"

namespace da::console {

// `push button "Save" at 940,610 (80x20), disabled`: the place is its middle.
std::string element_text(const v1::UiNode& node);

// `window "Untitled 1 - Mousepad" of mousepad, has the focus`
std::string window_text(const v1::Window& window);

// Window by window, front to back, with the elements of each below it.
std::string element_list(const v1::Observation& seen, const v1::UiTree& elements);

// One JSON object on one line. `window` may be null.
std::string element_json(const v1::UiNode& node, const v1::Window* window);

// Null where the element is in none that is known.
const v1::Window* window_of(const v1::Observation& seen, const v1::UiNode& node);

// The elements of windows whose title contains this, in any case.
v1::UiTree elements_in(const v1::Observation& seen, const v1::UiTree& elements, const std::string& title);

// The smallest element at the point, of an open menu or else of the window in front there; nullopt where there is none.
std::optional<v1::UiNode> element_at(const v1::Observation& seen, const v1::UiTree& elements, Point point);

}  // namespace da::console
