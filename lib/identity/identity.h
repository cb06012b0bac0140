// An Identity authenticates one process: a certificate for TLS and a key pair for CURVE. It is secret. Peers lists the
// trusted CA certificate, and fingerprint and CURVE key of each process that may connect; it must only be protected
// against changes. Each is a TOML file. Parsing is strict: unknown keys and parts that do not belong together are
// errors, and sizes are limited. Errors never quote a key. Any thread.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "lib/base/clock.h"
#include "lib/base/result.h"
#include "lib/identity/role.h"

namespace da::identity {

// The destructor wipes the secrets; a move leaves none behind.
struct Identity {
  Role role = Role::kPlanner;
  std::string name;             // "policy@vm-12" (certificate.h: check_name)
  std::string certificate_pem;  // X.509 v3: the role's DNS name, the common name above; servers and clients.
  std::string private_key_pem;  // ECDSA P-256, PKCS #8.
  std::string curve_public;     // Z85, 40 characters.
  std::string curve_secret;

  Identity() = default;
  Identity(const Identity&) = default;
  Identity(Identity&&) noexcept = default;
  Identity& operator=(Identity other) noexcept;
  ~Identity();
};

struct Peer {
  Role role;
  std::string name;
  std::string fingerprint;  // SHA-256 of the certificate's DER form, hexadecimal.
  std::string curve_public;
  bool revoked = false;
  WallTime expires = WallTime::max();  // Expiry of its certificate; max if the file is an older one without this key.
  friend bool operator==(const Peer&, const Peer&) = default;
};

struct Peers {
  std::string ca_pem;
  std::vector<Peer> list;

  // nullptr if unknown or revoked. Valid until the list changes.
  const Peer* by_fingerprint(std::string_view fingerprint) const;
  const Peer* by_curve_key(std::string_view curve_public) const;
  // The first peer of that role that is not revoked. A client needs a service's key before it connects.
  const Peer* by_role(Role role) const;
};

// Independent of the PEM's line breaks.
Result<std::string> fingerprint(std::string_view certificate_pem);

struct CurveKeys {
  std::string public_key;
  std::string secret_key;
};
CurveKeys make_curve_keys();

std::string to_toml(const Identity& identity);
Result<Identity> parse_identity(std::string_view toml);
std::string to_toml(const Peers& peers);
Result<Peers> parse_peers(std::string_view toml);

// kPermissionDenied: a link, another user's file, or a file that others can read.
Result<Identity> load_identity(const std::filesystem::path& path);
// kPermissionDenied: a link, or a file that anyone but this user and root can write.
Result<Peers> load_peers(const std::filesystem::path& path);

}  // namespace da::identity
