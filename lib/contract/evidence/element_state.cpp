#include "lib/contract/evidence/element_state.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace da::contract {
namespace {

constexpr auto kCheckable = std::to_array<std::string_view>(
    {"check box", "check menu item", "radio button", "radio menu item", "switch", "toggle button"});

}  // namespace

bool has_state(const v1::UiNode& element, v1::UiState state) {
  return std::ranges::find(element.states(), static_cast<int>(state)) != element.states().end();
}

std::string state_word(const v1::UiNode& element, v1::UiState state) {
  const bool is_set = has_state(element, state);
  switch (state) {
    case v1::UI_STATE_ENABLED: return is_set ? "enabled" : "disabled";
    case v1::UI_STATE_CHECKED: return is_set ? "on" : "off";
    case v1::UI_STATE_EDITABLE: return is_set ? "editable" : "read-only";
    case v1::UI_STATE_PASSWORD: return is_set ? "a password field" : "no password field";
    case v1::UI_STATE_EXPANDED: return is_set ? "expanded" : "collapsed";
    case v1::UI_STATE_SELECTED: return is_set ? "selected" : "not selected";
    default: return {};
  }
}

std::string state_words(const v1::UiNode& element) {
  std::string words;
  const bool checkable = std::ranges::find(kCheckable, element.role()) != kCheckable.end();
  if (checkable) words = state_word(element, v1::UI_STATE_CHECKED);
  if (!has_state(element, v1::UI_STATE_ENABLED)) words += std::string(words.empty() ? "" : ", ") + "disabled";
  return words;
}

}  // namespace da::contract
