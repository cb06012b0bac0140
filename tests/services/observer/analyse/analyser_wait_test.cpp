// Analyze requests that wait for a change of their regions.
#include <grpcpp/server_context.h>
#include <gtest/gtest.h>

#include "da/v1/history.pb.h"
#include "lib/bus/memory_transport.h"
#include "lib/bus/subscriber.h"
#include "lib/bus/topics.h"
#include "services/observer/analyse/analyser.h"
#include "services/observer/observer_rpc.h"
#include "tests/services/observer/fake_source.h"

namespace da::observer {
namespace {

class AnalyserWaitTest : public testing::Test {
 protected:
  AnalyserWaitTest() {
    add_region({10, 10, 50, 40});
    add_region({200, 100, 50, 40});
    source_.fill({0, 0, 640, 480}, 90);
  }

  void add_region(const Rect& area) {
    v1::RegionQuery& query = *request_.add_regions();
    *query.mutable_area() = rect_to_wire(area);
    query.set_average_colour(true);
  }

  v1::AnalyzeReply analyze() {
    auto reply = analyser_.analyze(request_, {});
    EXPECT_TRUE(reply) << reply.error().message;
    return reply ? *reply : v1::AnalyzeReply();
  }

  // Looks now, so that the next analyze() waits for a change of what was seen.
  v1::AnalyzeReply see() {
    request_.set_max_wait_ms(0);
    auto seen = analyze();
    request_.set_seen(seen.seen());
    request_.set_max_wait_ms(20'000);
    return seen;
  }

  void change(const Rect& area) { source_.fill(area, ++value_); }

  ManualClock clock_;
  FakeSource source_{{0, 0, 640, 480}, clock_};
  FrameCache frames_{source_};
  Analyser analyser_{frames_, {}};
  v1::AnalyzeRequest request_;
  std::uint8_t value_ = 100;
};

TEST_F(AnalyserWaitTest, UnchangedRegionsHaveNoResultsAndCostNoFrame) {
  const auto first = see();
  EXPECT_EQ(first.regions_size(), 2);
  EXPECT_TRUE(first.changes_reported());
  EXPECT_FALSE(first.unchanged());
  const auto frames = source_.requests.size();
  const auto second = analyze();
  EXPECT_TRUE(second.unchanged());
  EXPECT_TRUE(second.changes_reported());
  EXPECT_EQ(second.regions_size(), 0);
  EXPECT_EQ(second.seen(), first.seen());
  EXPECT_EQ(second.frame_id(), first.frame_id());
  EXPECT_EQ(source_.requests.size(), frames);
  ASSERT_EQ(source_.awaited.size(), 1U);
  EXPECT_EQ(source_.awaited[0].known_frame_id(), first.frame_id());
  EXPECT_EQ(source_.awaited[0].areas_size(), 2);
  EXPECT_TRUE(source_.awaited[0].known_windows().empty());
  EXPECT_GT(source_.awaited[0].max_wait_ms(), 10'000U);
}

TEST_F(AnalyserWaitTest, WithoutAWaitUnchangedRegionsHaveNoResultsEither) {
  see();
  request_.set_max_wait_ms(0);
  EXPECT_TRUE(analyze().unchanged());
  EXPECT_TRUE(source_.awaited.empty());
  change({210, 110, 5, 5});
  const auto changed = analyze();
  EXPECT_FALSE(changed.unchanged());
  EXPECT_EQ(changed.regions_size(), 2);
}

TEST_F(AnalyserWaitTest, ChangeDuringTheWaitIsAnswered) {
  const auto first = see();
  source_.waits.push_back([&] { change({12, 12, 5, 5}); });
  const auto second = analyze();
  EXPECT_FALSE(second.unchanged());
  EXPECT_NE(second.seen(), first.seen());
  ASSERT_EQ(second.regions_size(), 2);
  EXPECT_NE(second.regions(0).content(), first.regions(0).content());
  EXPECT_EQ(second.regions(1).content(), first.regions(1).content());
}

TEST_F(AnalyserWaitTest, ChangeBetweenTheLookAndTheCallIsNotLost) {
  const auto first = see();
  change({12, 12, 5, 5});
  const auto second = analyze();
  EXPECT_FALSE(second.unchanged());
  EXPECT_NE(second.regions(0).content(), first.regions(0).content());
}

// Another call has brought a newer frame, of which the caller has not seen the regions.
TEST_F(AnalyserWaitTest, ChangeThatAnotherCallHasFetchedIsNotLost) {
  see();
  change({12, 12, 5, 5});
  {
    const auto lock = frames_.look_for({"other", ""});
    ASSERT_TRUE(frames_.refresh({}));
  }
  EXPECT_FALSE(analyze().unchanged());
  EXPECT_TRUE(source_.awaited.empty());
}

TEST_F(AnalyserWaitTest, ChangeThatAnotherCallFetchesWhileThisOneBeginsToWaitIsNotLost) {
  see();
  source_.waits.push_back([&] {
    change({12, 12, 5, 5});
    const auto lock = frames_.look_for({"other", ""});  // Not held during a wait.
    ASSERT_TRUE(frames_.refresh({}));
  });
  EXPECT_FALSE(analyze().unchanged());
}

TEST_F(AnalyserWaitTest, ChangeOutsideOfTheRegionsIsNone) {
  see();
  source_.waits.push_back([&] { change({400, 300, 100, 100}); });
  EXPECT_TRUE(analyze().unchanged());
}

TEST_F(AnalyserWaitTest, SamePixelsDrawnAgainAreNoChangeAndKeepNoCoreBusy) {
  see();
  source_.drawn_again = true;
  request_.set_max_wait_ms(300);
  const auto frames = source_.requests.size();
  EXPECT_TRUE(analyze().unchanged());
  EXPECT_LE(source_.requests.size(), frames + 7) << "after 0, 10, 30, 70, 150, 250 and 350 ms";
}

TEST_F(AnalyserWaitTest, WindowOfARegionThatMovesIsAChange) {
  request_.clear_regions();
  v1::RegionQuery& query = *request_.add_regions();
  query.mutable_window()->set_title_pattern("dialog");
  query.mutable_window()->mutable_area()->set_width(50);
  query.mutable_window()->mutable_area()->set_height(40);
  const auto closed = see();
  EXPECT_EQ(closed.regions(0).error().code(), v1::AnalysisError::CODE_WINDOW_NOT_FOUND);
  EXPECT_TRUE(analyze().unchanged());
  source_.waits.push_back([&] {
    source_.windows.insert(source_.windows.begin(), window("dialog", {0, 0, 90, 90}, true));
  });
  const auto opened = analyze();
  EXPECT_FALSE(opened.unchanged());
  EXPECT_FALSE(opened.regions(0).has_error());
  request_.set_seen(opened.seen());
  // All pixels are equal, also at its new place.
  source_.waits.push_back([&] { source_.windows[0] = window("dialog", {100, 0, 90, 90}, true); });
  const auto moved = analyze();
  EXPECT_FALSE(moved.unchanged());
  EXPECT_EQ(moved.regions(0).content(), opened.regions(0).content());
  EXPECT_EQ(moved.regions(0).area().x(), 100);
}

TEST_F(AnalyserWaitTest, ShortestWaitPassesBeforeALook) {
  see();
  change({12, 12, 5, 5});
  request_.set_min_wait_ms(60);
  const MonoTime begun = system_clock().now();
  EXPECT_FALSE(analyze().unchanged());
  EXPECT_GE(system_clock().now() - begun, Milliseconds(60));
}

TEST_F(AnalyserWaitTest, CancelledWaitEnds) {
  see();
  std::stop_source stop;
  source_.waits.push_back([&] { stop.request_stop(); });
  const auto reply = analyser_.analyze(request_, stop.get_token());
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, Code::kCancelled);
}

TEST_F(AnalyserWaitTest, FactOfUnchangedRegionsNamesNone) {
  const auto bus = bus::MemoryBus::create();
  bus::Subscriber reader(bus->source({bus::topic_name<v1::ObserverAnswer>()}));
  bus::Publisher publisher(bus->sink(), {"observer", "fake:1"}, clock_);
  std::stop_source stop;
  Locator locator(frames_, {}, stop.get_token(), clock_);
  ObservationSource observations(frames_);
  ObserverRpc rpc(observations, locator, analyser_, frames_, publisher);
  const auto seen = see();
  grpc::ServerContext context;
  v1::AnalyzeReply reply;
  ASSERT_TRUE(rpc.Analyze(&context, &request_, &reply).ok());
  EXPECT_TRUE(reply.unchanged());
  const auto published = reader.next(system_clock().now());
  ASSERT_TRUE(published && *published);
  const auto& answer = *(*published)->as<v1::ObserverAnswer>();
  EXPECT_EQ(answer.analyze().regions_size(), 0);
  EXPECT_EQ(answer.analyze().seen(), seen.seen());
  EXPECT_TRUE(answer.analysis().unchanged());
}

}  // namespace
}  // namespace da::observer
