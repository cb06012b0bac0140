#include "lib/identity/role.h"

#include "lib/base/text.h"

namespace da::identity {

std::string_view to_string(Role role) {
  switch (role) {
    case Role::kObserver: return "observer";
    case Role::kPlanner: return "planner";
    case Role::kPolicy: return "policy";
    case Role::kActuator: return "actuator";
    case Role::kConsole: return "console";
    case Role::kRecorder: return "recorder";
  }
  return "";
}

Result<Role> parse_role(std::string_view text) {
  for (const Role role : kRoles) {
    if (to_string(role) == text) return role;
  }
  return Error{Code::kInvalidArgument, "role \"" + escape_foreign(text, 40) +
                                           "\": use observer, planner, policy, actuator, console or recorder"};
}

std::string dns_name(Role role) { return std::string(to_string(role)) + ".desktopassist.internal"; }

}  // namespace da::identity
