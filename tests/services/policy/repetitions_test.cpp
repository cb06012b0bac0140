#include "services/policy/repetitions.h"

#include <gtest/gtest.h>

namespace da::policy {
namespace {

constexpr char kRules[] = R"(
[[rule]]
name = "often"
verdict = "ask"
reason = "too often"
match.tool = ["write"]
match.repetition = "3 in 10s"
)";

TEST(Repetitions, CountsWhatLiesWithinTheTimeOfTheRule) {
  ManualClock clock;
  const auto rules = *Rules::parse(kRules, "r");
  Repetitions repetitions(clock);
  const std::vector<std::string> met = {"often"};
  EXPECT_TRUE(repetitions.earlier("t", rules).empty());
  repetitions.add("t", met);
  clock.advance(std::chrono::seconds(6));
  repetitions.add("t", met);
  EXPECT_EQ(repetitions.earlier("t", rules).at("often"), 2u);
  EXPECT_TRUE(repetitions.earlier("other", rules).empty());
  clock.advance(std::chrono::seconds(4));
  EXPECT_EQ(repetitions.earlier("t", rules).at("often"), 1u);
  repetitions.forget("t");
  EXPECT_TRUE(repetitions.earlier("t", rules).empty());
}

TEST(Repetitions, KeepsNoMoreThanARuleCanCount) {
  ManualClock clock;
  const auto rules = *Rules::parse(kRules, "r");
  Repetitions repetitions(clock);
  const std::vector<std::string> met = {"often"};
  for (std::uint32_t i = 0; i < 3 * kMaxRepetition; ++i) repetitions.add("t", met);
  EXPECT_EQ(repetitions.earlier("t", rules).at("often"), kMaxRepetition);
}

}  // namespace
}  // namespace da::policy
