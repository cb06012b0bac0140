#include "services/policy/judgement/element_states.h"

#include <algorithm>
#include <utility>

namespace da::policy {
namespace {

constexpr std::pair<std::string_view, v1::UiState> kStates[] = {
    {"showing", v1::UI_STATE_SHOWING},       {"enabled", v1::UI_STATE_ENABLED},
    {"focused", v1::UI_STATE_FOCUSED},       {"editable", v1::UI_STATE_EDITABLE},
    {"checked", v1::UI_STATE_CHECKED},       {"selected", v1::UI_STATE_SELECTED},
    {"expanded", v1::UI_STATE_EXPANDED},     {"password", v1::UI_STATE_PASSWORD},
    {"focusable", v1::UI_STATE_FOCUSABLE},   {"multi_line", v1::UI_STATE_MULTI_LINE},
    {"selectable", v1::UI_STATE_SELECTABLE}, {"scrolled_out", v1::UI_STATE_SCROLLED_OUT},
    {"transient", v1::UI_STATE_TRANSIENT},   {"unread", kUnread},
    {"took_keyboard", kTookKeyboard}};

}  // namespace

std::optional<v1::UiState> element_state(std::string_view name) {
  const auto* found = std::ranges::find(kStates, name, &std::pair<std::string_view, v1::UiState>::first);
  return found == std::end(kStates) ? std::nullopt : std::optional(found->second);
}

std::string_view name_of(v1::UiState state) {
  const auto* found = std::ranges::find(kStates, state, &std::pair<std::string_view, v1::UiState>::second);
  return found == std::end(kStates) ? "unknown" : found->first;
}

std::string element_state_names() {
  std::string names;
  for (const auto& [name, state] : kStates) names += (names.empty() ? "" : ", ") + std::string(name);
  return names;
}

}  // namespace da::policy
