#include "lib/contract/evidence/evidence.h"

namespace da::contract {

bool is_keyboard_tool(const v1::Action& action) {
  return action.has_write() || action.has_keyboard_type() || action.has_paste() || action.has_press() ||
         action.has_hotkey();
}

const v1::Window* subject_window(const v1::Action& action, const v1::Evidence& evidence) {
  if (is_keyboard_tool(action)) return evidence.has_foreground() ? &evidence.foreground() : nullptr;
  return evidence.has_target_window() ? &evidence.target_window() : nullptr;
}

const v1::UiNode* subject_element(const v1::Action& action, const v1::Evidence& evidence) {
  if (is_keyboard_tool(action)) return evidence.has_focused_element() ? &evidence.focused_element() : nullptr;
  return evidence.has_target_element() ? &evidence.target_element() : nullptr;
}

std::string base_name(const std::string& path) {
  const auto slash = path.find_last_of("/\\");
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

}  // namespace da::contract
