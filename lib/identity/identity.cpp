#include "lib/identity/identity.h"

#include <sodium.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "lib/identity/openssl.h"
#include "lib/identity/z85.h"
#include "lib/os/files/files.h"

namespace da::identity {
namespace {

static_assert(crypto_box_PUBLICKEYBYTES == 32 && crypto_box_SECRETKEYBYTES == 32);

constexpr std::size_t kLargestIdentityFile = 64 << 10;
constexpr std::size_t kLargestPeersFile = 1 << 20;

void wipe(std::string& text) { sodium_memzero(text.data(), text.size()); }

template <std::size_t Size>
std::string z85_of(const std::array<unsigned char, Size>& bytes) {
  return z85_encode({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

const Peer* find_live(const std::vector<Peer>& list, const auto& matches) {
  const auto found = std::ranges::find_if(list, [&](const Peer& peer) { return !peer.revoked && matches(peer); });
  return found == list.end() ? nullptr : &*found;
}

Error of_file(const std::filesystem::path& path, Error error) {
  error.message = path.string() + ": " + error.message;
  return error;
}

}  // namespace

Identity& Identity::operator=(Identity other) noexcept {
  std::swap(role, other.role);
  name.swap(other.name);
  certificate_pem.swap(other.certificate_pem);
  private_key_pem.swap(other.private_key_pem);
  curve_public.swap(other.curve_public);
  curve_secret.swap(other.curve_secret);
  return *this;
}

Identity::~Identity() {
  wipe(private_key_pem);
  wipe(curve_secret);
}

const Peer* Peers::by_fingerprint(std::string_view fingerprint) const {
  return find_live(list, [&](const Peer& peer) { return peer.fingerprint == fingerprint; });
}

const Peer* Peers::by_curve_key(std::string_view curve_public) const {
  return find_live(list, [&](const Peer& peer) { return peer.curve_public == curve_public; });
}

const Peer* Peers::by_role(Role role) const {
  return find_live(list, [&](const Peer& peer) { return peer.role == role; });
}

Result<std::string> fingerprint(std::string_view certificate_pem) {
  ASSIGN_OR_RETURN(const UniqueCertificate certificate, certificate_from_pem(certificate_pem));
  return fingerprint_of(*certificate);
}

CurveKeys make_curve_keys() {
  if (sodium_init() < 0) std::abort();  // No source of random bytes.
  std::array<unsigned char, crypto_box_PUBLICKEYBYTES> public_key{};
  std::array<unsigned char, crypto_box_SECRETKEYBYTES> secret_key{};
  crypto_box_keypair(public_key.data(), secret_key.data());
  CurveKeys keys{z85_of(public_key), z85_of(secret_key)};
  sodium_memzero(secret_key.data(), secret_key.size());
  return keys;
}

Result<Identity> load_identity(const std::filesystem::path& path) {
  ASSIGN_OR_RETURN(std::string text, os::read_private_file(path, os::Links::kRefuse, kLargestIdentityFile));
  auto identity = parse_identity(text);
  wipe(text);
  if (!identity) return of_file(path, std::move(identity).error());
  return identity;
}

Result<Peers> load_peers(const std::filesystem::path& path) {
  ASSIGN_OR_RETURN(const std::string text, os::read_trusted_file(path, kLargestPeersFile));
  auto peers = parse_peers(text);
  if (!peers) return of_file(path, std::move(peers).error());
  return peers;
}

}  // namespace da::identity
