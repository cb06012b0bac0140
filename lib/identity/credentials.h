// What a process proves itself with, and whom it believes: what every connection of it is made with, calls (lib/rpc) as
// well as the bus (lib/bus). Copies share their state. Any thread.
#pragma once

#include <memory>

#include "lib/identity/identity.h"
#include "lib/identity/known_peers.h"

namespace da::identity {

struct Credentials {
  std::shared_ptr<const Identity> own;
  std::shared_ptr<KnownPeers> peers;
};

}  // namespace da::identity
