// Decides whether a grant lets one action happen. The policy's public key comes from the configuration, not from a
// peer. Pure; any thread.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "da/v1/verdict.pb.h"
#include "lib/base/clock.h"
#include "lib/base/result.h"

namespace da::actuator {

// What the actuator itself knows about the evidence that a grant names.
struct Challenge {
  std::string boot_id;
  std::string action_digest;
  std::string evidence_digest;
  std::string desktop_id;
  std::string task_id;
  std::string step_id;
  MonoTime issued;
};

class GrantCheck {
 public:
  // Hexadecimal Ed25519 public key, 32 bytes.
  static Result<GrantCheck> create(std::string_view public_key_hex);

  // The claims of a grant whose signature holds; kPermissionDenied otherwise.
  Result<v1::GrantClaims> verify(const v1::Grant& grant) const;

  // That the claims are about exactly this action and evidence, and have not expired.
  static Result<void> check(const v1::GrantClaims& claims, const Challenge& challenge, std::string_view action_digest,
                            MonoTime now);

 private:
  std::array<unsigned char, 32> key_{};
};

}  // namespace da::actuator
