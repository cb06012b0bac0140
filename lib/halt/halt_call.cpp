#include "lib/halt/halt_call.h"

#include <sodium.h>

#include <functional>

namespace da::halt {
namespace {

// Under a flood of datagrams some are lost.
constexpr Milliseconds kRepeat{20};

}  // namespace

Result<Answer> halt_by_datagram(const std::string& address, identity::Role service,
                                const identity::Credentials& credentials, const std::string& reason,
                                const std::string& by, Milliseconds timeout, const std::stop_token& stop) {
  const auto at = os::parse_host_port(address);
  const auto peer = credentials.peers->by_role(service);
  const auto key = peer ? SharedKey::of(*credentials.own, peer->curve_public) : std::nullopt;
  if (!at || !key) return Error{Code::kUnavailable, "the service has no address for datagrams, or is no known peer"};
  ASSIGN_OR_RETURN(const auto socket, os::DatagramSocket::connect(*at));
  const std::stop_callback<std::function<void()>> wake(stop, [&socket = *socket] { socket.wake(); });
  Message message{.kind = Message::Kind::kAsk, .by = by, .text = reason};
  randombytes_buf(message.call.data(), message.call.size());
  const Clock& clock = system_clock();
  const MonoTime until = clock.now() + timeout;
  MonoTime sent{};
  while (!stop.stop_requested() && clock.now() < until) {
    if (clock.now() - sent >= kRepeat) {
      socket->send(key->seal(message), "");
      sent = clock.now();
    }
    ASSIGN_OR_RETURN(const auto received, socket->receive(kLargestDatagram, kRepeat));
    const auto answer = received ? key->open(received->bytes) : std::nullopt;
    if (!answer || answer->call != message.call) continue;
    if (answer->kind == Message::Kind::kDone) return Answer{answer->done, answer->text};
    if (answer->kind == Message::Kind::kChallenge && answer->challenge != message.challenge) {
      message.kind = Message::Kind::kHalt;
      message.challenge = answer->challenge;
      sent = {};  // Send the halt at once.
    }
  }
  if (stop.stop_requested()) return Error{Code::kCancelled, "the halt by datagram was cancelled"};
  return Error{Code::kDeadlineExceeded, "no answer to datagrams"};
}

}  // namespace da::halt
