// The configuration of one role on one machine, as text: it names its identity, the peers, and only those endpoints
// that this role may call or read (lib/identity/permissions.h). Pure; any thread.
#pragma once

#include <string>

#include "lib/identity/role.h"
#include "services/console/deployment/layout.h"

namespace da::console {

// Files beside a configuration, which it names.
inline constexpr const char* kPeersFile = "peers/peers.toml";
inline constexpr const char* kRulesFile = "rules.toml";
inline constexpr const char* kSigningKeyFile = "policy.key";
std::string config_file(identity::Role role);
std::string identity_file(identity::Role role);

std::string host_config(const Layout& layout, const Machine& machine, identity::Role role,
                        const std::string& policy_key_hex);

}  // namespace da::console
