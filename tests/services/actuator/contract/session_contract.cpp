#include "tests/services/actuator/contract/stage.h"

namespace da::actuator::contract {
namespace {

class SessionContract : public ContractTest {};

TEST_F(SessionContract, NothingKeepsInputFromADesktopInUse) {
  const auto obstacle = desktop_.session().obstacle();
  ASSERT_DONE(obstacle);
  EXPECT_FALSE(obstacle->has_value()) << (*obstacle)->reason;
}

TEST_F(SessionContract, AWindowOfTheSameUserTakesInput) {
  EXPECT_TRUE(target_.window.takes_input);
  ASSERT_DONE(desktop_.input().move({target_.pad.x + 5, target_.pad.y + 5}));
}

}  // namespace
}  // namespace da::actuator::contract
