#include "lib/halt/halt_message.h"

#include <sodium.h>

#include <algorithm>

#include "lib/base/id.h"
#include "lib/identity/z85.h"

namespace da::halt {
namespace {

constexpr std::string_view kMagic = "DAHALT01";
constexpr std::string_view kDomain = "da.v1.halt";
constexpr std::size_t kKeyBytes = crypto_scalarmult_BYTES;
constexpr std::size_t kNonceBytes = crypto_aead_xchacha20poly1305_ietf_NPUBBYTES;
constexpr std::size_t kTagBytes = crypto_aead_xchacha20poly1305_ietf_ABYTES;
constexpr std::size_t kHeader = kMagic.size() + kKeyBytes;
constexpr std::size_t kFixed = 1 + kCallBytes + kChallengeBytes + 1 + 1;
constexpr std::size_t kLongestBy = 100;
constexpr std::size_t kLongestText = 500;
static_assert(kHeader + kNonceBytes + kFixed + kLongestBy + kLongestText + kTagBytes <= kLargestDatagram);

const unsigned char* bytes_of(std::string_view text) { return reinterpret_cast<const unsigned char*>(text.data()); }
unsigned char* bytes_of(std::string& text) { return reinterpret_cast<unsigned char*>(text.data()); }

std::string encode(const Message& message) {
  const std::string by = message.by.substr(0, kLongestBy);
  std::string text(1, static_cast<char>(message.kind));
  text += message.call;
  text += message.challenge;
  text += message.done ? '\1' : '\0';
  text += static_cast<char>(by.size());
  return text + by + message.text.substr(0, kLongestText);
}

std::optional<Message> decode(std::string_view text) {
  if (text.size() < kFixed) return std::nullopt;
  const auto kind = static_cast<std::uint8_t>(text[0]);
  const auto by = static_cast<std::uint8_t>(text[kFixed - 1]);
  if (kind < 1 || kind > 4 || by > kLongestBy || text.size() < kFixed + by) return std::nullopt;
  return Message{.kind = static_cast<Message::Kind>(kind),
                 .call = std::string(text.substr(1, kCallBytes)),
                 .challenge = std::string(text.substr(1 + kCallBytes, kChallengeBytes)),
                 .done = text[1 + kCallBytes + kChallengeBytes] != '\0',
                 .by = std::string(text.substr(kFixed, by)),
                 .text = std::string(text.substr(kFixed + by))};
}

}  // namespace

std::optional<SharedKey> SharedKey::of(const identity::Identity& own, const std::string& peer_curve_public) {
  const auto peer = identity::z85_decode(peer_curve_public);
  const auto own_public = identity::z85_decode(own.curve_public);
  auto secret = identity::z85_decode(own.curve_secret);
  if (!peer || !own_public || !secret) return std::nullopt;
  if (peer->size() != kKeyBytes || own_public->size() != kKeyBytes || secret->size() != kKeyBytes) return std::nullopt;
  std::string shared(kKeyBytes, '\0');
  const int failed = crypto_scalarmult(bytes_of(shared), bytes_of(*secret), bytes_of(*peer));
  sodium_memzero(secret->data(), secret->size());
  if (failed != 0) return std::nullopt;
  std::string key = keyed_blake2b(shared, kDomain);
  sodium_memzero(shared.data(), shared.size());
  return SharedKey(*own_public, std::move(key));
}

std::string SharedKey::seal(const Message& message) const {
  const std::string text = encode(message);
  std::string datagram = std::string(kMagic) + own_public_;
  std::string nonce(kNonceBytes, '\0');
  randombytes_buf(nonce.data(), nonce.size());
  std::string sealed(text.size() + kTagBytes, '\0');
  crypto_aead_xchacha20poly1305_ietf_encrypt(bytes_of(sealed), nullptr, bytes_of(text), text.size(), bytes_of(datagram),
                                             datagram.size(), nullptr, bytes_of(nonce), bytes_of(key_));
  return datagram + nonce + sealed;
}

std::optional<Message> SharedKey::open(std::string_view datagram) const {
  if (datagram.size() < kHeader + kNonceBytes + kTagBytes) return std::nullopt;
  const std::string_view header = datagram.substr(0, kHeader);
  const std::string_view nonce = datagram.substr(kHeader, kNonceBytes);
  const std::string_view sealed = datagram.substr(kHeader + kNonceBytes);
  std::string text(sealed.size() - kTagBytes, '\0');
  const int failed =
      crypto_aead_xchacha20poly1305_ietf_decrypt(bytes_of(text), nullptr, nullptr, bytes_of(sealed), sealed.size(),
                                                 bytes_of(header), header.size(), bytes_of(nonce), bytes_of(key_));
  return failed != 0 ? std::nullopt : decode(text);
}

std::optional<std::string> claimed_sender(std::string_view datagram) {
  if (datagram.size() < kHeader + kNonceBytes + kTagBytes || !datagram.starts_with(kMagic)) return std::nullopt;
  return identity::z85_encode(datagram.substr(kMagic.size(), kKeyBytes));
}

}  // namespace da::halt
