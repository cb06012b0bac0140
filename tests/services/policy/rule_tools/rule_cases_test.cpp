#include "services/policy/rule_tools/rule_cases.h"

#include <gmock/gmock.h>

#include "lib/os/files/files.h"

namespace da::policy {
namespace {

using testing::HasSubstr;

Rules case_rules() {
  return *Rules::parse(R"(
[[rule]]
name = "work"
verdict = "allow"
reason = "ordinary"
match.tool = ["write", "mouse", "launch", "drag", "file_delete", "press"]
[[rule]]
name = "terminals"
verdict = "ask"
reason = "runs commands"
risk = "critical"
match.process = '^xterm$'
[[rule]]
name = "passwords"
verdict = "deny"
reason = "secret"
match.element_state = ["password"]
[[rule]]
name = "removal"
verdict = "deny"
reason = "removes"
match.text = 'rm -r'
[[rule]]
name = "removal-command"
verdict = "deny"
reason = "removes"
match.tool = ["launch"]
match.command = '^rm (-r )?x$'
[[rule]]
name = "programs"
verdict = "deny"
reason = "no"
match.path = '^/usr/bin/rm$'
)",
                       "rules.toml");
}

// The error or failure of a file with one case, or "holds".
std::string tried(const std::string& keys) {
  const auto cases = parse_cases("[[case]]\nname = \"it\"\n" + keys, "cases.toml");
  if (!cases) return cases.error().message;
  return failure(case_rules(), cases->front()).value_or("holds");
}

TEST(RuleCases, FailedCaseNamesTheActualJudgement) {
  const std::string text = "tool = \"write\"\nargs = {text = \"ls\"}\nwrite_lock = \"open\"\n";
  EXPECT_EQ(tried(text + "process = \"gedit\"\nexpect = \"allow\"\nrule = \"work\"\nrisk = \"write\""), "holds");
  EXPECT_EQ(tried(text + "process = \"/usr/bin/xterm\"\nexpect = \"ask\"\nrule = \"terminals\"\nrisk = \"critical\""),
            "holds");
  EXPECT_EQ(tried(text + "process = \"xterm\"\nexpect = \"allow\""),
            "expected allow; got ask by terminals, risk critical: runs commands");
  EXPECT_EQ(tried(text + "expect = \"allow\"\nrule = \"passwords\""),
            "expected allow by passwords; got allow by work, risk write: ordinary");
}

TEST(RuleCases, TheWriteLockIsClosedUnlessItIsOpened) {
  EXPECT_EQ(tried("tool = \"write\"\nargs = {text = \"x\"}\nexpect = \"ask\"\nrule = \"write-lock\""), "holds");
}

TEST(RuleCases, PlaceKeysMeanFocusOrPointerDependingOnTheTool) {
  EXPECT_EQ(tried("tool = \"write\"\nargs = {text = \"x\"}\nelement_state = [\"password\"]\nexpect = \"deny\""),
            "holds");
  EXPECT_EQ(tried("tool = \"mouse\"\nargs = {x = 1, y = 2}\nelement_state = [\"password\"]\nexpect = \"deny\""),
            "holds");
  EXPECT_EQ(tried("tool = \"drag\"\nargs = {path = [{x = 1, y = 2}, {x = 3, y = 4}]}\nprocess = \"gedit\"\n"
                  "drop = {process = \"xterm\"}\nexpect = \"ask\"\nrule = \"terminals\""),
            "holds");
}

TEST(RuleCases, StepsAreJudgedWithWhatWasTypedBefore) {
  const std::string write = "tool = \"write\"\nargs = {text = \" -r x\"}\nwrite_lock = \"open\"\n";
  EXPECT_EQ(tried(write + "expect = \"allow\""), "holds");
  EXPECT_EQ(tried(write + "typed_before = \"rm\"\nexpect = \"deny\"\nrule = \"removal\""), "holds");
  EXPECT_EQ(tried(write + "typed_before = \"rx\\bm\"\nexpect = \"deny\"\nrule = \"removal\""), "holds");
  EXPECT_EQ(tried(write + "run_dialog = \"rm\"\nexpect = \"deny\"\nrule = \"removal-command\""), "holds");
  EXPECT_EQ(tried("tool = \"press\"\nargs = {key = \"enter\"}\nrun_dialog = \"rm x\"\nexpect = \"deny\""), "holds");
}

TEST(RuleCases, ProgramDefaultsToTheWordsOfItsCommand) {
  EXPECT_EQ(tried("tool = \"launch\"\nargs = {command = \"rm -r x\"}\nexpect = \"deny\"\nrule = \"programs\""),
            "holds");
  EXPECT_EQ(tried("tool = \"launch\"\nargs = {command = \"tidy\"}\npath = \"/usr/bin/rm\"\nexpect = \"deny\""),
            "holds");
  EXPECT_EQ(tried("tool = \"file_delete\"\nargs = {path = \"/usr/bin/rm\"}\nexpect = \"deny\""), "holds");
}

TEST(RuleCases, ErrorsNameFileLineAndKey) {
  const std::string write = "tool = \"write\"\nargs = {text = \"x\"}\n";
  EXPECT_THAT(tried(write), HasSubstr("cases.toml:1: the case has no expect"));
  EXPECT_THAT(tried(write + "expect = \"yes\""),
              HasSubstr("expect is \"yes\"; allowed are allow, ask, ask_second_factor, deny"));
  EXPECT_THAT(tried(write + "expect = \"ask\"\nwindw = \"x\""), HasSubstr("windw is unknown; allowed are tool, args"));
  EXPECT_THAT(tried("tool = \"wirte\"\nexpect = \"ask\""), HasSubstr("wirte"));
  EXPECT_THAT(tried("tool = \"write\"\nargs = {txt = \"x\"}\nexpect = \"ask\""), HasSubstr("txt"));
  EXPECT_THAT(tried(write + "expect = \"ask\"\nelement_state = [\"hot\"]"), HasSubstr("\"hot\" is unknown"));
  EXPECT_THAT(tried(write + "expect = \"ask\"\n[[case]]\nname = \"it\"\n" + write + "expect = \"ask\""),
              HasSubstr("cases.toml:6: a case called \"it\" exists already"));
  EXPECT_THAT(tried("tool = ["), HasSubstr("cases.toml:"));
  EXPECT_THAT(parse_cases("[[rule]]\nname = \"x\"", "cases.toml").error().message, HasSubstr("a list of [[case]]"));
}

TEST(RuleCases, ShippedCasesPassForTheShippedRules) {
  const auto shipped = Rules::load(DA_SHIPPED_RULES);
  ASSERT_TRUE(shipped) << shipped.error().message;
  const auto text = os::read_file(DA_SHIPPED_CASES, 1 << 20);
  ASSERT_TRUE(text) << text.error().message;
  const auto cases = parse_cases(*text, "policy_cases.toml");
  ASSERT_TRUE(cases) << cases.error().message;
  EXPECT_GE(cases->size(), 150U);
  for (const RuleCase& one : *cases) {
    const auto problem = failure(*shipped, one);
    EXPECT_FALSE(problem) << one.name << " (line " << one.line << "): " << problem.value_or("");
  }
}

}  // namespace
}  // namespace da::policy
