#include "services/policy/judgement/rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/base/id.h"

namespace da::policy {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr char kGood[] = R"([[rule]]
name = "terminals"
verdict = "ask"
reason = "runs commands"
risk = "critical"
match.tool = ["write", "paste"]
match.process = ['^xterm$', '^konsole$']
)";

std::string error_of(const std::string& toml) {
  const auto rules = Rules::parse(toml, "p.toml");
  return rules ? "no error" : rules.error().message;
}

std::string with(const std::string& line) {
  return "[[rule]]\nname = \"n\"\nverdict = \"deny\"\nreason = \"r\"\nmatch.tool = [\"write\"]\n" + line + "\n";
}

TEST(Rules, ReadsARuleWithAllItsParts) {
  const auto rules = Rules::parse(kGood, "p.toml");
  ASSERT_TRUE(rules) << rules.error().message;
  ASSERT_EQ(rules->all().size(), 1u);
  const Rule& rule = rules->all()[0];
  EXPECT_EQ(rule.name, "terminals");
  EXPECT_EQ(rule.ruling, Ruling::kAsk);
  EXPECT_EQ(rule.raised_to, v1::RISK_CRITICAL);
  EXPECT_EQ(rule.match.tools, (std::set<std::string>{"write", "paste"}));
  EXPECT_TRUE(rule.match.process->matches("Konsole"));
  EXPECT_FALSE(rule.match.process->matches("konsole2"));
  EXPECT_FALSE(rule.match.window);
}

TEST(Rules, AcceptsConditionsAsATableToo) {
  EXPECT_TRUE(Rules::parse("[[rule]]\nname='a'\nverdict='deny'\nreason='r'\n[rule.match]\ntext='x'\n", "p.toml"));
}

TEST(Rules, ReadsExceptions) {
  const auto rules = Rules::parse(with("except.process = \"^kate$\""), "p.toml");
  ASSERT_TRUE(rules) << rules.error().message;
  EXPECT_TRUE(rules->all().front().except.front().process->matches("kate"));
  EXPECT_THAT(error_of(with("except.titel = \"x\"")), HasSubstr("unknown condition except.titel"));
  EXPECT_THAT(error_of(with("except = {}")), HasSubstr("except is empty and would exempt everything"));
}

TEST(Rules, ReadsSeveralExceptions) {
  const auto rules = Rules::parse(with("[[rule.except]]\nprocess = 'kate'\n[[rule.except]]\nwindow = 'x'"), "p.toml");
  ASSERT_TRUE(rules) << rules.error().message;
  const auto& except = rules->all().front().except;
  ASSERT_EQ(except.size(), 2U);
  EXPECT_TRUE(except[0].process->matches("kate"));
  EXPECT_TRUE(except[1].window->matches("x"));
  EXPECT_THAT(error_of(with("[[rule.except]]\nprocess = 'kate'\n[[rule.except]]")),
              HasSubstr("except is empty and would exempt everything"));
}

TEST(Rules, ReadsNamedPatternsWhereverTheyStand) {
  const std::string rule = "[[rule]]\nname='a'\nverdict='deny'\nreason='r'\nmatch.process={patterns='shells'}\n";
  const std::string lists = "[patterns]\nshells = ['^bash$', '^zsh$']\n";
  for (const auto& file : {lists + rule, rule + lists}) {
    const auto rules = Rules::parse(file, "p.toml");
    ASSERT_TRUE(rules) << rules.error().message;
    EXPECT_TRUE(rules->all().front().match.process->matches("zsh"));
    EXPECT_FALSE(rules->all().front().match.process->matches("fish"));
  }
  EXPECT_THAT(error_of(rule), StartsWith("p.toml:5:25: [patterns] has no list \"shells\""));
  EXPECT_THAT(error_of("[patterns]\nshells = ['(']\n"), StartsWith("p.toml:2:11: patterns.shells: not a valid RE2"));
  EXPECT_THAT(error_of("patterns = 1"), HasSubstr("[patterns]"));
  EXPECT_THAT(error_of(with("match.text = {pattern = 'x'}")), HasSubstr("{patterns = \"NAME\"}"));
}

TEST(Rules, VersionIsTheDigestOfTheFile) {
  EXPECT_EQ(Rules::parse(kGood, "p.toml")->version(), to_hex(blake2b(kGood)));
  EXPECT_NE(Rules::parse(std::string(kGood) + "\n", "p.toml")->version(), Rules::parse(kGood, "p.toml")->version());
}

TEST(Rules, EmptyFileAllowsNothing) {
  const auto rules = Rules::parse("", "p.toml");
  ASSERT_TRUE(rules);
  EXPECT_TRUE(rules->all().empty());
}

TEST(Rules, SyntaxErrorsCarryFileLineAndColumn) { EXPECT_THAT(error_of("\n\nx ="), StartsWith("p.toml:3:")); }

TEST(Rules, UnknownKeysAreErrorsAtEveryLevel) {
  EXPECT_THAT(error_of("rules = 1"), HasSubstr("unknown key \"rules\""));
  EXPECT_THAT(error_of(with("verdikt = \"x\"")), StartsWith("p.toml:6:"));
  EXPECT_THAT(error_of(with("match.titel = \"x\"")), HasSubstr("unknown condition match.titel"));
}

TEST(Rules, AnUnknownToolIsAnErrorThatNamesTheAllowedOnes) {
  const auto error = error_of("[[rule]]\nname='a'\nverdict='deny'\nreason='r'\nmatch.tool = [\"wriet\"]\n");
  EXPECT_THAT(error, StartsWith("p.toml:5:15: no tool is called \"wriet\""));
  EXPECT_THAT(error, HasSubstr("write"));
}

TEST(Rules, UnknownVerdictsRisksAndStatesNameTheAllowedOnes) {
  EXPECT_THAT(error_of("[[rule]]\nname='a'\nverdict='permit'\n"), HasSubstr("allow, ask, ask_second_factor, deny"));
  EXPECT_THAT(error_of(with("risk = \"safe\"")), HasSubstr("allowed are write, critical"));
  EXPECT_THAT(error_of(with("match.element_state = [\"pasword\"]")), HasSubstr("password"));
}

TEST(Rules, ABrokenPatternIsAnErrorAtItsPlace) {
  EXPECT_THAT(error_of(with("match.text = '(a'")), StartsWith("p.toml:6:14: match.text: not a valid RE2 pattern"));
  EXPECT_THAT(error_of(with("match.text = ['a',\n '(?=x)']")), StartsWith("p.toml:7:2: "));
  EXPECT_THAT(error_of(with("match.text = ''")), HasSubstr("would match everything"));
  EXPECT_THAT(error_of(with("match.text = []")), HasSubstr("empty list"));
}

TEST(Rules, WrongTypesAreErrors) {
  EXPECT_THAT(error_of(with("match.text = 3")), HasSubstr("must be a string"));
  EXPECT_THAT(error_of("rule = 1"), HasSubstr("[[rule]]"));
  EXPECT_THAT(error_of("rule = [1]"), HasSubstr("[[rule]]"));
  EXPECT_THAT(error_of("[[rule]]\nname='a'\nmatch='x'\n"), HasSubstr("table of conditions"));
}

TEST(Rules, EachRuleNeedsNameVerdictReasonAndMatch) {
  EXPECT_THAT(error_of("[[rule]]\nname='a'\nverdict='deny'\nreason='r'\n"), HasSubstr("has no match"));
  EXPECT_THAT(error_of("[[rule]]\nverdict='deny'\nreason='r'\nmatch.text='x'\n"), HasSubstr("has no name"));
  EXPECT_THAT(error_of("[[rule]]\nname='a'\nreason='r'\nmatch.text='x'\n"), HasSubstr("has no verdict"));
  EXPECT_THAT(error_of("[[rule]]\nname='a'\nverdict='deny'\nreason=' '\nmatch.text='x'\n"),
              HasSubstr("reason is empty"));
}

TEST(Rules, AnAllowRuleMustNameItsTools) {
  EXPECT_THAT(error_of("[[rule]]\nname='a'\nverdict='allow'\nreason='r'\nmatch.text='x'\n"), HasSubstr("match.tool"));
}

TEST(Rules, NamesAreUniqueAndNotReserved) {
  EXPECT_THAT(error_of(with("") + with("")), HasSubstr("exists already"));
  EXPECT_THAT(error_of("[[rule]]\nname='default'\n"), HasSubstr("is reserved by the policy"));
  EXPECT_THAT(error_of("[[rule]]\nname='A b'\n"), HasSubstr("lower case"));
}

TEST(Rules, MissingFileIsNamedInTheError) {
  const auto rules = Rules::load("/nonexistent/policy.toml");
  ASSERT_FALSE(rules);
  EXPECT_THAT(rules.error().message, HasSubstr("/nonexistent/policy.toml"));
}

TEST(Pattern, IsUnanchoredIgnoresCaseAndCrossesLines) {
  const auto pattern = Pattern::compile("über.*end");
  ASSERT_TRUE(pattern);
  EXPECT_TRUE(pattern->matches("x ÜBER\nthe END y"));
  EXPECT_FALSE(Pattern::compile("(?-i)end")->matches("END"));
}

TEST(Pattern, RefusesExpressionsThatNeedTooMuchMemory) { EXPECT_FALSE(Pattern::compile("((a{100}){100}){100}")); }

TEST(Pattern, HostileTextTakesLinearTime) {
  EXPECT_FALSE(Pattern::compile("(a+)+$")->matches(std::string(200'000, 'a') + "b"));
}

// toml++ aborted on a comment inside a table header.
TEST(Rules, ACommentInAHeaderIsAnError) {
  const auto rules = Rules::parse("[[# rule", "broken.toml");
  ASSERT_FALSE(rules);
  EXPECT_NE(rules.error().message.find("broken.toml"), std::string::npos);
}

std::string with_match(const std::string& match, const std::string& verdict = "ask") {
  return error_of("[[rule]]\nname='a'\nverdict='" + verdict + "'\nreason='r'\nmatch.tool=['write']\n" + match + "\n");
}

TEST(Rules, TimesAndRepetitionsAreChecked) {
  EXPECT_THAT(with_match("match.time='9-17'"), HasSubstr("match.time: \"9\" is not a time of day"));
  EXPECT_THAT(with_match("match.time=[]"), HasSubstr("empty list"));
  EXPECT_THAT(with_match("match.repetition='often'"), HasSubstr("it is written \"5 in 10s\""));
  EXPECT_THAT(with_match("match.repetition='1 in 10s'"), HasSubstr("counts from 2 up to 1000"));
  EXPECT_THAT(with_match("match.repetition='5 in 48h'"), HasSubstr("at most 24h"));
  EXPECT_THAT(with_match("match.repetition='5 in 10s'", "allow"), HasSubstr("repeat a step until the rule allows it"));
  EXPECT_THAT(with_match("except.repetition='5 in 10s'"), HasSubstr("belongs in match"));
  EXPECT_EQ(with_match("match.repetition='5 in 10s'\nmatch.time=['22:00-06:00','12:00-13:00']"), "no error");
}

}  // namespace
}  // namespace da::policy
