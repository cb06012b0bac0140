// Where a process gets its credentials from: [peers] file, and [identity] file or a descriptor that its parent hands
// it.
#pragma once

#include <memory>
#include <thread>

#include "lib/base/result.h"
#include "lib/identity/credentials.h"
#include "lib/os/file_watch.h"
#include "lib/service/config.h"

namespace da::service {

// Credentials whose peers follow their file: a peer that is revoked there is so at once, and one that expires within a
// second. While the file cannot be read
// or used, which is logged, it is tried again and again, and nothing new is done for any peer (KnownPeers::check_read).
class LiveCredentials {
 public:
  // identity_fd is read to its end, and closed; -1: the file that the configuration names. An error where the identity
  // is of another role.
  static Result<LiveCredentials> open(const Config& config, identity::Role role, int identity_fd = -1);

  const identity::Credentials& get() const { return credentials_; }

 private:
  LiveCredentials(identity::Credentials credentials, std::unique_ptr<os::FileWatch> watch);

  identity::Credentials credentials_;
  std::unique_ptr<os::FileWatch> watch_;
  std::jthread expiry_;
};

}  // namespace da::service
