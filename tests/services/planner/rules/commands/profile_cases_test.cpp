#include "services/planner/rules/commands/profile_cases.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/services/planner/rules/profile_files.h"

namespace da::planner::rules {
namespace {

using testing::HasSubstr;

Profile two_rules() {
  return must_read(R"({"rules": [
    {"name": "a", "condition": {"type": "always_true"}, "action": {"type": "log_message", "message": "m"}},
    {"name": "b", "condition": {"type": "always_true"}, "action": {"type": "log_message", "message": "m"}}]})");
}

Cycle acting(std::initializer_list<std::size_t> rules) {
  Cycle cycle;
  for (const std::size_t rule : rules) cycle.decisions.emplace_back().rule = rule;
  return cycle;
}

TEST(ProfileCases, ACaseHoldsIfTheExpectedRulesActAndNoOthers) {
  const Profile profile = two_rules();
  const auto cases = read_cases(
      R"({"cases": [{"image": "x.png", "expect": ["a", "b"]}, {"name": "n", "image": "y.png", "expect": []}]})",
      profile);
  ASSERT_TRUE(cases) << cases.error().message;
  ASSERT_EQ(cases->size(), 2U);
  EXPECT_EQ(cases->at(0).name, "x.png");
  EXPECT_EQ(failure_of(cases->at(0), profile, acting({0, 1})), "");
  EXPECT_EQ(failure_of(cases->at(0), profile, acting({0})), "expected \"a\", \"b\", but \"a\" acts");
  EXPECT_EQ(failure_of(cases->at(1), profile, acting({})), "");
  Cycle broken = acting({1});
  broken.errors.push_back({0, "rule \"a\": broken"});
  EXPECT_EQ(failure_of(cases->at(1), profile, broken), "expected no rule, but \"b\" acts; rule \"a\": broken");
}

TEST(ProfileCases, MistakesHaveAPlace) {
  const Profile profile = two_rules();
  const std::pair<const char*, const char*> cases[] = {
      {"{\"cases\": [\n{\"image\": \"x.png\", \"expect\": [\"c\"]}]}",
       "line 2, column 31: the profile has no rule \"c\""},
      {"{\"cases\": [{\"expect\": []}]}", "image is missing"},
      {"{\"cases\": [{\"image\": \"x\", \"expect\": \"a\"}]}", "expect must be a list"},
      {"{\"cases\": [{\"image\": \"x\", \"expcet\": [], \"expect\": []}]}", "(did you mean \"expect\"?)"},
      {"{\"cases\": []}", "cases must be a list of cases"},
      {"[", "line 1, column 2"},
  };
  for (const auto& [text, expected] : cases) {
    const auto read = read_cases(text, profile);
    ASSERT_FALSE(read) << text;
    EXPECT_THAT(read.error().message, HasSubstr(expected)) << text;
  }
}

}  // namespace
}  // namespace da::planner::rules
