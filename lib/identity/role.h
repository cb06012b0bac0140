// The role of a process: one of six. Pure; any thread.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "lib/base/result.h"

namespace da::identity {

enum class Role { kObserver, kPlanner, kPolicy, kActuator, kConsole, kRecorder };

inline constexpr std::array kRoles = {Role::kObserver, Role::kPlanner, Role::kPolicy,
                                      Role::kActuator, Role::kConsole, Role::kRecorder};

std::string_view to_string(Role role);
Result<Role> parse_role(std::string_view text);

// "policy.desktopassist.internal": the only DNS name in a certificate of that role. Clients expect it from the server.
std::string dns_name(Role role);

}  // namespace da::identity
