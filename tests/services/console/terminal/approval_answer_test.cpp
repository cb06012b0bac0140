#include "services/console/terminal/questions/approval_answer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace da::console {
namespace {

using Word = ApprovalAnswer::Word;
using testing::HasSubstr;

TEST(ApprovalAnswer, YesAloneApproves) {
  for (const char* line : {"yes", "y", "YES", "  yes  ", "yes\t"}) {
    EXPECT_EQ(read_approval_answer(line, AsksFor::kYes).word, Word::kYes) << line;
  }
  EXPECT_EQ(read_approval_answer("Task", AsksFor::kYes).word, Word::kTask);
}

// Bug: any text after "yes" was taken for a code, and the step was approved.
TEST(ApprovalAnswer, YesWithAnythingElseApprovesNothingAndSaysWhatDoes) {
  for (const char* line :
       {"yes but do not click save", "yes no", "y n", "task no", "yes 123456", "yes, but", "yes\tno", "yes \xff"}) {
    const auto answer = read_approval_answer(line, AsksFor::kYes);
    EXPECT_EQ(answer.word, Word::kUnclear) << line;
  }
  EXPECT_THAT(read_approval_answer("yes no", AsksFor::kYes).rest, HasSubstr("\"yes\" alone approves"));
}

TEST(ApprovalAnswer, RequiredCodeIsDigits) {
  const auto answer = read_approval_answer("yes  123456 ", AsksFor::kYesAndCode);
  EXPECT_EQ(answer.word, Word::kYes);
  EXPECT_EQ(answer.rest, "123456");
  EXPECT_EQ(read_approval_answer("y 123 456", AsksFor::kYesAndCode).word, Word::kYes);
  for (const char* line :
       {"yes", "yes  ", "yes 123 4b6", "yes not now", "yes 123456 but", "yes 12a456", "yes -1", "task"}) {
    const auto unclear = read_approval_answer(line, AsksFor::kYesAndCode);
    EXPECT_EQ(unclear.word, Word::kUnclear) << line;
    EXPECT_THAT(unclear.rest, HasSubstr("code of your authenticator")) << line;
  }
}

TEST(ApprovalAnswer, DenyingWordsTakeAReason) {
  for (const AsksFor asks_for : {AsksFor::kYes, AsksFor::kYesAndCode}) {
    const std::pair<const char*, Word> denials[] = {
        {"no", Word::kNo}, {"n", Word::kNo}, {"SKIP", Word::kSkip}, {"stop", Word::kStop}};
    for (const auto& [word, meant] : denials) {
      EXPECT_EQ(read_approval_answer(word, asks_for).word, meant);
      const auto answer = read_approval_answer(std::string(word) + " yes it is wrong", asks_for);
      EXPECT_EQ(answer.word, meant);
      EXPECT_EQ(answer.rest, "yes it is wrong");
    }
  }
}

TEST(ApprovalAnswer, EditTakesArgumentsAndAQuestionMarkAsksForHelp) {
  const auto edit = read_approval_answer("edit {\"text\": \"yes\"}", AsksFor::kYes);
  EXPECT_EQ(edit.word, Word::kEdit);
  EXPECT_EQ(edit.rest, "{\"text\": \"yes\"}");
  for (const char* line : {"?", "help", "HELP"}) EXPECT_EQ(read_approval_answer(line, AsksFor::kYes).word, Word::kHelp);
}

TEST(ApprovalAnswer, AnUnknownWordIsNamedAndAnEmptyLineIsNot) {
  EXPECT_EQ(read_approval_answer("perhaps", AsksFor::kYes).rest, "not answered: \"perhaps\" is not one of these words");
  EXPECT_EQ(read_approval_answer(" ", AsksFor::kYes).rest, "");
}

TEST(ApprovalAnswer, OtherLinesAreUnclear) {
  for (const char* line : {"", " ", "yess", "perhaps", "approve", "1", "\x1b[A", "\xff"}) {
    EXPECT_EQ(read_approval_answer(line, AsksFor::kYes).word, Word::kUnclear) << line;
  }
}

}  // namespace
}  // namespace da::console
