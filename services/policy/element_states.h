// The states of an element by the names that rules and cases use: "focused", "password". Pure; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "da/v1/observation.pb.h"

namespace da::policy {

// Of an element that the application did not tell in time (Evidence.focus_unread, target_unread, drop_unread): rules
// call it "unread". No state of the tree has this number.
inline constexpr auto kUnread = static_cast<v1::UiState>(1'000);

std::optional<v1::UiState> element_state(std::string_view name);
std::string_view name_of(v1::UiState state);
// "showing, enabled, ...", for errors.
std::string element_state_names();

}  // namespace da::policy
