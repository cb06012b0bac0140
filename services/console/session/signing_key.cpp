#include "services/console/session/signing_key.h"

#include <sodium.h>

#include <array>
#include <cstdlib>

#include "lib/base/id.h"

namespace da::console {

SigningKey make_signing_key() {
  if (sodium_init() < 0) std::abort();  // No random numbers.
  std::array<unsigned char, crypto_sign_PUBLICKEYBYTES> public_key{};
  std::array<unsigned char, crypto_sign_SECRETKEYBYTES> secret_key{};
  crypto_sign_keypair(public_key.data(), secret_key.data());
  const auto hex = [](const auto& bytes) {
    return to_hex({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  };
  SigningKey key{hex(secret_key), hex(public_key)};
  sodium_memzero(secret_key.data(), secret_key.size());
  return key;
}

}  // namespace da::console
