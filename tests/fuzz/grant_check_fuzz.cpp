// Grants from a peer. If byte 0 is even, the rest is an unsigned Grant, which must never be valid. If it is odd, the
// rest is claims that the policy signed, which are valid only for the challenge that they name.
#include <sodium.h>

#include <array>
#include <cstdint>
#include <string>

#include "lib/contract/digest.h"
#include "services/actuator/grant/grant_check.h"
#include "tests/fuzz/require.h"
#include "tests/services/actuator/test_policy.h"

namespace {

using da::fuzz::require;

da::v1::Grant sign(const da::actuator::TestPolicy& policy, const std::string& claims) {
  da::v1::GrantClaims parsed;
  if (parsed.ParseFromString(claims)) return policy.sign(parsed);
  return policy.sign({});
}

da::actuator::Challenge challenge() {
  return {.boot_id = "boot",
          .action_digest = "action",
          .evidence_digest = "evidence",
          .desktop_id = "desk",
          .task_id = "task",
          .step_id = "step",
          .issued = da::MonoTime{}};
}

void check_claims(const da::v1::GrantClaims& claims) {
  const auto asked = challenge();
  const auto late = asked.issued + da::Milliseconds(60'001);
  require(!da::actuator::GrantCheck::check(claims, asked, "action", late), "no grant is valid for more than a minute");
  require(!da::actuator::GrantCheck::check(claims, asked, "another", asked.issued), "no grant is for another action");
  if (!da::actuator::GrantCheck::check(claims, asked, "action", asked.issued)) return;
  require(claims.boot_id() == "boot" && claims.task_id() == "task" && claims.step_id() == "step" &&
              claims.desktop_id() == "desk" && claims.evidence_digest() == "evidence",
          "a grant is about this challenge alone");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const da::actuator::TestPolicy policy;
  static const auto check = *da::actuator::GrantCheck::create(policy.public_key_hex());
  if (size == 0) return 0;
  const std::string rest(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] % 2 == 0) {
    da::v1::Grant grant;
    if (grant.ParseFromString(rest)) require(!check.verify(grant), "an unsigned grant is invalid");
    return 0;
  }
  da::v1::Grant grant = sign(policy, rest);
  const auto claims = check.verify(grant);
  if (claims) check_claims(*claims);
  (*grant.mutable_signature())[data[0] % grant.signature().size()] ^= 1;
  require(!check.verify(grant), "a signature with one altered bit is invalid");
  return 0;
}
