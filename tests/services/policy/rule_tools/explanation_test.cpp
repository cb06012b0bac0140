#include "services/policy/rule_tools/explanation.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

namespace da::policy {
namespace {

using testing::HasSubstr;
using testing::Not;

const char kExplainedRules[] = R"([[rule]]
name = "work"
verdict = "allow"
reason = "ordinary"
match.tool = ["hotkey", "wait_for"]

[[rule]]
name = "run-boxes"
verdict = "deny"
reason = "runs commands"
match.chord = '^alt\+f2$'

[[rule]]
name = "titles"
verdict = "ask"
reason = "marked"
risk = "critical"
match.tool = ["hotkey"]
match.window = 'bank'
)";

Explanation explained(const Rules& rules, const std::string& step) {
  const auto described = describe_step(nlohmann::json::parse(step));
  EXPECT_TRUE(described) << described.error().message;
  return explain(rules, *described);
}

TEST(Explanation, ShowsMatchingRulesAndTheValuesThatOthersSaw) {
  const Rules rules = *Rules::parse(kExplainedRules, "rules.toml");
  const auto text =
      to_text(explained(rules, R"({"tool": "hotkey", "args": {"keys": ["alt", "f2"]}, "window": "Notes"})"));
  EXPECT_THAT(text, HasSubstr("verdict: deny (run-boxes: runs commands)"));
  EXPECT_THAT(text, HasSubstr("matches  deny by run-boxes (line 7): chord \"alt+f2\""));
  EXPECT_THAT(text, HasSubstr("matches  allow by work (line 1): tool hotkey"));
  EXPECT_THAT(text, HasSubstr("differs  ask by titles (line 13): window \"Notes\""));
  EXPECT_THAT(text, Not(HasSubstr("raised")));
}

TEST(Explanation, SaysThatARuleRaisedTheRisk) {
  const Rules rules = *Rules::parse(kExplainedRules, "rules.toml");
  const auto explanation = explained(
      rules, R"({"tool": "hotkey", "args": {"keys": ["ctrl", "s"]}, "window": "My Bank", "write_lock": "open"})");
  EXPECT_THAT(to_text(explanation), HasSubstr("risk:    critical, raised from write"));
  const auto object = to_json(explanation);
  EXPECT_EQ(object["verdict"], "ask");
  EXPECT_EQ(object["rule"], "titles");
  EXPECT_EQ(object["rules"].size(), 3U);
  EXPECT_EQ(object["rules"][0]["name"], "titles");
  EXPECT_EQ(object["rules"][2]["failed"][0], "chord");
}

TEST(Explanation, ForeignTextCannotDrawOnTheTerminal) {
  const Rules rules = *Rules::parse(kExplainedRules, "rules.toml");
  const auto text = to_text(
      explained(rules, "{\"tool\": \"hotkey\", \"args\": {\"keys\": [\"a\"]}, \"window\": \"\\u001b[2Jx\\u202ey\"}"));
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(text, Not(HasSubstr("\xe2\x80\xae")));
}

TEST(Explanation, PlannerToolsNeedNoEvidence) {
  const Rules rules = *Rules::parse(kExplainedRules, "rules.toml");
  const auto explanation =
      explained(rules, R"({"tool": "wait_for", "args": {"text": "Saved", "secs": 5}, "window": "bank"})");
  EXPECT_EQ(explanation.judgement.decision, v1::Verdict::DECISION_ALLOW);
  EXPECT_FALSE(explanation.subject.window);
}

}  // namespace
}  // namespace da::policy
