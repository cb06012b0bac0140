#include "services/policy/judgement/repetitions.h"

#include <gtest/gtest.h>

namespace da::policy {
namespace {

constexpr char kRepetitionRule[] = R"(
[[rule]]
name = "often"
verdict = "ask"
reason = "too often"
match.tool = ["write"]
match.repetition = "3 in 10s"
)";

TEST(Repetitions, CountsOnlyStepsWithinTheTimeOfTheRule) {
  ManualClock clock;
  const auto rules = *Rules::parse(kRepetitionRule, "r");
  Repetitions repetitions(clock);
  const std::vector<std::string> met = {"often"};
  const auto now = repetitions.number_step();
  EXPECT_TRUE(repetitions.earlier(now, rules).empty());
  repetitions.add(repetitions.number_step(), met);
  clock.advance(std::chrono::seconds(6));
  repetitions.add(repetitions.number_step(), met);
  EXPECT_EQ(repetitions.earlier(now, rules).at("often"), 2u);
  clock.advance(std::chrono::seconds(4));
  EXPECT_EQ(repetitions.earlier(now, rules).at("often"), 1u);
}

TEST(Repetitions, StepCountsOnceForLaterStepsAndNotForItself) {
  ManualClock clock;
  const auto rules = *Rules::parse(kRepetitionRule, "r");
  Repetitions repetitions(clock);
  const std::vector<std::string> met = {"often"};
  const auto first = repetitions.number_step();
  repetitions.add(first, met);
  repetitions.add(first, met);
  EXPECT_EQ(repetitions.earlier(first, rules).at("often"), 0u);
  EXPECT_EQ(repetitions.earlier(repetitions.number_step(), rules).at("often"), 1u);
}

TEST(Repetitions, KeepsNoMoreThanARuleCanCount) {
  ManualClock clock;
  const auto rules = *Rules::parse(kRepetitionRule, "r");
  Repetitions repetitions(clock);
  const std::vector<std::string> met = {"often"};
  for (std::uint32_t i = 0; i < 3 * kMaxRepetition; ++i) repetitions.add(repetitions.number_step(), met);
  EXPECT_EQ(repetitions.earlier(repetitions.number_step(), rules).at("often"), kMaxRepetition);
}

}  // namespace
}  // namespace da::policy
