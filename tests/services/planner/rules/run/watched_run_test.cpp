// Runs of a profile that are driven by changes of the screen, on the fake desktop. Time passes only while the observer
// waits, and by its calls.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "lib/bus/memory_transport.h"
#include "lib/contract/profile_goal.h"
#include "lib/contract/task_token.h"
#include "services/planner/planner.h"
#include "services/planner/rules/run/cycle_pace.h"
#include "services/planner/rules/run/profile_task.h"
#include "services/planner/rules/run/rule_proposer.h"
#include "tests/services/planner/fake_observer.h"
#include "tests/services/planner/fake_policy.h"
#include "tests/services/planner/fake_world.h"

namespace da::planner::rules {
namespace {

using testing::HasSubstr;

constexpr const char* kPressF5 = R"({"type":"press_key","key":"f5"})";

// An OCR condition on the whole screen, whose region does not follow a window.
std::string screen_shows(const std::string& text) {
  return R"({"type":"ocr_contains_text","region":"screen","text_to_find":")" + text + R"("})";
}

std::string pressing(const std::string& name, const std::string& condition, const std::string& more = "") {
  return R"({"name":")" + name + R"(","condition":)" + condition + R"(,"actions":[)" + kPressF5 + "]" + more + "}";
}

class WatchedRunTest : public testing::Test {
 protected:
  WatchedRunTest() {
    world_.open_window({"w1", "Form", "/usr/bin/form"});
    world_.add({.id = "save", .window_id = "w1", .role = "push button", .name = "Save", .bounds = {300, 300, 80, 20}});
    observer_.on_call = [this] { world_.advance(Milliseconds(1)); };
    policy_.intercept = [this](const v1::SubmitRequest&) -> std::optional<Result<v1::SubmitReply>> {
      acted_.push_back(now());
      return std::nullopt;
    };
    begun_ = world_.clock.now();
  }

  Milliseconds now() const { return std::chrono::duration_cast<Milliseconds>(world_.clock.now() - begun_); }

  void show_after(int ms, const std::string& text) {
    world_.after(Milliseconds(ms), [this, text] {
      world_.add({.id = text, .window_id = "w1", .role = "label", .name = text, .bounds = {10, 10, 60, 20}});
    });
  }

  // Every `ms`, something else shows.
  void change_all_the_time(int ms) {
    for (int at = ms; at < 5'000; at += ms) {
      world_.after(Milliseconds(at), [this, at] { world_.element("save")->text = std::to_string(at); });
    }
  }

  v1::TaskResult run(const std::string& rules, double interval, Milliseconds run_for,
                     const std::string& settings = "") {
    v1::ProfileRun run;
    run.set_name("test.json");
    run.set_for_ms(static_cast<std::uint32_t>(run_for.count()));
    run.set_text(R"({"settings":{"monitoring_interval_seconds":)" + std::to_string(interval) + settings +
                 R"(},"regions":[{"name":"screen","x":0,"y":0,"width":1280,"height":800},)"
                 R"({"name":"form","window":"Form","x":0,"y":0,"width":0,"height":0}],"templates":[],"rules":[)" +
                 rules + "]}");
    v1::StartTaskRequest request;
    request.set_goal(contract::profile_goal(run));
    request.set_task_id("t1");
    request.set_task_token(contract::task_token("secret", request.goal()));
    request.set_planner(kProfile);
    *request.mutable_profile() = run;
    const auto started = queue_.start(request);
    EXPECT_TRUE(started) << (started ? "" : started.error().message);
    if (!started) return {};
    const auto reply = queue_.await("t1", Milliseconds(20'000));
    EXPECT_TRUE(reply && reply->ended());
    return reply ? reply->result() : v1::TaskResult();
  }

  FakeWorld world_;
  FakeObserver observer_{world_};
  FakePolicy policy_{world_};
  std::shared_ptr<bus::MemoryBus> bus_ = bus::MemoryBus::create();
  bus::Publisher publisher_{bus_->sink(), {"planner", "fake:1"}, world_.clock};
  const model::Settings models_;
  MonoTime begun_;
  std::vector<Milliseconds> acted_;  // When steps were submitted.
  Planner planner_{
      {observer_, policy_, publisher_, world_.clock, models_, [](const std::string&) { return std::nullopt; }}};
  TaskQueue& queue_ = planner_.tasks();
};

TEST_F(WatchedRunTest, ChangeOfARegionBeginsACycleBeforeTheIntervalIsOver) {
  show_after(1'500, "Finished");
  const auto ended = run(pressing("press", screen_shows("Finished"), R"(,"stop":true)"), 60, Milliseconds(50'000));
  EXPECT_EQ(ended.end(), v1::TASK_END_DONE) << ended.summary();
  ASSERT_EQ(acted_.size(), 1U);
  EXPECT_GE(acted_[0], Milliseconds(1'500));
  EXPECT_LT(acted_[0], Milliseconds(1'600));
}

TEST_F(WatchedRunTest, UnchangedScreenIsNotAskedAboutAtEachTick) {
  const auto ended = run(pressing("never", screen_shows("nowhere")), 0.2, Milliseconds(60'000));
  EXPECT_EQ(ended.end(), v1::TASK_END_DONE);
  EXPECT_THAT(ended.summary(), HasSubstr("300 cycles; no rule acted"));
  EXPECT_EQ(observer_.regions_analysed, 1);
  EXPECT_LE(observer_.analyzed.size(), 5U) << "the first look, and waits of 20 s";
}

TEST_F(WatchedRunTest, DesktopThatDoesNotReportAllDrawingIsAskedAtEachTick) {
  observer_.changes_reported = false;
  run(pressing("never", screen_shows("nowhere")), 1, Milliseconds(60'000));
  EXPECT_GE(observer_.analyzed.size(), 55U);
}

TEST_F(WatchedRunTest, RegionFollowsAWindowThatMovesDuringAWait) {
  world_.after(Milliseconds(1'500), [this] {
    world_.windows[0].bounds.x += 100;
    world_.element("save")->bounds.x += 100;
  });
  const auto ended =
      run(R"({"name":"click","condition":{"type":"ui_element","region":"form","name":"Save"},"actions":[)"
          R"({"type":"click","target_relation":"relative_to_region","target_region":"form","x":5,"y":6}]})",
          2, Milliseconds(3'500));
  EXPECT_EQ(ended.end(), v1::TASK_END_DONE) << ended.summary();
  ASSERT_EQ(policy_.submitted.size(), 2U) << ended.summary();
  EXPECT_EQ(policy_.submitted[0].step().action().mouse().x(), 5);
  EXPECT_EQ(policy_.submitted[1].step().action().mouse().x(), 105);
}

TEST_F(WatchedRunTest, RuleWhoseConditionHoldsActsOnceAnIntervalThoughTheScreenChangesAllTheTime) {
  change_all_the_time(350);  // After a step, the application is let settle.
  const auto ended = run(pressing("press", screen_shows("Save")), 1, Milliseconds(3'500));
  EXPECT_EQ(ended.end(), v1::TASK_END_DONE) << ended.summary();
  ASSERT_EQ(acted_.size(), 4U) << ended.summary();
  for (std::size_t i = 1; i < acted_.size(); ++i) EXPECT_GE(acted_[i] - acted_[i - 1], Milliseconds(990));
}

TEST_F(WatchedRunTest, RuleThatFailsCountsOnceAnIntervalThoughTheScreenChangesAllTheTime) {
  change_all_the_time(70);
  policy_.intercept = [this](const v1::SubmitRequest&) -> std::optional<Result<v1::SubmitReply>> {
    acted_.push_back(now());
    return verdict(v1::Verdict::DECISION_DENY);
  };
  const auto ended = run(pressing("press", screen_shows("Save")), 1, Milliseconds(4'500));
  EXPECT_EQ(ended.end(), v1::TASK_END_DENIED);
  ASSERT_EQ(acted_.size(), 3U);
  EXPECT_GE(acted_[2], Milliseconds(1'990));
}

TEST_F(WatchedRunTest, FailuresInARowAreNotForgottenWhileTheRuleRests) {
  change_all_the_time(70);
  const auto ended =
      run(R"({"name":"click","condition":)" + screen_shows("Save") +
              R"(,"actions":[{"type":"click","target_relation":"ui_element","name":"Nothing","role":"button"}]})",
          1, Milliseconds(4'500));
  EXPECT_EQ(ended.end(), v1::TASK_END_FAILED);
  EXPECT_THAT(ended.summary(), HasSubstr("failed 3 times in a row"));
  EXPECT_GE(now(), Milliseconds(1'990));
  EXPECT_LE(now(), Milliseconds(2'500));
}

TEST_F(WatchedRunTest, ConstantChangesBeginABoundedNumberOfCycles) {
  change_all_the_time(1);
  run(pressing("never", screen_shows("nowhere")), 60, Milliseconds(4'000));
  EXPECT_LE(observer_.regions_analysed, 4'000 / CyclePace::kShortestGap.count() + 2);
  EXPECT_GE(observer_.regions_analysed, 60) << "but they do begin cycles";
}

TEST_F(WatchedRunTest, ElementIsLookedForAtEachTickThoughNoPixelChanges) {
  world_.after(Milliseconds(2'500), [this] { world_.element("save")->checked = true; });
  const auto ended = run(pressing("press", R"({"type":"ui_element","region":"screen","name":"Save","state":"checked"})",
                                  R"(,"stop":true)"),
                         1, Milliseconds(10'000));
  EXPECT_EQ(ended.end(), v1::TASK_END_DONE) << ended.summary();
  ASSERT_EQ(acted_.size(), 1U) << ended.summary();
  EXPECT_GE(acted_[0], Milliseconds(2'500));
  EXPECT_LT(acted_[0], Milliseconds(3'600));
}

TEST_F(WatchedRunTest, ElementIsLookedForAgainAfterAChangeThoughTheTickIsFarAway) {
  show_after(500, "Finished");
  world_.after(Milliseconds(900), [this] { world_.element("save")->checked = true; });
  const auto ended = run(pressing("press", R"({"type":"ui_element","region":"screen","name":"Save","state":"checked"})",
                                  R"(,"stop":true)"),
                         60, Milliseconds(50'000));
  EXPECT_EQ(ended.end(), v1::TASK_END_DONE) << ended.summary();
  ASSERT_EQ(acted_.size(), 1U) << ended.summary();
  EXPECT_LT(acted_[0], Milliseconds(1'800));
}

TEST_F(WatchedRunTest, CooldownEndsAtATickThoughNothingChanges) {
  const auto ended =
      run(pressing("press", screen_shows("Save"), R"(,"cooldown_seconds":2.5)"), 1, Milliseconds(10'500));
  EXPECT_EQ(ended.end(), v1::TASK_END_DONE);
  ASSERT_EQ(acted_.size(), 4U) << ended.summary();
  EXPECT_GE(acted_[1] - acted_[0], Milliseconds(2'500));
  EXPECT_LE(acted_[1] - acted_[0], Milliseconds(3'200));
}

TEST_F(WatchedRunTest, ConditionThatHoldsAllTheTimeActsAtEachTick) {
  run(pressing("press", screen_shows("Save")), 1, Milliseconds(5'500));
  EXPECT_EQ(acted_.size(), 6U);
}

TEST_F(WatchedRunTest, CancelEndsAWait) {
  observer_.waits_block = true;
  std::jthread other([this] {
    while (observer_.waits == 0) std::this_thread::yield();
    while (!queue_.cancel("t1", "enough")) std::this_thread::yield();
  });
  EXPECT_EQ(run(pressing("never", screen_shows("nowhere")), 60, Milliseconds(50'000)).end(), v1::TASK_END_CANCELLED);
}

}  // namespace
}  // namespace da::planner::rules
