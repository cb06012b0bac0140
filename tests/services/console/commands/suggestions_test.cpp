#include "services/console/commands/suggestions.h"

#include <gtest/gtest.h>

namespace da::console {
namespace {

GoalOptions with_region(std::string region) {
  GoalOptions options;
  options.suggestions = 2;
  options.regions = {std::move(region)};
  return options;
}

TEST(Suggestions, AreOffByDefault) {
  const auto decision = decision_of({});
  ASSERT_TRUE(decision);
  EXPECT_FALSE(*decision);
}

TEST(Suggestions, FollowTheFlags) {
  GoalOptions options = with_region("left = right=-10,20,300,200");
  options.suggestible_actions = {"WAIT_SHORT"};
  const auto decision = decision_of(options);
  ASSERT_TRUE(decision && *decision);
  EXPECT_EQ((**decision).max_steps(), 2u);
  EXPECT_TRUE((**decision).confirm_each_step());
  EXPECT_EQ((**decision).allowed_actions(0), "WAIT_SHORT");
  const auto& region = (**decision).regions(0);
  EXPECT_EQ(region.name(), "left = right");
  EXPECT_EQ(region.area().x(), -10);
  EXPECT_EQ(region.area().y(), 20);
  EXPECT_EQ(region.area().width(), 300u);
  EXPECT_EQ(region.area().height(), 200u);
}

TEST(Suggestions, InvalidRegionIsAnErrorThatQuotesIt) {
  for (const char* region :
       {"", "form", "form=", "=1,2,3,4", "form=1,2,3", "form=1,2,3,4,5", "form=1,2,0,4", "form=1,2,3,-4",
        "form=1,2,3,4x", "form=1, 2,3,4", "form=1,2,3,99999999999999999999", "form=999999,2,3,4"}) {
    const auto decision = decision_of(with_region(region));
    ASSERT_FALSE(decision) << region;
    EXPECT_EQ(decision.error().code, Code::kInvalidArgument);
  }
  EXPECT_NE(decision_of(with_region("f\x1b[2J")).error().message.find("f\\x1b[2J"), std::string::npos);
}

}  // namespace
}  // namespace da::console
