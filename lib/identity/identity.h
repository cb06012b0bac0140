// Who a process is, and whom it knows. An Identity is what one process proves itself with: a certificate for TLS and a
// key pair for CURVE; it is secret. Peers is whom it believes: the authority's certificate, and the fingerprint and the
// CURVE key of each process that it may have to do with; it is no secret, but must not be forged.
//
// Both lie in TOML files of their own. Reading is strict: unknown keys are errors, sizes are bounded, and what does not
// belong together is refused. Errors never quote a key. Any thread.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "lib/base/clock.h"
#include "lib/base/result.h"
#include "lib/identity/role.h"

namespace da::identity {

// Its secrets are wiped when it goes; moving leaves none behind.
struct Identity {
  Role role = Role::kPlanner;
  std::string name;             // "policy@vm-12" (certificate.h: check_name)
  std::string certificate_pem;  // X.509 v3; for the DNS name of the role; common name as above; servers and clients.
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
  WallTime expires = WallTime::max();  // Of its certificate; max where the file, an older one, does not say.
};

struct Peers {
  std::string ca_pem;
  std::vector<Peer> list;

  // nullptr where it is unknown or revoked. Valid as long as the list does not change.
  const Peer* by_fingerprint(std::string_view fingerprint) const;
  const Peer* by_curve_key(std::string_view curve_public) const;
  // The first of that role that is not revoked: whoever connects to a service has to know its key beforehand.
  const Peer* by_role(Role role) const;
};

// The same certificate's fingerprint whatever the PEM's line breaks are.
Result<std::string> fingerprint(std::string_view certificate_pem);

// An ephemeral or lasting CURVE key pair: what an Identity holds.
struct CurveKeys {
  std::string public_key;
  std::string secret_key;
};
CurveKeys make_curve_keys();

std::string to_toml(const Identity& identity);
Result<Identity> parse_identity(std::string_view toml);
std::string to_toml(const Peers& peers);
Result<Peers> parse_peers(std::string_view toml);

// kPermissionDenied at a link, and where the file is another user's or anyone else may read it.
Result<Identity> load_identity(const std::filesystem::path& path);
// kPermissionDenied at a link, and where anyone but this user and root may write the file.
Result<Peers> load_peers(const std::filesystem::path& path);

}  // namespace da::identity
