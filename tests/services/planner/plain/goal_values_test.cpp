#include "services/planner/plain/language/goal_values.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "services/planner/plain/language/goal_parser.h"
#include "services/planner/tools/element_query.h"

namespace da::planner::plain {
namespace {

Sentence only(std::string_view goal) { return parse_goal(goal).value().front(); }

TEST(GoalValues, FillsNamesInQuotedTexts) {
  const Values values{{"x", "4711"}};
  const auto text = [&](std::string_view goal) {
    return std::get<TypeText>(with_values(only(goal), values).command).text;
  };
  EXPECT_EQ(text("type \"a {{x}} b {{x}}\""), "a 4711 b 4711");
  EXPECT_EQ(text("type \"{{other}} {{secret:x}} {{ x }} {{x\""), "{{other}} {{secret:x}} {{ x }} {{x");
}

TEST(GoalValues, AValueIsOnlyPartOfAName) {
  const Values values{{"x", "a\" in \"Other"}, {"y", "2nd \"OK\""}};
  const auto query = [&](std::string_view goal) {
    const Sentence filled = with_values(only(goal), values);
    return parse_element_query(std::get<std::string>(std::get<Click>(filled.command).target));
  };
  EXPECT_EQ(query("click button \"{{x}}\" in \"W\"").name, "a\" in \"Other");
  EXPECT_EQ(query("click button \"{{x}}\" in \"W\"").window, "W");
  EXPECT_EQ(query("click \"{{y}}\"").name, "2nd \"OK\"");
  EXPECT_EQ(query("click \"{{y}}\"").index, 0u);
}

TEST(GoalValues, CommandsOfOpenAreNotFilled) {
  const Sentence filled = with_values(only("open \"xterm {{x}}\""), {{"x", "-e rm"}});
  EXPECT_EQ(std::get<OpenApp>(filled.command).command, "xterm {{x}}");
}

TEST(GoalValues, TextsThatCouldPressKeysOrNameSecretsAreRefused) {
  EXPECT_EQ(value_of(" 4711 ").value(), "4711");
  for (const char* text : {"", "  ", "a\nb", "a\tb", "{{secret:mail}}", "a\x7f", "\xff"}) {
    EXPECT_EQ(value_of(text).error().code, Code::kFailedPrecondition) << text;
  }
  EXPECT_FALSE(value_of(std::string(2'000, 'a')));
}

TEST(GoalValuesProperty, AnyValueLeavesTheRestOfATargetAsItIs) {
  EXPECT_TRUE(rc::check([] {
    const auto value = *rc::gen::container<std::string>(rc::gen::inRange<char>(0x20, 0x7f));
    const Sentence filled =
        with_values(only("click 2nd button \"a{{x}}\" right of \"{{x}}b\" in \"W\""), {{"x", value}});
    const auto query = parse_element_query(std::get<std::string>(std::get<Click>(filled.command).target));
    RC_ASSERT(query.name == "a" + value);
    RC_ASSERT(query.anchor == value + "b");
    RC_ASSERT(query.window == "W");
    RC_ASSERT(query.role == "button");
    RC_ASSERT(query.index == 2u);
  }));
}

}  // namespace
}  // namespace da::planner::plain
