#include <atomic>

#include "tests/services/actuator/contract/stage.h"

namespace da::actuator::contract {
namespace {

class PersonWatchContract : public ContractTest {};

TEST_F(PersonWatchContract, OurOwnInputIsNotAPersons) {
  std::atomic<int> noticed = 0;
  desktop_.person_watch().watch([&](PersonInput) { ++noticed; });
  ASSERT_FALSE(desktop_.input().type(U"typed by us", Milliseconds(0), go_on).stopped);
  ASSERT_EQ(desktop_.input().click(target_.pad.center(), Button::kLeft, 2, Milliseconds(20), go_on).done, 2U);
  ASSERT_EQ(desktop_.input().scroll(target_.pad.center(), 0, 1, go_on).done, 1U);
  const std::vector<std::string> chord{"ctrl", "shift", "esc"};
  ASSERT_DONE(desktop_.input().chord(chord));
  EXPECT_TRUE(stage_->eventually([&] { return stage_->text("Target") == "typed by us"; }));
  desktop_.person_watch().look();
  EXPECT_EQ(noticed, 0);
  // Longer than a watch needs to find out that it has missed an input.
  ASSERT_DONE(desktop_.screen().wait_quiet(Milliseconds(2'000), system_clock().now() + Milliseconds(2'500)));
  EXPECT_EQ(desktop_.person_watch().blindness(), std::nullopt);
  desktop_.person_watch().watch({});
}

}  // namespace
}  // namespace da::actuator::contract
