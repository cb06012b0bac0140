#include "lib/rpc/acceptor.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <condition_variable>
#include <filesystem>
#include <vector>

#include "lib/base/id.h"

namespace da::rpc {
namespace {

constexpr os::ConnectionLimits kFew{.kept_by_kernel = std::chrono::seconds(0),
                                    .silent_of_address = 8,
                                    .silent = 16,
                                    .handshakes_of_address = 4,
                                    .open = 12,
                                    .open_of_peer = 2,
                                    .calls_of_peer = 1,
                                    .calls = 1,
                                    .highest_descriptor = 100'000};

sockaddr_in loopback(std::uint16_t port, const char* host = "127.0.0.1") {
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_port = htons(port);
  ::inet_pton(AF_INET, host, &at.sin_addr);
  return at;
}

// A port on which nobody listens at the moment.
std::uint16_t free_port() {
  const os::UniqueFd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in at = loopback(0);
  socklen_t size = sizeof at;
  EXPECT_EQ(::bind(socket.get(), reinterpret_cast<const sockaddr*>(&at), sizeof at), 0);
  EXPECT_EQ(::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&at), &size), 0);
  return ntohs(at.sin_port);
}

class AcceptorTest : public testing::Test {
 protected:
  void SetUp() override { listen(kFew); }
  void listen(const os::ConnectionLimits& limits) {
    acceptor_.reset();
    auto listening = Acceptor::listen("ipv4:127.0.0.1:" + std::to_string(port_), limits);
    ASSERT_TRUE(listening) << listening.error().message;
    acceptor_ = *std::move(listening);
    acceptor_->start([this](os::UniqueFd connection) {
      const std::lock_guard hold(mutex_);
      handed_.push_back(std::move(connection));
      changed_.notify_all();
    });
  }
  os::UniqueFd connect(const char* from = "127.0.0.1") const {
    os::UniqueFd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const sockaddr_in own = loopback(0, from);
    const sockaddr_in at = loopback(port_);
    EXPECT_EQ(::bind(socket.get(), reinterpret_cast<const sockaddr*>(&own), sizeof own), 0);
    EXPECT_EQ(::connect(socket.get(), reinterpret_cast<const sockaddr*>(&at), sizeof at), 0);
    return socket;
  }
  static void speak(const os::UniqueFd& connection) { EXPECT_EQ(::send(connection.get(), "x", 1, MSG_NOSIGNAL), 1); }
  os::UniqueFd speaking(const char* from = "127.0.0.1") const {
    os::UniqueFd connection = connect(from);
    speak(connection);
    return connection;
  }
  bool hands_on(std::size_t count) {
    std::unique_lock hold(mutex_);
    return changed_.wait_for(hold, Milliseconds(2000), [&] { return handed_.size() >= count; });
  }
  // gRPC's name of the connection.
  static std::string name_of(const os::UniqueFd& connection) {
    sockaddr_in at{};
    socklen_t size = sizeof at;
    EXPECT_EQ(::getsockname(connection.get(), reinterpret_cast<sockaddr*>(&at), &size), 0);
    char host[INET_ADDRSTRLEN] = {};
    ::inet_ntop(AF_INET, &at.sin_addr, host, sizeof host);
    return "ipv4:" + std::string(host) + ":" + std::to_string(ntohs(at.sin_port));
  }
  static bool is_ended(const os::UniqueFd& connection, int within_ms) {
    pollfd polled{connection.get(), POLLIN, 0};
    char byte = 0;
    return ::poll(&polled, 1, within_ms) == 1 && ::recv(connection.get(), &byte, 1, MSG_DONTWAIT) <= 0;
  }

  const std::uint16_t port_ = free_port();
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<os::UniqueFd> handed_;
  std::unique_ptr<Acceptor> acceptor_;
};

TEST_F(AcceptorTest, ConnectionIsHandedOnAfterFirstByte) {
  const auto connection = connect();
  EXPECT_FALSE(is_ended(connection, 50));
  EXPECT_TRUE(handed_.empty());
  speak(connection);
  EXPECT_TRUE(hands_on(1));
}

TEST_F(AcceptorTest, OldestSilentConnectionOfAddressIsClosedForNewOne) {
  const auto elsewhere = connect("127.0.0.2");
  std::vector<os::UniqueFd> silent;
  for (int i = 0; i < 200; ++i) silent.push_back(connect());
  const auto last = speaking();
  EXPECT_TRUE(hands_on(1));
  int ended = 0;
  for (const auto& one : silent) ended += is_ended(one, 0) ? 1 : 0;
  EXPECT_GE(ended, 200 - 8);
  EXPECT_FALSE(is_ended(elsewhere, 0));
}

TEST_F(AcceptorTest, SilentConnectionIsClosedAfterHandshakeTime) {
  const auto silent = connect();
  EXPECT_FALSE(is_ended(silent, 4000));
  EXPECT_TRUE(is_ended(silent, 2000));
}

TEST_F(AcceptorTest, OldestHandshakeOfAddressIsClosedForNewOne) {
  const auto elsewhere = speaking("127.0.0.2");
  std::vector<os::UniqueFd> talkers;
  for (int i = 0; i < 5; ++i) talkers.push_back(speaking());
  EXPECT_TRUE(hands_on(6));
  EXPECT_TRUE(is_ended(talkers.front(), 1000));
  EXPECT_FALSE(is_ended(talkers.back(), 50));
  EXPECT_FALSE(is_ended(elsewhere, 0));
}

// Regression: peers that stayed connected without calls kept all others out, even a console that wanted to halt.
TEST_F(AcceptorTest, OldestConnectionWithoutCallIsClosedAtTheLimit) {
  std::vector<os::UniqueFd> idle;
  for (const char* from : {"127.0.0.1", "127.0.0.2", "127.0.0.3"}) {
    for (std::size_t i = 0; i < kFew.handshakes_of_address; ++i) idle.push_back(speaking(from));
  }
  ASSERT_TRUE(hands_on(kFew.open));
  const auto late = speaking("127.0.0.4");
  EXPECT_TRUE(hands_on(kFew.open + 1));
  EXPECT_TRUE(is_ended(idle.front(), 1000));
  EXPECT_FALSE(is_ended(late, 50));
}

TEST_F(AcceptorTest, PeerWithCallsIsNotClosedForOthersAtTheLimit) {
  const auto calling = speaking("127.0.0.2");
  ASSERT_TRUE(hands_on(1));
  ASSERT_TRUE(acceptor_->assign_peer(name_of(calling), "console"));
  std::vector<os::UniqueFd> idle;
  for (const char* from : {"127.0.0.1", "127.0.0.3", "127.0.0.4"}) {
    for (std::size_t i = 0; i < kFew.handshakes_of_address; ++i) idle.push_back(speaking(from));
  }
  EXPECT_TRUE(hands_on(kFew.open + 1));
  EXPECT_FALSE(is_ended(calling, 50));
}

TEST_F(AcceptorTest, ConnectionsPerPeerAreLimited) {
  const auto one = speaking();
  const auto two = speaking();
  const auto three = speaking();
  ASSERT_TRUE(hands_on(3));
  EXPECT_TRUE(acceptor_->assign_peer(name_of(one), "planner"));
  EXPECT_TRUE(acceptor_->assign_peer(name_of(one), "planner"));
  EXPECT_TRUE(acceptor_->assign_peer(name_of(two), "planner"));
  EXPECT_FALSE(acceptor_->assign_peer(name_of(three), "planner"));
  EXPECT_TRUE(is_ended(three, 1000));
  const auto of_another = speaking();
  ASSERT_TRUE(hands_on(4));
  EXPECT_TRUE(acceptor_->assign_peer(name_of(of_another), "console"));
  handed_.erase(handed_.begin());
  const auto again = speaking();
  ASSERT_TRUE(hands_on(4));
  EXPECT_TRUE(acceptor_->assign_peer(name_of(again), "planner"));
}

TEST_F(AcceptorTest, ConnectionsBeyondTheLimitAreRefused) {
  std::vector<os::UniqueFd> open;
  for (int i = 0; i < 12; ++i) {
    open.push_back(speaking());
    ASSERT_TRUE(hands_on(open.size()));
    EXPECT_TRUE(acceptor_->assign_peer(name_of(open.back()), "peer " + std::to_string(i)));
  }
  EXPECT_TRUE(is_ended(speaking(), 1000));
  {
    const std::lock_guard hold(mutex_);
    handed_.clear();
  }
  const auto after = speaking();
  EXPECT_TRUE(hands_on(1));
}

// The descriptors for stopping stay free, and surplus connections do not stop the acceptor.
TEST_F(AcceptorTest, RecoversFromDescriptorExhaustion) {
  std::vector<os::UniqueFd> callers;
  for (int i = 0; i < 3; ++i) callers.emplace_back(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit none{.rlim_cur = 0, .rlim_max = before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
  const sockaddr_in at = loopback(port_);
  for (const auto& caller : callers)
    EXPECT_EQ(::connect(caller.get(), reinterpret_cast<const sockaddr*>(&at), sizeof at), 0);
  EXPECT_FALSE(is_ended(callers.front(), 100));
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  const auto connection = speaking();
  EXPECT_TRUE(hands_on(1));
}

TEST_F(AcceptorTest, ConnectionAboveHighestDescriptorIsClosed) {
  os::ConnectionLimits limits = kFew;
  limits.highest_descriptor = 3;
  listen(limits);
  EXPECT_TRUE(is_ended(speaking(), 1000));
}

TEST(ListeningSocketTest, ReplacesSocketFileOnlyIfNobodyListens) {
  const std::string path = (std::filesystem::temp_directory_path() / ("da-listen-" + random_hex(6))).string();
  {
    auto living = ListeningSocket::open("unix:" + path);
    ASSERT_TRUE(living);
    const auto second = ListeningSocket::open("unix:" + path);
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().code, Code::kAlreadyExists);
  }
  EXPECT_FALSE(std::filesystem::exists(path));
  {
    const os::UniqueFd dead(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_un at{};
    at.sun_family = AF_UNIX;
    path.copy(at.sun_path, sizeof at.sun_path - 1);
    ASSERT_EQ(::bind(dead.get(), reinterpret_cast<const sockaddr*>(&at), sizeof at), 0);
  }
  EXPECT_TRUE(ListeningSocket::open("unix:" + path));
}

TEST(ListeningSocketTest, ErrorExplainsInvalidAddress) {
  EXPECT_EQ(ListeningSocket::open("ipv4:127.0.0.1").error().code, Code::kInvalidArgument);
  EXPECT_EQ(ListeningSocket::open("unix:" + std::string(200, 'x')).error().code, Code::kInvalidArgument);
  const std::uint16_t port = free_port();
  const std::string address = "127.0.0.1:" + std::to_string(port);
  const auto first = ListeningSocket::open(address);
  ASSERT_TRUE(first);
  EXPECT_EQ(ListeningSocket::open(address).error().code, Code::kAlreadyExists);
}

TEST(ConnectionLimitsTest, LeaveDescriptorsForStopping) {
  for (const std::size_t descriptors : {256U, 1024U, 20'000U, 65'536U}) {
    const auto limits = os::ConnectionLimits::for_descriptors(descriptors);
    const std::size_t at_most = limits.silent + limits.open + limits.calls;
    EXPECT_LE(at_most, descriptors * 3 / 4) << descriptors;
    EXPECT_LE(limits.highest_descriptor, static_cast<int>(descriptors) - 16) << descriptors;
    EXPECT_GE(limits.open_of_peer, 8U) << descriptors;
  }
}

}  // namespace
}  // namespace da::rpc
