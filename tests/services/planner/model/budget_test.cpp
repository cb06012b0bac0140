#include "services/planner/model/budget.h"

#include <gtest/gtest.h>

namespace da::planner::model {
namespace {

constexpr Usage kUsage{.input_tokens = 1'000, .cached_input_tokens = 400, .output_tokens = 100};

TEST(Budget, CountsCachedInputAtItsOwnPrice) {
  EXPECT_DOUBLE_EQ(cost_of(kUsage, {.input = 2, .cached_input = 0.5, .output = 10}),
                   (600 * 2 + 400 * 0.5 + 100 * 10) / 1e6);
}

TEST(Budget, CachedTokensNeverExceedInput) {
  EXPECT_GE(cost_of({.input_tokens = 1, .cached_input_tokens = 1'000'000}, {.input = 1, .cached_input = 0}), 0);
}

TEST(Budget, EachLimitIsEnforced) {
  const auto error_after_one_call = [](BudgetLimits limits) {
    Budget budget(limits);
    EXPECT_TRUE(budget.check());
    budget.add(kUsage, 0.02, Milliseconds(3'000));
    const auto checked = budget.check();
    return checked ? "(goes on)" : checked.error().message;
  };
  const BudgetLimits none{.tokens = 0, .money = 0, .calls = 0};
  EXPECT_EQ(error_after_one_call(none), "(goes on)");
  auto with = [&](auto change) {
    BudgetLimits limits = none;
    change(limits);
    return error_after_one_call(limits);
  };
  EXPECT_NE(with([](auto& l) { l.tokens = 1'100; }).find("1100 of 1100 tokens"), std::string::npos);
  EXPECT_NE(with([](auto& l) { l.money = 0.02; }).find("0.0200 of 0.0200"), std::string::npos);
  EXPECT_NE(with([](auto& l) { l.calls = 1; }).find("1 of 1 calls"), std::string::npos);
  EXPECT_NE(with([](auto& l) { l.time = std::chrono::seconds(3); }).find("3.0 of 3 s"), std::string::npos);
  EXPECT_EQ(with([](auto& l) { l.tokens = 1'101; }), "(goes on)");
}

TEST(Budget, SaysWhatWasSpent) {
  Budget budget({});
  budget.add(kUsage, 0.0123, Milliseconds(1'500));
  EXPECT_EQ(budget.spent(), "1 call, 1100 tokens, 1.5 s, cost 0.0123");
}

}  // namespace
}  // namespace da::planner::model
