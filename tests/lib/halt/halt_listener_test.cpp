#include "lib/halt/halt_listener.h"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <random>

#include "lib/halt/halt_call.h"
#include "tests/deployment.h"

namespace da::halt {
namespace {

using identity::Role;

class MovingClock final : public Clock {
 public:
  MonoTime now() const override { return system_clock().now() + ahead_.load(); }
  WallTime wall_now() const override { return system_clock().wall_now(); }
  void advance(Milliseconds time) { ahead_ = ahead_.load() + time; }

 private:
  std::atomic<Milliseconds> ahead_{Milliseconds(0)};
};

class HaltListenerTest : public testing::Test {
 protected:
  HaltListenerTest() {
    // Another program may have a port.
    for (int tries = 0; tries < 20 && !listener_; ++tries) {
      address_ = "ipv4:127.0.0.1:" + std::to_string(std::random_device()() % 20'000 + 20'000);
      auto listener = HaltListener::listen(address_, "/da.v1.Policy/Halt", deployment_.of(Role::kPolicy), clock_,
                                           [this](const std::string& reason, const std::string& by) {
                                             const std::lock_guard hold(mutex_);
                                             halts_.push_back(by + ": " + reason);
                                             return answer_;
                                           });
      if (listener) listener_ = *std::move(listener);
    }
  }

  Result<Answer> halt(Role caller, Milliseconds timeout = Milliseconds(10'000)) {
    return halt_by_datagram(address_, Role::kPolicy, deployment_.of(caller), "smoke", "ada", timeout, {});
  }
  std::vector<std::string> halts() {
    const std::lock_guard hold(mutex_);
    return halts_;
  }
  std::unique_ptr<os::DatagramSocket> socket() { return *os::DatagramSocket::connect(*os::parse_host_port(address_)); }

  test::Deployment deployment_;
  MovingClock clock_;
  std::mutex mutex_;
  Answer answer_{true, "halted"};
  std::vector<std::string> halts_;
  std::string address_;
  std::unique_ptr<HaltListener> listener_;
};

using Strings = std::vector<std::string>;

TEST_F(HaltListenerTest, ConsoleHalts) {
  const auto answer = halt(Role::kConsole);
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_TRUE(answer->done);
  EXPECT_EQ(answer->text, "halted");
  EXPECT_EQ(halts(), Strings{"ada: smoke"});
}

TEST_F(HaltListenerTest, ServiceThatCannotHaltSaysSo) {
  answer_ = {false, "the disk does not answer"};
  const auto answer = halt(Role::kConsole);
  ASSERT_TRUE(answer);
  EXPECT_FALSE(answer->done);
  EXPECT_EQ(answer->text, "the disk does not answer");
}

TEST_F(HaltListenerTest, OtherRolesAndRevokedConsolesGetNoAnswer) {
  for (const Role role : {Role::kPlanner, Role::kObserver, Role::kRecorder, Role::kActuator}) {
    EXPECT_EQ(halt(role, Milliseconds(200)).error().code, Code::kDeadlineExceeded) << to_string(role);
  }
  deployment_.revoke(Role::kConsole);
  EXPECT_EQ(halt(Role::kConsole, Milliseconds(200)).error().code, Code::kDeadlineExceeded);
  EXPECT_EQ(halts(), Strings());
}

TEST_F(HaltListenerTest, StrangersAndGarbageGetNoAnswer) {
  const test::Deployment others;
  const auto foreign =
      halt_by_datagram(address_, Role::kPolicy, others.of(Role::kConsole), "smoke", "eve", Milliseconds(200), {});
  EXPECT_FALSE(foreign);
  const auto garbage = socket();
  for (std::size_t size = 0; size < 1'200; size += 7) garbage->send(std::string(size, 'x'), "");
  EXPECT_TRUE(halt(Role::kConsole));
  EXPECT_EQ(halts(), Strings{"ada: smoke"});
}

// Somebody who recorded a halt on the network cannot halt with it later.
TEST_F(HaltListenerTest, RecordedHaltExpires) {
  const auto key = SharedKey::of(*deployment_.of(Role::kConsole).own, deployment_.of(Role::kPolicy).own->curve_public);
  const auto console = socket();
  const auto exchange = [&](const Message& message) -> Message {
    console->send(key->seal(message), "");
    const auto received = console->receive(kLargestDatagram, Milliseconds(10'000));
    return received && *received ? key->open((*received)->bytes).value_or(Message()) : Message();
  };
  Message message{.kind = Message::Kind::kAsk, .call = std::string(kCallBytes, 'a')};
  const Message challenge = exchange(message);
  ASSERT_EQ(challenge.kind, Message::Kind::kChallenge);
  message.kind = Message::Kind::kHalt;
  message.challenge = challenge.challenge;
  EXPECT_EQ(exchange(message).kind, Message::Kind::kDone);
  EXPECT_EQ(exchange(message).kind, Message::Kind::kDone) << "a repeated call gets its answer again";
  EXPECT_EQ(halts().size(), 1U);
  message.call = std::string(kCallBytes, 'b');
  message.challenge = std::string(kChallengeBytes, 'x');
  EXPECT_EQ(exchange(message).kind, Message::Kind::kChallenge) << "a challenge that was never given";
  message.challenge = challenge.challenge;
  clock_.advance(Milliseconds(11'000));
  EXPECT_EQ(exchange(message).kind, Message::Kind::kChallenge);
  EXPECT_EQ(halts().size(), 1U);
}

TEST_F(HaltListenerTest, HaltComesThroughAFloodOfDatagrams) {
  const std::jthread flood([this](const std::stop_token& stop) {
    const auto from = socket();
    std::string claims =
        SharedKey::of(*deployment_.of(Role::kConsole).own, deployment_.of(Role::kPolicy).own->curve_public)
            ->seal(Message());
    claims.back() = static_cast<char>(claims.back() ^ 1);
    while (!stop.stop_requested()) from->send(claims, "");
  });
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(halt(Role::kConsole));
}

TEST_F(HaltListenerTest, EndedListenerIsReportedOrTimesOut) {
  listener_.reset();
  const auto answer = halt(Role::kConsole, Milliseconds(300));
  ASSERT_FALSE(answer);
  EXPECT_TRUE(answer.error().code == Code::kUnavailable || answer.error().code == Code::kDeadlineExceeded);
}

TEST_F(HaltListenerTest, CancelledCallEndsAtOnce) {
  std::stop_source stop;
  stop.request_stop();
  const auto answer = halt_by_datagram(address_, Role::kPolicy, deployment_.of(Role::kConsole), "", "",
                                       Milliseconds(60'000), stop.get_token());
  EXPECT_EQ(answer.error().code, Code::kCancelled);
}

TEST_F(HaltListenerTest, UnixSocketsNeedNone) {
  const auto none = HaltListener::listen("unix:/tmp/x.sock", "/da.v1.Policy/Halt", deployment_.of(Role::kPolicy),
                                         clock_, [](const std::string&, const std::string&) { return Answer(); });
  ASSERT_TRUE(none);
  EXPECT_EQ(*none, nullptr);
}

}  // namespace
}  // namespace da::halt
