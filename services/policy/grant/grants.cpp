#include "services/policy/grant/grants.h"

#include <sodium.h>

#include "lib/base/id.h"
#include "lib/base/text.h"
#include "lib/contract/digest.h"
#include "lib/os/files/files.h"

namespace da::policy {

static_assert(crypto_sign_SECRETKEYBYTES == 64 && crypto_sign_PUBLICKEYBYTES == 32 && crypto_sign_BYTES == 64);

std::string audit_head_signing_input(std::string_view statement) {
  constexpr std::string_view kDomain("da.v1.audit-head\0", 17);
  std::string input(kDomain);
  return input += statement;
}

GrantSigner::Key::~Key() { sodium_memzero(bytes.data(), bytes.size()); }

Result<GrantSigner> GrantSigner::load(const std::filesystem::path& path) {
  ASSIGN_OR_RETURN(std::string text, os::read_private_file(path));
  auto signer = from_hex(trim(text), path.string());
  sodium_memzero(text.data(), text.size());
  return signer;
}

Result<GrantSigner> GrantSigner::from_hex(std::string_view secret_key, const std::string& where) {
  if (sodium_init() < 0) return Error{Code::kInternal, "cannot initialise libsodium"};
  auto key = std::make_unique<Key>();
  std::size_t size = 0;
  const char* end = nullptr;
  const int bad =
      sodium_hex2bin(key->bytes.data(), key->bytes.size(), secret_key.data(), secret_key.size(), nullptr, &size, &end);
  if (bad != 0 || size != kSecretKeyBytes || end != secret_key.data() + secret_key.size()) {
    return Error{Code::kInvalidArgument, where + " is not an Ed25519 secret key: 128 hexadecimal digits expected"};
  }
  // The second half repeats the public key. Signing with a wrong public key would leak the secret half.
  Key seed;
  Key derived;
  std::array<unsigned char, kPublicKeyBytes> public_key{};
  crypto_sign_ed25519_sk_to_seed(seed.bytes.data(), key->bytes.data());
  crypto_sign_seed_keypair(public_key.data(), derived.bytes.data(), seed.bytes.data());
  if (sodium_memcmp(derived.bytes.data(), key->bytes.data(), kSecretKeyBytes) != 0) {
    return Error{Code::kInvalidArgument, where + ": the public half does not belong to the secret half"};
  }
  return GrantSigner(std::shared_ptr<const Key>(std::move(key)));
}

v1::Grant GrantSigner::sign(const v1::GrantClaims& claims) const {
  v1::Grant grant;
  grant.set_claims(claims.SerializeAsString());
  grant.set_signature(signature_of(contract::grant_signing_input(grant.claims())));
  return grant;
}

std::string GrantSigner::sign_audit_head(std::string_view statement) const {
  return signature_of(audit_head_signing_input(statement));
}

std::string GrantSigner::signature_of(std::string_view input) const {
  std::string signature(crypto_sign_BYTES, '\0');
  crypto_sign_detached(reinterpret_cast<unsigned char*>(signature.data()), nullptr,
                       reinterpret_cast<const unsigned char*>(input.data()), input.size(), key_->bytes.data());
  return signature;
}

std::string GrantSigner::public_key_hex() const {
  const auto* start = reinterpret_cast<const char*>(key_->bytes.data()) + kSecretKeyBytes - kPublicKeyBytes;
  return to_hex({start, kPublicKeyBytes});
}

}  // namespace da::policy
