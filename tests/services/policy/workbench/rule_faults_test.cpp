#include "services/policy/workbench/rule_faults.h"

#include <gmock/gmock.h>

namespace da::policy {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string rule(const std::string& name, const std::string& verdict, const std::string& conditions) {
  return "[[rule]]\nname = \"" + name + "\"\nverdict = \"" + verdict + "\"\nreason = \"because\"\n" + conditions + "\n";
}

std::vector<std::string> faults(const std::string& toml) {
  const auto rules = Rules::parse(toml, "rules.toml");
  EXPECT_TRUE(rules) << rules.error().message;
  std::vector<std::string> found;
  for (const RuleFault& fault : find_faults(*rules)) {
    found.push_back(std::to_string(fault.line) + " " + fault.rule + " " + fault.problem);
  }
  return found;
}

TEST(RuleFaults, TheShippedFileHasNone) {
  const auto rules = Rules::load(DA_SHIPPED_RULES);
  ASSERT_TRUE(rules) << rules.error().message;
  EXPECT_THAT(find_faults(*rules), IsEmpty());
}

TEST(RuleFaults, ARuleWhoseToolsLackWhatItLooksAtNeverMatches) {
  EXPECT_THAT(faults(rule("a", "deny", "match.tool = [\"mouse\"]\nmatch.text = 'x'")),
              ElementsAre("1 a can never match: mouse has no text"));
  EXPECT_THAT(faults(rule("a", "deny", "match.tool = [\"launch\"]\nmatch.window = 'x'")),
              ElementsAre("1 a can never match: launch has no window"));
  EXPECT_THAT(faults(rule("a", "deny", "match.tool = [\"list_windows\"]\nmatch.element_state = [\"password\"]")),
              ElementsAre("1 a can never match: list_windows has no element_state"));
}

TEST(RuleFaults, AToolThatIsNamedInVainIsTold) {
  EXPECT_THAT(faults(rule("a", "deny", "match.tool = [\"hotkey\", \"mouse\"]\nmatch.chord = 'x'")),
              ElementsAre("1 a names a tool that it can never match: mouse has no chord"));
}

TEST(RuleFaults, EveryConditionHasAToolThatCanMatchIt) {
  for (const std::string condition : {"window", "process", "element", "role", "chord", "text", "command", "path"}) {
    EXPECT_THAT(faults(rule("a", "deny", "match." + condition + " = 'x'")), IsEmpty()) << condition;
  }
  EXPECT_THAT(faults(rule("a", "deny", "match.element_state = [\"password\"]")), IsEmpty());
}

TEST(RuleFaults, ARuleBehindAStricterWiderOneNeverDecides) {
  EXPECT_THAT(faults(rule("wide", "deny", "match.tool = [\"scroll\", \"mouse\"]") +
                     rule("narrow", "ask", "match.tool = [\"scroll\"]\nmatch.window = 'x'")),
              ElementsAre("6 narrow never decides: \"wide\" (line 1) matches whatever it matches, and is stricter"));
  EXPECT_THAT(faults(rule("wide", "ask", "match.window = ['x', 'y']") +
                     rule("narrow", "allow", "match.tool = [\"scroll\"]\nmatch.window = 'y'")),
              ElementsAre("6 narrow never decides: \"wide\" (line 1) matches whatever it matches, and is stricter"));
}

TEST(RuleFaults, ARuleThatStillRaisesTheRiskHasItsUse) {
  EXPECT_THAT(faults(rule("wide", "ask", "match.tool = [\"scroll\"]") +
                     rule("narrow", "allow", "risk = \"critical\"\nmatch.tool = [\"scroll\"]\nmatch.window = 'x'")),
              IsEmpty());
}

TEST(RuleFaults, TwoRulesForTheSameStepsContradictEachOther) {
  EXPECT_THAT(
      faults(rule("no", "deny", "match.tool = [\"scroll\"]") + rule("yes", "allow", "match.tool = [\"scroll\"]")),
      ElementsAre("6 yes contradicts \"no\" (line 1), which states the same conditions and is stricter"));
}

TEST(RuleFaults, OfTwoRulesThatSayTheSameTheLaterIsTold) {
  EXPECT_THAT(faults(rule("a", "ask", "match.window = 'x'") + rule("b", "ask", "match.window = 'x'")),
              ElementsAre("6 b adds nothing: \"a\" (line 1) says the same of whatever it matches"));
  EXPECT_THAT(faults(rule("a", "ask", "match.window = 'x'") + rule("b", "ask", "match.tool = [\"scroll\"]")),
              IsEmpty());
}

// An allow rule needs all ends of a drag to match, a stricter one either: so the allow rule covers less than it seems.
TEST(RuleFaults, AnAllowRuleDoesNotMakeAStricterOneIdle) {
  EXPECT_THAT(faults(rule("open", "allow", "match.tool = [\"drag\"]\nmatch.window = 'x'") +
                     rule("shut", "ask", "match.tool = [\"drag\"]\nmatch.window = 'x'")),
              ElementsAre("1 open contradicts \"shut\" (line 7), which states the same conditions and is stricter"));
}

}  // namespace
}  // namespace da::policy
