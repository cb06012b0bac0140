#include "services/actuator/grant/grant_check.h"

#include <sodium.h>

#include "lib/contract/digest.h"

namespace da::actuator {
namespace {

// A grant expires after this, even if its claims allow more.
constexpr Milliseconds kLongestValidity{60'000};

Error refused(const std::string& why) { return {Code::kPermissionDenied, "the grant does not hold: " + why}; }

}  // namespace

Result<GrantCheck> GrantCheck::create(std::string_view public_key_hex) {
  GrantCheck check;
  std::size_t length = 0;
  if (sodium_init() < 0 ||
      sodium_hex2bin(check.key_.data(), check.key_.size(), public_key_hex.data(), public_key_hex.size(), nullptr,
                     &length, nullptr) != 0 ||
      length != check.key_.size() || public_key_hex.size() != 2 * check.key_.size()) {
    return Error{Code::kInvalidArgument, "the policy's public key must be 64 hexadecimal digits"};
  }
  return check;
}

Result<v1::GrantClaims> GrantCheck::verify(const v1::Grant& grant) const {
  const std::string input = contract::grant_signing_input(grant.claims());
  if (grant.signature().size() != crypto_sign_BYTES ||
      crypto_sign_verify_detached(reinterpret_cast<const unsigned char*>(grant.signature().data()),
                                  reinterpret_cast<const unsigned char*>(input.data()), input.size(),
                                  key_.data()) != 0) {
    return refused("it is not signed by this desktop's policy");
  }
  v1::GrantClaims claims;
  if (!claims.ParseFromString(grant.claims()) || claims.grant_id().empty()) return refused("its claims are broken");
  // A newer policy may restrict the grant by fields that this actuator does not know.
  if (!claims.GetReflection()->GetUnknownFields(claims).empty()) {
    return refused("it claims what this actuator does not know");
  }
  return claims;
}

Result<void> GrantCheck::check(const v1::GrantClaims& claims, const Challenge& challenge,
                               std::string_view action_digest, MonoTime now) {
  if (claims.boot_id() != challenge.boot_id) return refused("it was made for an earlier start of the actuator");
  if (claims.action_digest() != action_digest || claims.action_digest() != challenge.action_digest) {
    return refused("it is for another action");
  }
  if (claims.evidence_digest() != challenge.evidence_digest) return refused("it is for other evidence");
  if (claims.desktop_id() != challenge.desktop_id) return refused("it is for another desktop");
  if (claims.task_id() != challenge.task_id || claims.step_id() != challenge.step_id) {
    return refused("it is for another step");
  }
  const auto age = now - challenge.issued;
  if (age > Milliseconds(claims.valid_ms()) || age > kLongestValidity) return refused("it has expired");
  return ok();
}

}  // namespace da::actuator
