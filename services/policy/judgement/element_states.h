// Names of element states in rules and cases: "focused", "password". Pure; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "da/v1/observation.pb.h"

namespace da::policy {

// "unread": the application did not describe the element in time (Evidence.focus_unread, target_unread, drop_unread).
// Not a UiState of the proto, as the next one.
inline constexpr auto kUnread = static_cast<v1::UiState>(1'000);

// "took_keyboard": the window of the element took the keyboard beside the active window (Evidence.took_keyboard).
inline constexpr auto kTookKeyboard = static_cast<v1::UiState>(1'001);

std::optional<v1::UiState> element_state(std::string_view name);
std::string_view name_of(v1::UiState state);
// "showing, enabled, ...", for errors.
std::string element_state_names();

}  // namespace da::policy
