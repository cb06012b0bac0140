#include <algorithm>
#include <atomic>
#include <mutex>

#include "tests/services/actuator/contract/stage.h"

namespace da::actuator::contract {
namespace {

class PersonWatchContract : public ContractTest {
 protected:
  ~PersonWatchContract() override { desktop_.person_watch().watch({}); }

  // The pointer is over the pad before the watch begins.
  void watch() {
    ASSERT_DONE(desktop_.input().move(target_.pad.center()));
    desktop_.person_watch().watch([this](PersonInput input) {
      const std::lock_guard lock(mutex_);
      seen_.push_back(input);
    });
  }
  bool saw(PersonInput input) {
    desktop_.person_watch().look();
    const std::lock_guard lock(mutex_);
    return std::ranges::find(seen_, input) != seen_.end();
  }
  bool eventually_saw(PersonInput input) {
    return stage_->eventually([&] { return saw(input); });
  }

 private:
  std::mutex mutex_;
  std::vector<PersonInput> seen_;
};

TEST_F(PersonWatchContract, OurOwnInputIsNotAPersons) {
  std::atomic<int> noticed = 0;
  desktop_.person_watch().watch([&](PersonInput) { ++noticed; });
  ASSERT_FALSE(desktop_.input().type(U"typed by us", Milliseconds(0), go_on).stopped);
  ASSERT_EQ(desktop_.input().click(target_.pad.center(), Button::kLeft, 2, Milliseconds(20), go_on).done, 2U);
  ASSERT_EQ(desktop_.input().scroll(target_.pad.center(), 0, 1, go_on).done, 1U);
  const std::vector<std::string> chord{"ctrl", "shift", "esc"};
  ASSERT_DONE(desktop_.input().chord(chord, go_on));
  EXPECT_TRUE(stage_->eventually([&] { return stage_->text("Target") == "typed by us"; }));
  desktop_.person_watch().look();
  EXPECT_EQ(noticed, 0);
  // Longer than a watch needs to find out that it has missed an input.
  ASSERT_DONE(desktop_.screen().wait_quiet(Milliseconds(2'000), system_clock().now() + Milliseconds(2'500)));
  EXPECT_EQ(desktop_.person_watch().blindness(), std::nullopt);
  desktop_.person_watch().watch({});
}

TEST_F(PersonWatchContract, APersonsKeyIsKeyboardInput) {
  watch();
  if (!stage_->act_as_person(PersonActs::kTapsKey)) GTEST_SKIP() << "nothing here can act as a person";
  EXPECT_TRUE(eventually_saw(PersonInput::kKeyboard));
  EXPECT_FALSE(saw(PersonInput::kMouse));
  EXPECT_FALSE(saw(PersonInput::kKillSwitch));
}

TEST_F(PersonWatchContract, APersonsMouseIsMouseInput) {
  watch();
  if (!stage_->act_as_person(PersonActs::kUsesMouse)) GTEST_SKIP() << "nothing here can act as a person";
  EXPECT_TRUE(eventually_saw(PersonInput::kMouse));
  EXPECT_FALSE(saw(PersonInput::kKeyboard));
  EXPECT_FALSE(saw(PersonInput::kKillSwitch));
}

TEST_F(PersonWatchContract, APersonsKillKeysAreTheKillSwitch) {
  watch();
  if (!stage_->act_as_person(PersonActs::kPressesKillKeys)) GTEST_SKIP() << "nothing here can act as a person";
  EXPECT_TRUE(eventually_saw(PersonInput::kKillSwitch));
}

// What comes after our chord shows that the watch has seen the chord.
TEST_F(PersonWatchContract, KillKeysThatWeSendAreNoKillSwitch) {
  watch();
  const std::vector<std::string> chord{"ctrl", "shift", "esc"};
  ASSERT_DONE(desktop_.input().chord(chord, go_on));
  if (!stage_->act_as_person(PersonActs::kTapsKey)) GTEST_SKIP() << "nothing here can act as a person";
  EXPECT_TRUE(eventually_saw(PersonInput::kKeyboard));
  EXPECT_FALSE(saw(PersonInput::kKillSwitch));
}

TEST_F(PersonWatchContract, NothingIsReportedAfterTheWatchHasEnded) {
  watch();
  desktop_.person_watch().watch({});
  if (!stage_->act_as_person(PersonActs::kTapsKey)) GTEST_SKIP() << "nothing here can act as a person";
  // Wait until the key has certainly arrived.
  ASSERT_DONE(desktop_.screen().wait_quiet(Milliseconds(300), stage_->deadline()));
  EXPECT_FALSE(saw(PersonInput::kKeyboard));
}

}  // namespace
}  // namespace da::actuator::contract
