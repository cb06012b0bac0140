// The areas that annotations must not cover: usable elements, open menus, and windows without known elements. Pure; any
// thread.
#pragma once

#include <vector>

#include "da/v1/observation.pb.h"
#include "lib/base/geometry.h"
#include "services/observer/elements/ui_visibility.h"

namespace da::observer {

struct KeepClear {
  std::vector<Rect> elements;  // Usable elements (also disabled ones), title bars and open menus.
  std::vector<Rect> unknown;   // Windows without known elements. Only the grid's numbers may cover them.
};

// Desktop pixels. Without a tree, all windows are unknown.
KeepClear keep_clear_of(const v1::UiTree* tree, const Scene& scene);

}  // namespace da::observer
