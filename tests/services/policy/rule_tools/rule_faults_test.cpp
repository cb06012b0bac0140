#include "services/policy/rule_tools/rule_faults.h"

#include <gmock/gmock.h>

namespace da::policy {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string rule_toml(const std::string& name, const std::string& verdict, const std::string& conditions) {
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

TEST(RuleFaults, ShippedRulesHaveNone) {
  const auto rules = Rules::load(DA_SHIPPED_RULES);
  ASSERT_TRUE(rules) << rules.error().message;
  EXPECT_THAT(find_faults(*rules), IsEmpty());
}

TEST(RuleFaults, RuleOnAFacetThatItsToolsLackNeverMatches) {
  EXPECT_THAT(faults(rule_toml("a", "deny", "match.tool = [\"mouse\"]\nmatch.text = 'x'")),
              ElementsAre("1 a can never match: mouse has no text"));
  EXPECT_THAT(faults(rule_toml("a", "deny", "match.tool = [\"launch\"]\nmatch.window = 'x'")),
              ElementsAre("1 a can never match: launch has no window"));
  EXPECT_THAT(faults(rule_toml("a", "deny", "match.tool = [\"list_windows\"]\nmatch.element_state = [\"password\"]")),
              ElementsAre("1 a can never match: list_windows has no element_state"));
}

TEST(RuleFaults, ToolThatCannotMatchIsReported) {
  EXPECT_THAT(faults(rule_toml("a", "deny", "match.tool = [\"hotkey\", \"mouse\"]\nmatch.chord = 'x'")),
              ElementsAre("1 a names a tool that it can never match: mouse has no chord"));
}

TEST(RuleFaults, EveryConditionHasAToolThatCanMatchIt) {
  for (const std::string condition : {"window", "process", "element", "role", "chord", "text", "command", "path"}) {
    EXPECT_THAT(faults(rule_toml("a", "deny", "match." + condition + " = 'x'")), IsEmpty()) << condition;
  }
  EXPECT_THAT(faults(rule_toml("a", "deny", "match.element_state = [\"password\"]")), IsEmpty());
}

TEST(RuleFaults, RuleCoveredByAStricterOneNeverDecides) {
  EXPECT_THAT(faults(rule_toml("wide", "deny", "match.tool = [\"scroll\", \"mouse\"]") +
                     rule_toml("narrow", "ask", "match.tool = [\"scroll\"]\nmatch.window = 'x'")),
              ElementsAre("6 narrow never decides: \"wide\" (line 1) matches all its steps and is stricter"));
  EXPECT_THAT(faults(rule_toml("wide", "ask", "match.window = ['x', 'y']") +
                     rule_toml("narrow", "allow", "match.tool = [\"scroll\"]\nmatch.window = 'y'")),
              ElementsAre("6 narrow never decides: \"wide\" (line 1) matches all its steps and is stricter"));
}

TEST(RuleFaults, CoveredRuleThatRaisesTheRiskIsUseful) {
  EXPECT_THAT(
      faults(rule_toml("wide", "ask", "match.tool = [\"scroll\"]") +
             rule_toml("narrow", "allow", "risk = \"critical\"\nmatch.tool = [\"scroll\"]\nmatch.window = 'x'")),
      IsEmpty());
}

TEST(RuleFaults, TwoRulesForTheSameStepsContradictEachOther) {
  EXPECT_THAT(faults(rule_toml("no", "deny", "match.tool = [\"scroll\"]") +
                     rule_toml("yes", "allow", "match.tool = [\"scroll\"]")),
              ElementsAre("6 yes contradicts \"no\" (line 1), which states the same conditions and is stricter"));
}

TEST(RuleFaults, LaterOfTwoEqualRulesIsReported) {
  EXPECT_THAT(faults(rule_toml("a", "ask", "match.window = 'x'") + rule_toml("b", "ask", "match.window = 'x'")),
              ElementsAre("6 b adds nothing: \"a\" (line 1) gives the same verdict for all its steps"));
  EXPECT_THAT(faults(rule_toml("a", "ask", "match.window = 'x'") + rule_toml("b", "ask", "match.tool = [\"scroll\"]")),
              IsEmpty());
}

// An allow rule must match both ends of a drag, a stricter rule only one, so the allow rule covers less than it seems.
TEST(RuleFaults, AllowRuleDoesNotMakeAStricterOneUseless) {
  EXPECT_THAT(faults(rule_toml("open", "allow", "match.tool = [\"drag\"]\nmatch.window = 'x'") +
                     rule_toml("shut", "ask", "match.tool = [\"drag\"]\nmatch.window = 'x'")),
              ElementsAre("1 open contradicts \"shut\" (line 7), which states the same conditions and is stricter"));
}

}  // namespace
}  // namespace da::policy
