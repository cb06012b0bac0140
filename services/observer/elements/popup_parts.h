// Tells the elements of a menu or bubble from those beneath it. Pure; any thread.
#pragma once

#include <cstddef>

#include "lib/base/geometry.h"
#include "services/observer/elements/ui_ancestry.h"

namespace da::observer {

// Whether a node whose center lies in `popup`, a window of its own program, is a part of that window: an entry of a
// menu whose shown entries all lie there, or above and below it where it scrolls; or an element of a container that
// fills most of it, and fits it better than `own`, the window that is listed for the node. Toolkits do not tell to
// which of their windows an element belongs.
bool is_part_of_popup(const v1::UiTree& tree, const UiAncestry& ancestry, std::size_t node, const Rect& popup,
                      const Rect& own);

}  // namespace da::observer
