#include "services/actuator/proof/click_kind.h"

namespace da::actuator {

bool is_click(const v1::Action& action) {
  if (action.has_ui_click()) return true;
  return action.has_mouse() && action.mouse().action() == v1::Mouse::GESTURE_UNSPECIFIED;
}

bool is_plain_click(const v1::Action& action) {
  if (action.has_ui_click()) {
    const v1::UiClick& click = action.ui_click();
    return !click.double_click() &&
           (click.button() == v1::MOUSE_BUTTON_UNSPECIFIED || click.button() == v1::MOUSE_BUTTON_LEFT);
  }
  return is_click(action) && (!action.mouse().has_clicks() || action.mouse().clicks() == 1) &&
         (action.mouse().button() == v1::MOUSE_BUTTON_UNSPECIFIED || action.mouse().button() == v1::MOUSE_BUTTON_LEFT);
}

}  // namespace da::actuator
