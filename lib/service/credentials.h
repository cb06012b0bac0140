// Loads a process's credentials: [peers] file, and [identity] file or an identity from the parent process.
#pragma once

#include <memory>
#include <optional>
#include <thread>

#include "lib/base/result.h"
#include "lib/identity/credentials.h"
#include "lib/os/files/file_watch.h"
#include "lib/service/config.h"

namespace da::service {

// Credentials that follow the peers file: a revocation takes effect at once, an expiry within a second. An unreadable
// file is logged and retried; until then, new requests of all peers are refused (KnownPeers::check_read).
class LiveCredentials {
 public:
  // `identity`: from the parent process; without one, the configured file is read. Fails if it has another role.
  static Result<LiveCredentials> open(const Config& config, identity::Role role,
                                      std::optional<identity::Identity> identity = std::nullopt);

  const identity::Credentials& get() const { return credentials_; }

 private:
  LiveCredentials(identity::Credentials credentials, std::unique_ptr<os::FileWatch> watch);

  identity::Credentials credentials_;
  std::unique_ptr<os::FileWatch> watch_;
  std::jthread expiry_;
};

}  // namespace da::service
