#include <gtest/gtest.h>

#include <filesystem>
#include <thread>
#include <zmq.hpp>

#include "da/v1/observation.pb.h"
#include "da/v1/task.pb.h"
#include "lib/base/id.h"
#include "lib/bus/publisher.h"
#include "lib/bus/subscriber.h"
#include "lib/bus/topics.h"
#include "lib/bus/zmq_transport.h"
#include "lib/identity/permissions.h"
#include "tests/addresses.h"
#include "tests/deployment.h"
#include "tests/temp_dir.h"

namespace da::bus {
namespace {

using identity::Role;

class ZmqBusTest : public testing::Test {
 protected:
  std::unique_ptr<Publisher> publisher(const char* name = "observer") {
    auto sink = bind_zmq(endpoints_, deployment_.of(Role::kObserver));
    EXPECT_TRUE(sink) << sink.error().message;
    return std::make_unique<Publisher>(*std::move(sink), Writer{name, "fake:0"}, system_clock());
  }
  Subscriber subscriber() {
    return Subscriber(
        *connect_zmq({{Role::kObserver, endpoints_}}, all_topics(Images::kWith), deployment_.of(Role::kConsole)));
  }
  static MonoTime in(int ms) { return system_clock().now() + Milliseconds(ms); }

  da::test::Deployment deployment_;
  const da::test::TempDir directory_;
  const Endpoints endpoints_{da::test::bus_address(directory_.path(), "facts"),
                             da::test::bus_address(directory_.path(), "images")};
};

TEST_F(ZmqBusTest, NothingIsLostAfterWaitInForce) {
  for (int round = 0; round < 20; ++round) {
    const auto writer = publisher();
    Subscriber reader = subscriber();
    ASSERT_TRUE(reader.wait_in_force(in(5000)));
    for (int i = 0; i < 5; ++i) writer->publish(v1::Observation(), "t", "");
    for (unsigned i = 1; i <= 5; ++i) {
      const auto fact = reader.next(in(5000)).value();
      ASSERT_TRUE(fact);
      EXPECT_EQ(fact->header.sequence(), i);
    }
  }
}

TEST_F(ZmqBusTest, ImagesTravelOnTheirOwnSocket) {
  const auto writer = publisher();
  Subscriber facts_only(*connect_zmq({{Role::kObserver, {endpoints_.facts, ""}}}, all_topics(Images::kWith),
                                     deployment_.of(Role::kConsole)));
  Subscriber both = subscriber();
  ASSERT_TRUE(facts_only.wait_in_force(in(5000)));
  ASSERT_TRUE(both.wait_in_force(in(5000)));
  v1::ImageFact image;
  image.set_data(std::string(3 << 20, 'p'));
  writer->publish(image, "t", "");
  const auto received = both.next(in(5000)).value();
  ASSERT_TRUE(received);
  EXPECT_EQ(received->as<v1::ImageFact>()->data().size(), 3U << 20);
  EXPECT_FALSE(facts_only.next(in(50)).value().has_value());
}

TEST_F(ZmqBusTest, PublisherCannotImpersonateAnotherWriter) {
  auto sink = bind_zmq(endpoints_, deployment_.of(Role::kObserver));
  ASSERT_TRUE(sink);
  Subscriber reader = subscriber();
  ASSERT_TRUE(reader.wait_in_force(in(5000)));
  v1::Verdict forged;
  forged.mutable_header()->set_writer("policy");
  (*sink)->send(Lane::kFacts, topic_name<v1::Verdict>(),
                std::make_shared<const std::string>(forged.SerializeAsString()));
  v1::Observation own;
  own.mutable_header()->set_writer("observer");
  (*sink)->send(Lane::kFacts, topic_name<v1::Observation>(),
                std::make_shared<const std::string>(own.SerializeAsString()));
  const auto fact = reader.next(in(5000)).value();
  ASSERT_TRUE(fact);
  EXPECT_EQ(fact->topic, topic_name<v1::Observation>());
}

TEST_F(ZmqBusTest, WaitInForceTimesOutAndNamesTheMissingPublisher) {
  Subscriber reader = subscriber();
  const auto in_force = reader.wait_in_force(in(100));
  ASSERT_FALSE(in_force);
  EXPECT_EQ(in_force.error().code, Code::kDeadlineExceeded);
  EXPECT_NE(in_force.error().message.find("observer"), std::string::npos);
}

TEST_F(ZmqBusTest, ReaderReconnectsToRestartedPublisher) {
  auto writer = publisher();
  Subscriber reader = subscriber();
  ASSERT_TRUE(reader.wait_in_force(in(5000)));
  writer->publish(v1::Observation(), "first", "");
  EXPECT_EQ(reader.next(in(5000)).value()->header.task_id(), "first");
  writer.reset();
  writer = publisher();
  std::optional<Fact> fact;
  for (int i = 0; i < 100 && !fact; ++i) {
    writer->publish(v1::Observation(), "second", "");
    fact = reader.next(in(50)).value();
  }
  ASSERT_TRUE(fact);
  EXPECT_EQ(fact->header.task_id(), "second");
}

TEST_F(ZmqBusTest, SlowReaderSeesGap) {
  const auto writer = publisher();
  Subscriber reader = subscriber();
  ASSERT_TRUE(reader.wait_in_force(in(5000)));
  constexpr unsigned kSent = 60'000;
  for (unsigned i = 0; i < kSent; ++i) writer->publish(v1::Observation(), "t", "");
  std::uint64_t received = 0;
  // Facts are lost while the reader's queue is full, and so may be the first of those that mark the end.
  const MonoTime until = in(30'000);
  std::optional<Fact> fact;
  while ((!fact || fact->header.task_id() != "end") && system_clock().now() < until) {
    fact = reader.next(in(300)).value();
    if (fact) {
      ++received;
    } else {
      writer->publish(v1::Observation(), "end", "");
    }
  }
  ASSERT_TRUE(fact);
  EXPECT_LT(received, kSent);
  EXPECT_EQ(received + reader.lost(), fact->header.sequence());
}

TEST_F(ZmqBusTest, PublishesFromManyThreadsInOrder) {
  const auto writer = publisher();
  Subscriber reader = subscriber();
  ASSERT_TRUE(reader.wait_in_force(in(5000)));
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 500; ++i) writer->publish(v1::Observation(), "t", "");
    });
  }
  for (std::uint64_t i = 1; i <= 2000; ++i) {
    const auto fact = reader.next(in(5000)).value();
    ASSERT_TRUE(fact);
    ASSERT_EQ(fact->header.sequence(), i);
  }
  for (auto& thread : threads) thread.join();
}

TEST_F(ZmqBusTest, EachRoleReadsOnlyWhatThePermissionsAllow) {
  for (const Role writer : identity::kRoles) {
    const auto sink = *bind_zmq(endpoints_, deployment_.of(writer));
    for (const Role reader : identity::kRoles) {
      for (const bool images : {false, true}) {
        const Endpoints only{images ? "" : endpoints_.facts, images ? endpoints_.images : ""};
        Subscriber subscriber(*connect_zmq({{writer, only}}, all_topics(Images::kWith), deployment_.of(reader)));
        const bool may = identity::may_subscribe(reader, writer, images);
        EXPECT_EQ(subscriber.wait_in_force(in(may ? 5000 : 150)).has_value(), may)
            << to_string(reader) << " reads " << (images ? "images" : "facts") << " of " << to_string(writer);
      }
    }
  }
}

TEST_F(ZmqBusTest, UnknownKeysCannotRead) {
  const auto writer = publisher();
  const auto reads = [&](const identity::Credentials& credentials) {
    Subscriber reader(*connect_zmq({{Role::kObserver, endpoints_}}, all_topics(Images::kWith), credentials));
    return reader.wait_in_force(in(150)).has_value();
  };
  const auto known = std::make_shared<identity::KnownPeers>(deployment_.list());
  // A reader of another CA with the right server key, and a known reader with a wrong server key.
  const da::test::Deployment other;
  EXPECT_FALSE(reads({other.of(Role::kConsole).own, known}));
  auto wrong = deployment_.list();
  for (identity::Peer& peer : wrong.list) peer.curve_public = identity::make_curve_keys().public_key;
  EXPECT_FALSE(reads({deployment_.of(Role::kConsole).own, std::make_shared<identity::KnownPeers>(wrong)}));
  zmq::context_t context;
  zmq::socket_t plain(context, zmq::socket_type::sub);
  plain.set(zmq::sockopt::linger, 0);
  plain.set(zmq::sockopt::subscribe, "");
  plain.set(zmq::sockopt::rcvtimeo, 150);
  plain.connect(endpoints_.facts);
  writer->publish(v1::Observation(), "t", "");
  zmq::message_t fact;
  EXPECT_FALSE(plain.recv(fact, zmq::recv_flags::none));
  EXPECT_TRUE(subscriber().wait_in_force(in(5000)));
}

class ZmqBusEndTest : public ZmqBusTest, public testing::WithParamInterface<bool> {};

TEST_P(ZmqBusEndTest, RevokedOrExpiredReaderIsDisconnectedAndOthersReconnect) {
  const auto second = *deployment_.authority().issue(Role::kConsole, "console@second",
                                                     {system_clock().wall_now(), da::test::Deployment::kLasts});
  auto list = deployment_.list();
  list.list.push_back(deployment_.authority().peer_of(second));
  ASSERT_TRUE(deployment_.known().replace(list));
  const auto writer = publisher();
  Subscriber shut_out = subscriber();
  Subscriber other(
      *connect_zmq({{Role::kObserver, endpoints_}}, all_topics(Images::kWith),
                   {std::make_shared<const identity::Identity>(second), std::make_shared<identity::KnownPeers>(list)}));
  ASSERT_TRUE(shut_out.wait_in_force(in(5000)));
  ASSERT_TRUE(other.wait_in_force(in(5000)));
  identity::Peer& ending = list.list[static_cast<std::size_t>(Role::kConsole)];
  ending.revoked = GetParam();
  if (!ending.revoked) ending.expires = system_clock().wall_now() + Milliseconds(20);
  ASSERT_TRUE(deployment_.known().replace(list));
  while (deployment_.known().by_curve_key(ending.curve_public)) std::this_thread::yield();
  deployment_.known().notify_expired();
  // Earlier facts may still arrive, and the other reader loses facts until it has reconnected.
  int in_a_row = 0;
  for (int i = 0; i < 200 && in_a_row < 10; ++i) {
    writer->publish(v1::Observation(), "t", "");
    const bool other_reads = other.next(in(25)).value().has_value();
    const bool shut_out_reads = shut_out.next(in(25)).value().has_value();
    in_a_row = other_reads && !shut_out_reads ? in_a_row + 1 : 0;
  }
  EXPECT_EQ(in_a_row, 10);
}

INSTANTIATE_TEST_SUITE_P(ZmqBusTest, ZmqBusEndTest, testing::Bool(),
                         [](const auto& test) { return test.param ? "Revoked" : "Expired"; });

TEST_F(ZmqBusTest, NewReadersAreRefusedWhilePeersFileIsUnreadable) {
  const auto writer = publisher();
  Subscriber early = subscriber();
  ASSERT_TRUE(early.wait_in_force(in(5000)));
  deployment_.known().set_unread("too many open files");
  Subscriber late = subscriber();
  EXPECT_FALSE(late.wait_in_force(in(300)));
  writer->publish(v1::Observation(), "t", "");
  EXPECT_TRUE(early.next(in(5000)).value().has_value());
  ASSERT_TRUE(deployment_.known().replace(deployment_.list()));
  EXPECT_TRUE(subscriber().wait_in_force(in(5000)));
}

TEST_F(ZmqBusTest, BindingUsedEndpointFails) {
  // No other program's connection gets a port below 32768.
  const Endpoints used{"tcp://127.0.0.1:27613", ""};
  const auto tcp = bind_zmq(used, deployment_.of(Role::kObserver));
  ASSERT_TRUE(tcp) << tcp.error().message;
  EXPECT_FALSE(bind_zmq(used, deployment_.of(Role::kObserver)));
}

// A reader could use up the publisher's memory with subscriptions.
TEST_F(ZmqBusTest, ReaderWithTooManySubscriptionsIsDisconnected) {
  const auto writer = publisher();
  Subscriber reader = subscriber();
  ASSERT_TRUE(reader.wait_in_force(in(5000)));
  const auto console = deployment_.of(Role::kConsole);
  zmq::context_t context;
  zmq::socket_t greedy(context, zmq::socket_type::sub);
  greedy.set(zmq::sockopt::linger, 0);
  greedy.set(zmq::sockopt::sndhwm, 0);
  greedy.set(zmq::sockopt::curve_serverkey, console.peers->by_role(Role::kObserver)->curve_public);
  greedy.set(zmq::sockopt::curve_publickey, console.own->curve_public);
  greedy.set(zmq::sockopt::curve_secretkey, console.own->curve_secret);
  ASSERT_EQ(zmq_socket_monitor(greedy.handle(), "inproc://greedy", ZMQ_EVENT_DISCONNECTED), 0);
  zmq::socket_t events(context, zmq::socket_type::pair);
  events.set(zmq::sockopt::rcvtimeo, 10'000);
  events.connect("inproc://greedy");
  greedy.connect(endpoints_.facts);
  for (int i = 0; i < 6'000; ++i) greedy.set(zmq::sockopt::subscribe, "topic " + std::to_string(i));
  zmq::message_t disconnected;
  EXPECT_TRUE(events.recv(disconnected, zmq::recv_flags::none));
  greedy.close();
  // The other reader reconnects by itself.
  std::optional<Fact> fact;
  for (int i = 0; i < 100 && !fact; ++i) {
    writer->publish(v1::Observation(), "t", "");
    fact = reader.next(in(100)).value();
  }
  EXPECT_TRUE(fact);
}

}  // namespace
}  // namespace da::bus
