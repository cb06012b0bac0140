#include "services/console/goal_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/os/files/files.h"
#include "tests/temp_dir.h"

namespace da::console {
namespace {

using testing::HasSubstr;

Result<std::string> sentences(std::string_view goal, const Variables& variables = {}) {
  return expand_goal(goal, variables, GoalKind::kSentences);
}

TEST(GoalText, VariablesAreReplacedAndSecretsStay) {
  const Variables variables = {{"name", "Ada"}, {"file_1", "/tmp/a-b.txt"}};
  EXPECT_EQ(*sentences("type \"{{name}}: {{secret:mail}}\"; open notes {{file_1}}", variables),
            "type \"Ada: {{secret:mail}}\"; open notes /tmp/a-b.txt");
}

// A mark at the beginning made the first word unknown; a file with CR alone was one line.
TEST(GoalText, FilesOfOtherSystemsHaveTheSameLines) {
  for (const char* text : {"wait 1 second\nwait\n", "\xef\xbb\xbfwait 1 second\nwait\n", "wait 1 second\r\nwait\r\n",
                           "wait 1 second\rwait\r", "\xef\xbb\xbfwait 1 second\rwait\n"}) {
    EXPECT_EQ(plain_lines(text), "wait 1 second\nwait\n");
  }
  EXPECT_EQ(plain_lines("\n\r\n\r\r"), "\n\n\n\n");
  EXPECT_EQ(plain_lines(""), "");
}

TEST(GoalText, AnUnsetVariableIsNamedWithLineAndColumn) {
  const auto expanded = sentences("open notes\n  type \"ü{{nmae}}\"", {{"name", "x"}});
  ASSERT_FALSE(expanded);
  EXPECT_EQ(expanded.error().code, Code::kInvalidArgument);
  EXPECT_THAT(expanded.error().message, HasSubstr("line 2, column 10: {{nmae}} is not set"));
  EXPECT_THAT(expanded.error().message, HasSubstr("--set nmae=VALUE"));
}

TEST(GoalText, AValueInQuotesCannotEndItsText) {
  const Variables variables = {{"v", "a\"; delete file \"/x\\\n\tb\u201d"}};
  EXPECT_EQ(*sentences("type \"{{v}}\"", variables), "type \"a\\\"; delete file \\\"/x\\\\\\n\\tb\\\u201d\"");
}

TEST(GoalText, AValueOutsideQuotesIsOneWord) {
  for (const char* value : {"a b", "a;b", "", "a\nb", "\"a\"", "then", "a,b", "\u201ea", "a\u00a0b"}) {
    const auto expanded = sentences("open {{app}}", {{"app", value}});
    ASSERT_FALSE(expanded) << value;
    EXPECT_THAT(expanded.error().message, HasSubstr("line 1, column 6"));
    EXPECT_THAT(expanded.error().message, HasSubstr("quotation marks"));
  }
  EXPECT_EQ(*sentences("open {{app}}", {{"app", "gedit"}}), "open gedit");
}

TEST(GoalText, AnApostropheInAWordOpensNoQuote) {
  EXPECT_FALSE(sentences("open it's {{app}}", {{"app", "a b"}}));
  EXPECT_EQ(*sentences("type 'it\\'s {{app}}'", {{"app", "a b"}}), "type 'it\\'s a b'");
}

TEST(GoalText, FreeTextValuesAreInsertedUnchanged) {
  const Variables variables = {{"v", "say \"hi\"; then go"}};
  EXPECT_EQ(*expand_goal("Please {{v}}.", variables, GoalKind::kFreeText), "Please say \"hi\"; then go.");
}

TEST(GoalText, AValueIsNotSearchedForVariables) {
  EXPECT_EQ(*sentences("type \"{{a}}\"", {{"a", "{{b}}"}, {"b", "x"}}), "type \"{{b}}\"");
}

TEST(GoalText, OtherBracesStay) {
  for (const char* goal :
       {"type \"{{ }}\"", "type \"{{a b}}\"", "type \"{{1}}\"", "type \"{{a\"", "type \"{{\"", "{{"}) {
    EXPECT_EQ(*sentences(goal), goal);
  }
}

TEST(GoalText, CommentsBecomeEmptyLinesSoThatLinesKeepTheirNumbers) {
  EXPECT_EQ(*sentences("# first {{unset}}\nopen notes\n  # second\ntype \"a\""), "\nopen notes\n\ntype \"a\"");
  EXPECT_EQ(*sentences("click \"Issue #5\"  # no comment"), "click \"Issue #5\"  # no comment");
}

TEST(GoalText, ALineInAQuotedTextIsNoComment) { EXPECT_EQ(*sentences("type \"a\n# b\"\n# c"), "type \"a\n# b\"\n"); }

TEST(Variables, AreNameAndValue) {
  const auto variables = parse_variables({"a=1", "b-2==x", "c="});
  ASSERT_TRUE(variables);
  EXPECT_EQ(*variables, (Variables{{"a", "1"}, {"b-2", "=x"}, {"c", ""}}));
  for (const char* given : {"a", "=1", "1a=2", "a b=1", "\u00e4=1", ""})
    EXPECT_FALSE(parse_variables({given})) << given;
  EXPECT_THAT(parse_variables({"a=1", "a=2"}).error().message, HasSubstr("given twice"));
}

TEST(ReadGoalText, ReadsAFileOrExplainsTheError) {
  const da::test::TempDir dir;
  ASSERT_TRUE(os::write_private_file(dir.path() / "goal", "open notes\n"));
  EXPECT_EQ(*read_goal_text("", (dir.path() / "goal").string()), "open notes\n");
  EXPECT_EQ(*read_goal_text("wait 1 seconds", ""), "wait 1 seconds");
  EXPECT_EQ(read_goal_text("", (dir.path() / "none").string()).error().code, Code::kInvalidArgument);
  ASSERT_TRUE(os::write_private_file(dir.path() / "bad", "\xff"));
  EXPECT_THAT(read_goal_text("", (dir.path() / "bad").string()).error().message, HasSubstr("not UTF-8"));
}

}  // namespace
}  // namespace da::console
