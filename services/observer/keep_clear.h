// What nothing is drawn over: elements that one can use, open menus, and windows that tell nothing of what is in them.
// Pure; any thread.
#pragma once

#include <vector>

#include "da/v1/observation.pb.h"
#include "lib/base/geometry.h"
#include "services/observer/ui_visibility.h"

namespace da::observer {

struct KeepClear {
  std::vector<Rect> elements;  // Usable ones, disabled ones too, title bars and open menus.
  // Windows whose elements nobody knows. The numbers of the grid are drawn over them all the same: places are the only
  // way to name anything in there.
  std::vector<Rect> unknown;
};

// In desktop pixels. Without a tree all windows are unknown.
KeepClear keep_clear_of(const v1::UiTree* tree, const Scene& scene);

}  // namespace da::observer
