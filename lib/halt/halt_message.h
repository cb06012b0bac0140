// Messages of a halt by datagrams, which reaches a service whose connections are all taken by a flood.
//
//   console -> service   kAsk        a call's random number
//   service -> console   kChallenge  the number, and a challenge that is valid for some seconds
//   console -> service   kHalt       the number, the challenge, who halts, and why
//   service -> console   kDone       the number, whether it is halted, and the service's answer
//
// A datagram is: "DAHALT01"; the sender's public CURVE key (32 bytes); a random nonce (24 bytes); and the message,
// encrypted and authenticated by XChaCha20-Poly1305 (libsodium's IETF variant) with the first two as additional data.
// The key is BLAKE2b of "da.v1.halt" with the X25519 shared secret of both CURVE keys as its key. So only two known
// peers can exchange messages, and all others are dropped for the price of one table lookup or one authenticator.
//
// The message is: kind (1 byte), call (16), challenge (32), done (1), length of `by` (1), `by`, and `text`. All kinds
// have these parts, so no answer is larger than what asks for it, except for its text. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "lib/identity/identity.h"

namespace da::halt {

inline constexpr std::size_t kLargestDatagram = 1024;
inline constexpr std::size_t kCallBytes = 16;
inline constexpr std::size_t kChallengeBytes = 32;

struct Message {
  enum class Kind : std::uint8_t { kAsk = 1, kChallenge = 2, kHalt = 3, kDone = 4 };
  Kind kind = Kind::kAsk;
  std::string call = std::string(kCallBytes, '\0');
  std::string challenge = std::string(kChallengeBytes, '\0');
  bool done = false;
  std::string by;    // Cut after 100 bytes.
  std::string text;  // The reason or the answer; at most 500 bytes, the rest is cut.
};

// The secret that two peers share.
class SharedKey {
 public:
  // nullopt: one of the texts is not a CURVE key.
  static std::optional<SharedKey> of(const identity::Identity& own, const std::string& peer_curve_public);

  std::string seal(const Message& message) const;
  // nullopt: not from the peer, changed, or no message.
  std::optional<Message> open(std::string_view datagram) const;

 private:
  SharedKey(std::string own_public, std::string key) : own_public_(std::move(own_public)), key_(std::move(key)) {}

  std::string own_public_;  // Raw.
  std::string key_;
};

// The sender's public CURVE key in Z85, which nothing proves yet; nullopt: no such datagram.
std::optional<std::string> claimed_sender(std::string_view datagram);

}  // namespace da::halt
