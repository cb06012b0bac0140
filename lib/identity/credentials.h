// A process's identity and known peers, for all its connections. Copies share their state. Any thread.
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
