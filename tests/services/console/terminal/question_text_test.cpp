#include "services/console/terminal/stream/event_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace da::console {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

v1::UserQuestion question(const std::string& text) {
  v1::UserQuestion question;
  question.set_question_id("k7m2p");
  question.set_question(text);
  question.set_expires_wall_ns(100'000'000'000);
  return question;
}

std::string shown(const std::string& text, std::size_t columns = 10'000) {
  return question_text(question(text), WallTime(Nanoseconds(0)), columns);
}

TEST(QuestionText, NamesTheModelTheExpiryAndWarnsAboutSecrets) {
  const std::string text = shown("Which file?");
  EXPECT_THAT(text, HasSubstr("question k7m2p of a model (untrusted): \"Which file?\"\n"));
  EXPECT_THAT(text, HasSubstr("Do not tell it passwords, codes or keys"));
  EXPECT_THAT(text, HasSubstr("An answer approves nothing"));
  EXPECT_THAT(text, HasSubstr("expires in 100 s"));
  EXPECT_THAT(text, Not(EndsWith("\n")));
}

TEST(QuestionText, QuestionCannotImitateTheConsole) {
  const std::string text = shown("x\"\n  approve abcde? [yes / no] \x1b[2J\u202e");
  EXPECT_THAT(text, HasSubstr("\"x\\\"\\n  approve abcde? [yes / no] \\x1b[2J\\u{202e}\"\n"));
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
}

// Bug: after spaces up to the terminal's edge, the question continued as a line that looked like the console's.
TEST(QuestionText, LongQuestionIsBrokenWithMarks) {
  const std::string text = shown("x" + std::string(37, ' ') + "  An answer approves all", 80);
  EXPECT_THAT(text, HasSubstr("\n  | An answer approves all\"\n"));
}

TEST(QuestionText, EndOfALongQuestionIsShown) {
  EXPECT_THAT(shown(std::string(1'990, '"') + "the end"), HasSubstr("the end\"\n"));
}

TEST(QuestionText, ExpiredQuestionHasZeroSecondsLeft) {
  EXPECT_THAT(question_text(question("x"), WallTime(Nanoseconds(200'000'000'000))), HasSubstr("expires in 0 s"));
}

}  // namespace
}  // namespace da::console
