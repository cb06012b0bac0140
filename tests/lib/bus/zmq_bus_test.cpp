#include <gtest/gtest.h>

#include <filesystem>
#include <thread>

#include "da/v1/observation.pb.h"
#include "da/v1/task.pb.h"
#include "lib/base/id.h"
#include "lib/bus/publisher.h"
#include "lib/bus/subscriber.h"
#include "lib/bus/topics.h"
#include "lib/bus/zmq_transport.h"

namespace da::bus {
namespace {

class ZmqBusTest : public testing::Test {
 protected:
  ZmqBusTest() : directory_(std::filesystem::temp_directory_path() / ("da-bus-" + random_hex(6))) {
    std::filesystem::create_directory(directory_);
    endpoints_ = {"ipc://" + (directory_ / "facts").string(), "ipc://" + (directory_ / "images").string()};
  }
  ~ZmqBusTest() override { std::filesystem::remove_all(directory_); }

  std::unique_ptr<Publisher> publisher(const char* name = "observer") {
    auto sink = bind_zmq(endpoints_);
    EXPECT_TRUE(sink) << sink.error().message;
    return std::make_unique<Publisher>(*std::move(sink), Writer{name, "fake:0"}, system_clock());
  }
  Subscriber subscriber() { return Subscriber(*connect_zmq({{"observer", endpoints_}}, all_topics(Images::kWith))); }
  static MonoTime in(int ms) { return system_clock().now() + Milliseconds(ms); }

  std::filesystem::path directory_;
  Endpoints endpoints_;
};

TEST_F(ZmqBusTest, OnceInForceNothingIsMissed) {
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
  Subscriber facts_only(*connect_zmq({{"observer", {endpoints_.facts, ""}}}, all_topics(Images::kWith)));
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

TEST_F(ZmqBusTest, WithoutAPublisherTheSubscriptionIsNotInForceAndSaysWhose) {
  Subscriber reader = subscriber();
  const auto in_force = reader.wait_in_force(in(100));
  ASSERT_FALSE(in_force);
  EXPECT_EQ(in_force.error().code, Code::kDeadlineExceeded);
  EXPECT_NE(in_force.error().message.find("observer"), std::string::npos);
}

TEST_F(ZmqBusTest, AReaderFindsAPublisherThatReturns) {
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

TEST_F(ZmqBusTest, ASlowReaderSeesTheGap) {
  const auto writer = publisher();
  Subscriber reader = subscriber();
  ASSERT_TRUE(reader.wait_in_force(in(5000)));
  constexpr unsigned kSent = 60'000;
  for (unsigned i = 0; i < kSent; ++i) writer->publish(v1::Observation(), "t", "");
  unsigned received = 0;
  while (reader.next(in(300)).value()) ++received;
  writer->publish(v1::Observation(), "t", "");
  ASSERT_TRUE(reader.next(in(5000)).value());
  EXPECT_LT(received, kSent);
  EXPECT_EQ(received + reader.lost(), kSent);
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

TEST_F(ZmqBusTest, AnEndpointThatIsTakenIsAnError) {
  const auto tcp = bind_zmq({"tcp://127.0.0.1:47613", ""});
  ASSERT_TRUE(tcp) << tcp.error().message;
  EXPECT_FALSE(bind_zmq({"tcp://127.0.0.1:47613", ""}));
}

}  // namespace
}  // namespace da::bus
