// A fresh Ed25519 key pair for a test.
#pragma once

#include <sodium.h>

#include <string>

#include "lib/base/id.h"

namespace da::policy::test {

struct TestKey {
  std::string secret_hex;
  std::string public_bytes;

  TestKey() {
    if (sodium_init() < 0) std::abort();
    std::string secret(crypto_sign_SECRETKEYBYTES, '\0');
    public_bytes.resize(crypto_sign_PUBLICKEYBYTES);
    crypto_sign_keypair(reinterpret_cast<unsigned char*>(public_bytes.data()),
                        reinterpret_cast<unsigned char*>(secret.data()));
    secret_hex = to_hex(secret);
  }

  // The signed bytes are spelled out on purpose: the domain, a zero byte and the claims.
  bool verifies(const std::string& claims, const std::string& signature) const {
    const std::string input = std::string("da.v1.grant") + '\0' + claims;
    return signature.size() == crypto_sign_BYTES &&
           crypto_sign_verify_detached(reinterpret_cast<const unsigned char*>(signature.data()),
                                       reinterpret_cast<const unsigned char*>(input.data()), input.size(),
                                       reinterpret_cast<const unsigned char*>(public_bytes.data())) == 0;
  }
};

}  // namespace da::policy::test
