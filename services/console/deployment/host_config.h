// The configuration text of one role on one machine: its identity, its peers, and only the endpoints that the role may
// call or subscribe to (lib/identity/permissions.h). Pure; any thread.
#pragma once

#include <ostream>
#include <string>

#include "lib/identity/role.h"
#include "services/console/deployment/layout.h"

namespace da::console {

// Files that a configuration names, relative to it. The peers have a directory of their own, because planner and
// observer may read that directory and no other.
inline constexpr const char* kPeersFile = "peers/peers.toml";
inline constexpr const char* kRulesFile = "rules.toml";
inline constexpr const char* kSigningKeyFile = "policy.key";
std::string config_file(identity::Role role);
std::string identity_file(identity::Role role);

// Appends [endpoints] and [bus.*]: the role's own, and those that it may call or subscribe to.
void write_routes(std::ostream& toml, const Layout& layout, identity::Role role);

std::string host_config(const Layout& layout, const Machine& machine, identity::Role role,
                        const std::string& policy_key_hex);

}  // namespace da::console
