// The files and the network that a confined service (lib/os/process/confinement.h) may still use.
#pragma once

#include <string>

#include "lib/base/result.h"
#include "lib/os/process/confinement.h"
#include "lib/service/config.h"

namespace da::service {

struct Needs {
  os::FileAccess files;
  os::Network network = os::Network::kNone;
};

// The needs of every service, from its configuration: its identity; the directory of the peers file, because new
// versions replace the file; its log; its sockets; and TCP if an address uses it.
Result<Needs> common_needs(const Config& config, const std::string& service);

}  // namespace da::service
