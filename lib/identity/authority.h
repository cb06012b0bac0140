// The small CA: it signs the certificates of the processes of one deployment, and nothing else. Its key is in memory,
// and on disk only after save(). Immutable once made; any thread.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "lib/base/clock.h"
#include "lib/base/result.h"
#include "lib/identity/identity.h"

namespace da::identity {

// From five minutes before `now`, because clocks of machines differ, to `lasts` after it, which is no longer part of
// it.
struct Validity {
  WallTime now;
  std::chrono::hours lasts;
};

inline constexpr std::chrono::minutes kClockSkew{5};

class Authority {
 public:
  // `name` tells people whose it is; 1 to 64 printable ASCII characters.
  static Result<Authority> create(const std::string& name, const Validity& validity);
  Authority(Authority&&) noexcept;
  Authority& operator=(Authority&&) noexcept;
  ~Authority();

  // Fresh keys and a certificate for them, which ends with the authority's own at the latest. kFailedPrecondition once
  // that has ended.
  Result<Identity> issue(Role role, const std::string& name, const Validity& validity) const;

  // How others know an identity, which comes from issue() or parse_identity().
  Peer peer_of(const Identity& identity) const;

  const std::string& certificate_pem() const;
  WallTime not_after() const;

  // One file, authority.pem, of mode 0600 in a directory of mode 0700, whole or not at all: certificate and key, as
  // openssl reads them too. What was there is replaced.
  Result<void> save(const std::filesystem::path& directory) const;
  static Result<Authority> load(const std::filesystem::path& directory);

 private:
  struct Keys;
  explicit Authority(std::unique_ptr<Keys> keys);
  std::unique_ptr<Keys> keys_;
};

}  // namespace da::identity
