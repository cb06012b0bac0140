// What a service that is shut in (lib/os/confinement.h) keeps of its user's files and of the network.
#pragma once

#include <string>

#include "lib/base/result.h"
#include "lib/os/confinement.h"
#include "lib/service/config.h"

namespace da::service {

struct Needs {
  os::FileAccess files;
  os::Network network = os::Network::kNone;
};

// What every service needs, by its configuration: its identity, the peers (with the directory that they lie in, because
// a new version is put in the place of the old one), its log, its sockets, and TCP where an address is one of TCP.
Result<Needs> common_needs(const Config& config, const std::string& service);

}  // namespace da::service
