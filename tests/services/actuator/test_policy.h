// Signs grants like the policy, for tests without a policy.
#pragma once

#include <sodium.h>

#include <array>
#include <string>

#include "da/v1/verdict.pb.h"
#include "lib/base/id.h"
#include "lib/contract/digest.h"

namespace da::actuator {

class TestPolicy {
 public:
  TestPolicy() {
    if (sodium_init() < 0) std::abort();
    crypto_sign_keypair(public_key_.data(), secret_key_.data());
  }

  std::string public_key_hex() const {
    return to_hex({reinterpret_cast<const char*>(public_key_.data()), public_key_.size()});
  }

  v1::GrantClaims claims(const v1::Evidence& evidence) const {
    v1::GrantClaims claims;
    claims.set_grant_id(random_hex(8));
    claims.set_boot_id(evidence.boot_id());
    claims.set_challenge(evidence.challenge());
    claims.set_action_digest(evidence.action_digest());
    claims.set_evidence_digest(contract::digest(evidence));
    claims.set_task_id("task");
    claims.set_step_id("step");
    claims.set_desktop_id("fake:0");
    claims.set_valid_ms(2000);
    return claims;
  }

  v1::Grant sign(const v1::GrantClaims& claims) const {
    v1::Grant grant;
    grant.set_claims(claims.SerializeAsString());
    const std::string input = contract::grant_signing_input(grant.claims());
    std::string signature(crypto_sign_BYTES, '\0');
    crypto_sign_detached(reinterpret_cast<unsigned char*>(signature.data()), nullptr,
                         reinterpret_cast<const unsigned char*>(input.data()), input.size(), secret_key_.data());
    grant.set_signature(signature);
    return grant;
  }

 private:
  std::array<unsigned char, crypto_sign_PUBLICKEYBYTES> public_key_{};
  std::array<unsigned char, crypto_sign_SECRETKEYBYTES> secret_key_{};
};

}  // namespace da::actuator
