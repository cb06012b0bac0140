#include "services/actuator/stopping/stop_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/bus/memory_transport.h"
#include "lib/bus/subscriber.h"
#include "tests/temp_dir.h"

namespace da::actuator {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class StopStateTest : public testing::Test {
 protected:
  // The causes that were published since the last call; unspecified: the pause ended.
  std::vector<v1::Pause::Cause> published() {
    std::vector<v1::Pause::Cause> causes;
    for (;;) {
      const auto fact = subscriber_.next(system_clock().now());
      if (!fact || !*fact) return causes;
      const auto* pause = (*fact)->as<v1::ActuatorPause>();
      EXPECT_EQ(pause->paused(), pause->has_pause());
      causes.push_back(pause->pause().cause());
    }
  }

  test::TempDir directory_;
  service::StopLatch stops_ = *service::StopLatch::open(directory_.path() / "state");
  ManualClock clock_;
  std::shared_ptr<bus::MemoryBus> memory_ = bus::MemoryBus::create();
  bus::Publisher bus_{memory_->sink(), {"actuator", "fake:0"}, clock_};
  bus::Subscriber subscriber_{memory_->source({"actuator.pause"})};
  StopState stop_state_{stops_, bus_, clock_};
};

TEST_F(StopStateTest, PublishesEachPauseOnceAndItsEnd) {
  stop_state_.pause(v1::Pause::CAUSE_PERSON, "the mouse");
  stop_state_.pause(v1::Pause::CAUSE_PERSON, "the mouse again");
  EXPECT_THAT(published(), ElementsAre(v1::Pause::CAUSE_PERSON));
  stop_state_.pause(v1::Pause::CAUSE_CONSOLE, "lunch");
  stop_state_.pause(v1::Pause::CAUSE_PERSON, "the mouse once more");
  EXPECT_THAT(published(), ElementsAre(v1::Pause::CAUSE_CONSOLE));
  stop_state_.pause(v1::Pause::CAUSE_SESSION_LOCKED, "a locker");
  EXPECT_THAT(published(), ElementsAre(v1::Pause::CAUSE_SESSION_LOCKED));
  ASSERT_TRUE(stop_state_.resume());
  EXPECT_THAT(published(), ElementsAre(v1::Pause::CAUSE_UNSPECIFIED));
  EXPECT_FALSE(stop_state_.stop_reason());
}

TEST_F(StopStateTest, PublishesSilenceWhenItIsDetectedAndItsEnd) {
  (void)stop_state_.heartbeat();
  EXPECT_THAT(published(), IsEmpty());
  clock_.advance(service::kLongestSilence + Milliseconds(1));
  EXPECT_EQ(stop_state_.stop_reason()->code, v1::Outcome::CODE_SUSPENDED);
  (void)stop_state_.stop_reason();
  EXPECT_THAT(published(), ElementsAre(v1::Pause::CAUSE_POLICY_SILENT));
  (void)stop_state_.heartbeat();
  EXPECT_THAT(published(), ElementsAre(v1::Pause::CAUSE_UNSPECIFIED));
}

TEST_F(StopStateTest, PauseRemainsAfterSilenceEnds) {
  (void)stop_state_.heartbeat();
  stop_state_.pause(v1::Pause::CAUSE_CONSOLE, "lunch");
  clock_.advance(service::kLongestSilence + Milliseconds(1));
  EXPECT_EQ(stop_state_.stop_reason()->code, v1::Outcome::CODE_PAUSED);
  EXPECT_EQ(stop_state_.heartbeat().pause().cause(), v1::Pause::CAUSE_CONSOLE);
  EXPECT_THAT(published(), ElementsAre(v1::Pause::CAUSE_CONSOLE));
}

TEST_F(StopStateTest, AHaltIsStrongerThanAPause) {
  stop_state_.pause(v1::Pause::CAUSE_CONSOLE, "lunch");
  stop_state_.halt("enough", "a test");
  EXPECT_EQ(stop_state_.stop_reason()->code, v1::Outcome::CODE_HALTED);
}

}  // namespace
}  // namespace da::actuator
