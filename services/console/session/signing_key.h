// The Ed25519 key pair of grants: the policy signs with the secret key, the actuator has the public key in its
// configuration. Any thread.
#pragma once

#include <string>

namespace da::console {

struct SigningKey {
  std::string secret_hex;
  std::string public_hex;
};

SigningKey make_signing_key();

}  // namespace da::console
