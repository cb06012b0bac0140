#include "lib/recording/fact_intake.h"

#include <gtest/gtest.h>

#include "da/v1/pause.pb.h"
#include "da/v1/verdict.pb.h"
#include "lib/bus/memory_transport.h"
#include "lib/bus/publisher.h"
#include "lib/bus/topics.h"

namespace da::recording {
namespace {

// A policy and what it still has, without gRPC.
struct FakePublished final : PublishedFacts {
  std::shared_ptr<const bus::FactRing> ring;
  std::uint64_t forgotten_until = 0;  // The publisher has lost these sequence numbers.
  int fetches = 0;

  std::vector<Latest> latest() override {
    if (ring == nullptr) return {};
    return {{"policy", ring->instance(), ring->last()}};
  }
  bool fetch(const std::string& writer, const bus::Gap& gap, const std::function<void(std::string)>& take) override {
    ++fetches;
    if (writer != "policy" || ring == nullptr || ring->instance() != gap.instance) return false;
    for (const auto& payload : ring->range(gap.topic, std::max(gap.from, forgotten_until + 1), gap.to)) take(*payload);
    return true;
  }
};

struct FactIntakeTest : testing::Test {
  std::shared_ptr<bus::MemoryBus> memory = bus::MemoryBus::create();
  FakePublished published;
  std::vector<std::string> reasons;  // Reasons of the verdicts that arrived.
  std::vector<v1::RecordingGap> gaps;
  FactIntake intake{memory->source(bus::all_topics(bus::Images::kWith)),
                    published,
                    {.fact =
                         [this](const RecordedFact& fact) {
                           v1::Verdict verdict;
                           EXPECT_TRUE(verdict.ParseFromString(fact.payload));
                           reasons.push_back(verdict.reason());
                         },
                     .gap = [this](v1::RecordingGap gap) { gaps.push_back(std::move(gap)); }}};
  std::unique_ptr<bus::Publisher> policy = start();

  std::unique_ptr<bus::Publisher> start() {
    auto publisher = std::make_unique<bus::Publisher>(memory->sink(), bus::Writer{"policy", "fake:1"}, system_clock());
    published.ring = publisher->ring();
    return publisher;
  }
  void publish(const std::string& reason) {
    v1::Verdict verdict;
    verdict.set_reason(reason);
    policy->publish(verdict, "t1", "");
  }
  void begin() { ASSERT_TRUE(intake.begin(system_clock().now())); }
  void read_all() {
    while (intake.read(system_clock().now()).value()) {
    }
  }
};

using Texts = std::vector<std::string>;

TEST_F(FactIntakeTest, PassesOnWhatArrives) {
  begin();
  publish("one");
  publish("two");
  read_all();
  EXPECT_EQ(reasons, (Texts{"one", "two"}));
  EXPECT_TRUE(gaps.empty());
  EXPECT_EQ(published.fetches, 0);
}

TEST_F(FactIntakeTest, FetchesWhatTheBusLost) {
  begin();
  publish("one");
  memory->drop_next(2);
  publish("two");
  publish("three");
  publish("four");
  read_all();
  EXPECT_EQ(reasons, (Texts{"one", "two", "three", "four"}));
  EXPECT_TRUE(gaps.empty());
}

TEST_F(FactIntakeTest, MarksWhatThePublisherNoLongerHas) {
  begin();
  publish("one");
  memory->drop_next(3);
  publish("two");
  publish("three");
  publish("four");
  published.forgotten_until = 3;
  publish("five");
  read_all();
  EXPECT_EQ(reasons, (Texts{"one", "four", "five"}));
  ASSERT_EQ(gaps.size(), 1u);
  EXPECT_EQ(gaps[0].topic(), "policy.verdict");
  EXPECT_EQ(gaps[0].from(), 2u);
  EXPECT_EQ(gaps[0].to(), 3u);
}

TEST_F(FactIntakeTest, AFirstFactThatIsLostIsFetchedBecauseNoneWasPublishedBefore) {
  begin();
  memory->drop_next(1);
  publish("one");
  publish("two");
  read_all();
  EXPECT_EQ(reasons, (Texts{"one", "two"}));
}

TEST_F(FactIntakeTest, FactsBeforeTheBeginningAreNotFetched) {
  memory->drop_next(1);
  publish("before");
  begin();
  publish("one");
  read_all();
  EXPECT_EQ(reasons, Texts{"one"});
  EXPECT_TRUE(gaps.empty());
}

TEST_F(FactIntakeTest, CatchingUpFetchesTheLastFactsAndTakesNoneTwice) {
  begin();
  publish("one");
  read_all();
  memory->drop_next(1);
  publish("two");
  intake.catch_up();
  EXPECT_EQ(reasons, (Texts{"one", "two"}));
  // This fact is fetched while it is still on its way.
  publish("three");
  intake.catch_up();
  read_all();
  EXPECT_EQ(reasons, (Texts{"one", "two", "three"}));
  EXPECT_TRUE(gaps.empty());
}

// Regression: of a recorder that had stood still, all that could be fetched was lost because of the facts before.
TEST_F(FactIntakeTest, FetchesFactsAfterThoseThatThePublisherHasLost) {
  begin();
  memory->drop_next(2);
  publish("one");
  publish("two");
  published.forgotten_until = 2;
  publish("three");
  read_all();
  memory->drop_next(2);
  publish("four");
  publish("five");
  publish("six");
  read_all();
  EXPECT_EQ(reasons, (Texts{"three", "four", "five", "six"}));
  ASSERT_EQ(gaps.size(), 1u);
  EXPECT_EQ(gaps[0].to(), 2u);
}

TEST_F(FactIntakeTest, APublisherThatIsStartedAgainBeginsANewSequence) {
  begin();
  publish("one");
  publish("two");
  policy = start();
  memory->drop_next(1);
  publish("again one");
  publish("again two");
  read_all();
  EXPECT_EQ(reasons, (Texts{"one", "two", "again one", "again two"}));
  EXPECT_TRUE(gaps.empty());
}

TEST_F(FactIntakeTest, LostFactsOfAnUnresponsivePublisherAreMarked) {
  begin();
  publish("one");
  memory->drop_next(1);
  publish("two");
  published.ring = nullptr;
  publish("three");
  read_all();
  EXPECT_EQ(reasons, (Texts{"one", "three"}));
  ASSERT_EQ(gaps.size(), 1u);
  EXPECT_EQ(gaps[0].from(), 2u);
  EXPECT_EQ(gaps[0].to(), 2u);
}

// Regression: TaskOpened of a policy that started after the recorder was never fetched, so its task was refused.
TEST_F(FactIntakeTest, FactsOfAPublisherThatStartsLaterAreFetchedFromItsFirstOn) {
  const auto ring = std::exchange(published.ring, nullptr);
  begin();
  published.ring = ring;
  memory->drop_next(2);
  publish("one");
  publish("two");
  publish("three");
  read_all();
  EXPECT_EQ(reasons, (Texts{"one", "two", "three"}));
}

TEST_F(FactIntakeTest, CatchingUpFetchesAllFactsOfAPublisherThatStartsLater) {
  const auto ring = std::exchange(published.ring, nullptr);
  begin();
  published.ring = ring;
  memory->drop_next(1);
  publish("one");
  intake.catch_up();
  EXPECT_EQ(reasons, Texts{"one"});
}

TEST_F(FactIntakeTest, AFactWhoseBodyCannotBeParsedIsLost) {
  begin();
  v1::Verdict verdict;
  verdict.mutable_header()->set_writer("policy");
  verdict.mutable_header()->set_instance(policy->ring()->instance());
  verdict.mutable_header()->set_sequence(1);
  const std::string cut = "\x12\xff";  // A field that ends before its length.
  memory->sink()->send(bus::Lane::kFacts, "policy.verdict",
                       std::make_shared<const std::string>(verdict.SerializeAsString() + cut));
  read_all();
  EXPECT_TRUE(reasons.empty());
  EXPECT_EQ(intake.malformed(), 1u);
}

// A hostile publisher makes a gap with each fact.
TEST_F(FactIntakeTest, APublisherThatGivesNothingIsNotAskedForEachGap) {
  begin();
  publish("one");
  published.ring = nullptr;
  for (int gap = 0; gap < 1000; ++gap) {
    memory->drop_next(1);
    publish("lost");
    publish("arrives");
  }
  read_all();
  EXPECT_EQ(reasons.size(), 1001u);
  EXPECT_EQ(gaps.size(), 1000u);
  EXPECT_LT(published.fetches, 20);
}

TEST_F(FactIntakeTest, CountsMessagesThatAreNoFacts) {
  begin();
  const auto sink = memory->sink();
  sink->send(bus::Lane::kFacts, "policy.verdict", std::make_shared<const std::string>("\xff\xff\xff"));
  sink->send(bus::Lane::kFacts, "policy.verdict", std::make_shared<const std::string>(""));
  v1::Verdict forged;
  forged.mutable_header()->set_writer("planner");
  sink->send(bus::Lane::kFacts, "policy.verdict", std::make_shared<const std::string>(forged.SerializeAsString()));
  read_all();
  EXPECT_TRUE(reasons.empty());
  EXPECT_EQ(intake.malformed(), 3u);
}

}  // namespace
}  // namespace da::recording
