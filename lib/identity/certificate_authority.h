// The CA of one deployment's processes. Its key is on disk only after save(). Immutable; any thread.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "lib/base/clock.h"
#include "lib/base/result.h"
#include "lib/identity/identity.h"

namespace da::identity {

// Valid from five minutes before `now`, because clocks of machines differ, to `now` + `lasts`, exclusive.
struct Validity {
  WallTime now;
  std::chrono::hours lasts;
};

inline constexpr std::chrono::minutes kClockSkew{5};

class CertificateAuthority {
 public:
  // `name` tells people which CA it is: 1 to 64 printable ASCII characters.
  static Result<CertificateAuthority> create(const std::string& name, const Validity& validity);
  CertificateAuthority(CertificateAuthority&&) noexcept;
  CertificateAuthority& operator=(CertificateAuthority&&) noexcept;
  ~CertificateAuthority();

  // New keys and a certificate that expires no later than the CA's own. kFailedPrecondition: the CA's own has expired.
  Result<Identity> issue(Role role, const std::string& name, const Validity& validity) const;

  // The public part of an identity. The identity must come from issue() or parse_identity().
  Peer peer_of(const Identity& identity) const;

  const std::string& certificate_pem() const;
  WallTime not_after() const;

  // authority.pem (mode 0600, directory 0700): certificate and key in openssl's format. Atomic; replaces an old file.
  Result<void> save(const std::filesystem::path& directory) const;
  static Result<CertificateAuthority> load(const std::filesystem::path& directory);

 private:
  struct Keys;
  explicit CertificateAuthority(std::unique_ptr<Keys> keys);
  std::unique_ptr<Keys> keys_;
};

}  // namespace da::identity
