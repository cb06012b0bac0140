// Signs grants, without which the actuator does not act. Owns the Ed25519 secret key and wipes it at the end; copies
// share it. Key file: the 64 bytes of libsodium's secret key in hexadecimal, mode 0600, owned by this user.
// A grant's signature covers contract::grant_signing_input(claims). The same key signs heads of the audit log, in a
// domain of their own. Any thread.
#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "da/v1/verdict.pb.h"
#include "lib/base/result.h"

namespace da::policy {

// "da.v1.audit-head", a zero byte, and the statement of a head (audit/head.h).
std::string audit_head_signing_input(std::string_view statement);

class GrantSigner {
 public:
  // kNotFound, kPermissionDenied (others may read the file), kInvalidArgument (not a key pair).
  static Result<GrantSigner> load(const std::filesystem::path& path);
  static Result<GrantSigner> from_hex(std::string_view secret_key, const std::string& where);

  v1::Grant sign(const v1::GrantClaims& claims) const;
  // 64 bytes, over audit_head_signing_input(statement).
  std::string sign_audit_head(std::string_view statement) const;
  // The key by which the actuator verifies, hexadecimal.
  std::string public_key_hex() const;

 private:
  static constexpr std::size_t kSecretKeyBytes = 64;
  static constexpr std::size_t kPublicKeyBytes = 32;
  struct Key {
    std::array<unsigned char, kSecretKeyBytes> bytes{};
    ~Key();
  };
  explicit GrantSigner(std::shared_ptr<const Key> key) : key_(std::move(key)) {}
  std::string signature_of(std::string_view input) const;

  std::shared_ptr<const Key> key_;
};

}  // namespace da::policy
