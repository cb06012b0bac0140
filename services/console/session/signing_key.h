// The Ed25519 pair with which a policy signs grants: the policy has the secret half in a file of its own, the actuator
// the public half in its configuration. Any thread.
#pragma once

#include <string>

namespace da::console {

struct SigningKey {
  std::string secret_hex;
  std::string public_hex;
};

SigningKey make_signing_key();

}  // namespace da::console
