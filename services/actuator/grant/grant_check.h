// Decides whether a grant permits one action. The policy's public key comes from the configuration, never from a peer.
// Pure; any thread.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "da/v1/verdict.pb.h"
#include "lib/base/clock.h"
#include "lib/base/result.h"

namespace da::actuator {

// The actuator's own record of the evidence that a grant must name.
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

  // The claims of a grant with a valid signature; kPermissionDenied otherwise.
  Result<v1::GrantClaims> verify(const v1::Grant& grant) const;

  // kPermissionDenied unless the claims name exactly this action and evidence and have not expired.
  static Result<void> check(const v1::GrantClaims& claims, const Challenge& challenge, std::string_view action_digest,
                            MonoTime now);

 private:
  std::array<unsigned char, 32> key_{};
};

}  // namespace da::actuator
