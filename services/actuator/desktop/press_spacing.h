// Tells whether a press of a mouse button would be taken, with the press before it, for a double click. That opens a
// file or selects a word, where two steps meant two clicks. Pure; not synchronized.
#pragma once

#include <optional>

#include "lib/base/clock.h"
#include "lib/base/geometry.h"
#include "services/actuator/desktop/roles/input.h"

namespace da::actuator {

class PressSpacing {
 public:
  void pressed(Button button, Point at, MonoTime when) { last_ = {button, at, when}; }
  // Whether the last press was of this button and near this place (desktop pixels).
  bool is_near_last(Button button, Point at) const;
  // Earliest time at which a press near the last one begins a click of its own. `double_click_time`: the person's
  // setting.
  MonoTime own_click_from(Milliseconds double_click_time) const;

 private:
  struct Press {
    Button button;
    Point at;
    MonoTime when;
  };

  std::optional<Press> last_;
};

}  // namespace da::actuator
