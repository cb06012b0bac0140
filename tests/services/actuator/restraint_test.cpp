#include "services/actuator/restraint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/bus/memory_transport.h"
#include "lib/bus/subscriber.h"
#include "tests/temp_dir.h"

namespace da::actuator {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class RestraintTest : public testing::Test {
 protected:
  // The causes that were published since the last call; unspecified where it was not paused any more.
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
  service::HaltLatch halt_ = *service::HaltLatch::open(directory_.path() / "state");
  ManualClock clock_;
  std::shared_ptr<bus::MemoryBus> memory_ = bus::MemoryBus::create();
  bus::Publisher bus_{memory_->sink(), {"actuator", "fake:0"}, clock_};
  bus::Subscriber subscriber_{memory_->source({"actuator.pause"})};
  Restraint restraint_{halt_, bus_, clock_};
};

TEST_F(RestraintTest, PublishesEachPauseOnceAndItsEnd) {
  restraint_.pause(v1::Pause::CAUSE_PERSON, "the mouse");
  restraint_.pause(v1::Pause::CAUSE_PERSON, "the mouse again");
  restraint_.pause(v1::Pause::CAUSE_CONSOLE, "lunch");
  EXPECT_THAT(published(), ElementsAre(v1::Pause::CAUSE_PERSON));
  restraint_.pause(v1::Pause::CAUSE_SESSION_LOCKED, "a locker");
  EXPECT_THAT(published(), ElementsAre(v1::Pause::CAUSE_SESSION_LOCKED));
  ASSERT_TRUE(restraint_.resume());
  EXPECT_THAT(published(), ElementsAre(v1::Pause::CAUSE_UNSPECIFIED));
  EXPECT_FALSE(restraint_.holds());
}

TEST_F(RestraintTest, PublishesSilenceWhenItIsNoticedAndItsEnd) {
  (void)restraint_.heartbeat();
  EXPECT_THAT(published(), IsEmpty());
  clock_.advance(kLongestSilence + Milliseconds(1));
  EXPECT_EQ(restraint_.holds()->code, v1::Outcome::CODE_SUSPENDED);
  (void)restraint_.holds();
  EXPECT_THAT(published(), ElementsAre(v1::Pause::CAUSE_POLICY_SILENT));
  (void)restraint_.heartbeat();
  EXPECT_THAT(published(), ElementsAre(v1::Pause::CAUSE_UNSPECIFIED));
}

TEST_F(RestraintTest, APauseOutlivesSilence) {
  (void)restraint_.heartbeat();
  restraint_.pause(v1::Pause::CAUSE_CONSOLE, "lunch");
  clock_.advance(kLongestSilence + Milliseconds(1));
  EXPECT_EQ(restraint_.holds()->code, v1::Outcome::CODE_PAUSED);
  EXPECT_EQ(restraint_.heartbeat().pause().cause(), v1::Pause::CAUSE_CONSOLE);
  EXPECT_THAT(published(), ElementsAre(v1::Pause::CAUSE_CONSOLE));
}

TEST_F(RestraintTest, AHaltIsStrongerThanAPause) {
  restraint_.pause(v1::Pause::CAUSE_CONSOLE, "lunch");
  restraint_.halt("enough", "a test");
  EXPECT_EQ(restraint_.holds()->code, v1::Outcome::CODE_HALTED);
}

}  // namespace
}  // namespace da::actuator
