#include "lib/halt/halt_listener.h"

#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "lib/base/id.h"
#include "lib/base/text.h"
#include "lib/identity/permissions.h"

namespace da::halt {
namespace {

constexpr Milliseconds kWait{60'000};
// A challenge is valid for one to two periods.
constexpr std::chrono::seconds kPeriod{5};
constexpr std::size_t kMostKeys = 64;
constexpr std::size_t kMostAnswers = 64;

std::int64_t period_of(MonoTime time) { return time.time_since_epoch() / kPeriod; }

}  // namespace

Result<std::unique_ptr<HaltListener>> HaltListener::listen(const std::string& address, std::string method,
                                                           identity::Credentials credentials, const Clock& clock,
                                                           Halt halt) {
  const auto at = os::parse_host_port(address);
  if (!at) return std::unique_ptr<HaltListener>();
  ASSIGN_OR_RETURN(auto socket, os::DatagramSocket::bind(*at));
  return std::unique_ptr<HaltListener>(
      new HaltListener(std::move(socket), std::move(method), std::move(credentials), clock, std::move(halt)));
}

HaltListener::HaltListener(std::unique_ptr<os::DatagramSocket> socket, std::string method,
                           identity::Credentials credentials, const Clock& clock, Halt halt)
    : socket_(std::move(socket)),
      method_(std::move(method)),
      credentials_(std::move(credentials)),
      clock_(clock),
      halt_(std::move(halt)),
      secret_(random_hex(32)),
      thread_([this](const std::stop_token& stop) { run(stop); }) {}

HaltListener::~HaltListener() {
  thread_.request_stop();
  socket_->wake();
}

void HaltListener::run(const std::stop_token& stop) {
  pthread_setname_np(pthread_self(), "halt");
  while (!stop.stop_requested()) {
    const auto received = socket_->receive(kLargestDatagram, kWait);
    if (received && *received) hear(**received);
  }
}

const SharedKey* HaltListener::key_of(const std::string& sender) {
  const auto peer = credentials_.peers->by_curve_key(sender);
  if (!peer || !identity::may_call(peer->role, method_)) return nullptr;
  const auto known = keys_.find(sender);
  if (known != keys_.end()) return &known->second;
  auto key = SharedKey::of(*credentials_.own, sender);
  if (!key) return nullptr;
  if (keys_.size() >= kMostKeys) keys_.clear();
  return &keys_.emplace(sender, *std::move(key)).first->second;
}

std::string HaltListener::challenge_for(const std::string& sender, std::int64_t period) const {
  return keyed_blake2b(secret_, std::to_string(period) + " " + sender);
}

bool HaltListener::is_challenge(const Message& message, const std::string& sender) const {
  const std::int64_t now = period_of(clock_.now());
  return message.challenge == challenge_for(sender, now) || message.challenge == challenge_for(sender, now - 1);
}

const Message* HaltListener::answer_of(const std::string& call) const {
  const auto found = std::ranges::find(answers_, call, &Message::call);
  return found == answers_.end() ? nullptr : &*found;
}

void HaltListener::hear(const os::DatagramSocket::Received& received) {
  const auto sender = claimed_sender(received.bytes);
  if (!sender) return;
  const SharedKey* const key = key_of(*sender);
  if (key == nullptr) return;
  const auto message = key->open(received.bytes);
  if (!message) return;
  if (const Message* const given = answer_of(message->call)) return socket_->send(key->seal(*given), received.from);
  Message answer{.call = message->call};
  // A halt with an old challenge may have been recorded; its sender gets a new one.
  const bool halts = message->kind == Message::Kind::kHalt && is_challenge(*message, *sender);
  if (halts) {
    auto [done, text] = halt_(escape_invalid_utf8(message->text), escape_invalid_utf8(message->by));
    answer.kind = Message::Kind::kDone;
    answer.done = done;
    answer.text = std::move(text);
    if (answers_.size() >= kMostAnswers) answers_.pop_front();
    answers_.push_back(answer);
  } else if (message->kind == Message::Kind::kAsk || message->kind == Message::Kind::kHalt) {
    answer.kind = Message::Kind::kChallenge;
    answer.challenge = challenge_for(*sender, period_of(clock_.now()));
  } else {
    return;
  }
  socket_->send(key->seal(answer), received.from);
}

}  // namespace da::halt
