// Loads a process's credentials: [peers] file, and [identity] file or a descriptor from the parent process.
#pragma once

#include <memory>
#include <thread>

#include "lib/base/result.h"
#include "lib/identity/credentials.h"
#include "lib/os/file_watch.h"
#include "lib/service/config.h"

namespace da::service {

// Credentials that follow the peers file: a revocation takes effect at once, an expiry within a second. An unreadable
// file is logged and retried; until then, new requests of all peers are refused (KnownPeers::check_read).
class LiveCredentials {
 public:
  // Reads identity_fd to its end and closes it; -1: the configured file. Fails if the identity has another role.
  static Result<LiveCredentials> open(const Config& config, identity::Role role, int identity_fd = -1);

  const identity::Credentials& get() const { return credentials_; }

 private:
  LiveCredentials(identity::Credentials credentials, std::unique_ptr<os::FileWatch> watch);

  identity::Credentials credentials_;
  std::unique_ptr<os::FileWatch> watch_;
  std::jthread expiry_;
};

}  // namespace da::service
