#include "services/console/deployment/host_config.h"

#include <algorithm>
#include <sstream>

#include "lib/base/text.h"
#include "lib/identity/permissions.h"

namespace da::console {
namespace {

using identity::kRoles;
using identity::Role;

Side side_of(Role role, Role service) { return role == service ? Side::kOwn : Side::kOthers; }

}  // namespace

void write_routes(std::ostream& toml, const Layout& layout, Role role) {
  toml << "\n[endpoints]\n";
  for (const Role service : kRoles) {
    if (service == Role::kConsole || (service != role && !identity::may_reach(role, service))) continue;
    toml << to_string(service) << " = " << quote_toml(rpc_endpoint(layout, service, side_of(role, service))) << "\n";
  }
  for (const Role service : kRoles) {
    const bool publishes =
        std::ranges::any_of(kRoles, [&](const Role reader) { return identity::may_subscribe(reader, service, false); });
    if (!publishes || (service != role && !identity::may_subscribe(role, service, false))) continue;
    const Side side = side_of(role, service);
    toml << "\n[bus." << to_string(service) << "]\nfacts = " << quote_toml(facts_endpoint(layout, service, side))
         << "\n";
    const std::string images = images_endpoint(layout, service, side);
    if (!images.empty()) toml << "images = " << quote_toml(images) << "\n";
  }
}

std::string config_file(Role role) { return std::string(to_string(role)) + ".toml"; }
std::string identity_file(Role role) { return std::string(to_string(role)) + ".identity.toml"; }

std::string host_config(const Layout& layout, const Machine& machine, Role role, const std::string& policy_key_hex) {
  std::ostringstream toml;
  toml << "# da-" << to_string(role) << " on machine " << machine.name << ". Paths begin at this file's directory.\n"
       << "desktop = " << quote_toml(layout.desktop_id())
       << "\n\n[identity]\nfile = " << quote_toml(identity_file(role))
       << "\n\n[peers]\nfile = " << quote_toml(kPeersFile) << "\n";
  write_routes(toml, layout, role);
  if (role == Role::kActuator) {
    toml << "\n[actuator]\nbackend = " << quote_toml(layout.backend) << "\npolicy_key = " << quote_toml(policy_key_hex)
         << "\n";
  } else if (role == Role::kPolicy) {
    toml << "\n[policy]\nrules = " << quote_toml(kRulesFile) << "\nsigning_key = " << quote_toml(kSigningKeyFile)
         << "\n";
  }
  return toml.str();
}

}  // namespace da::console
