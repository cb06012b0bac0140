#include "lib/contract/goal_sentences.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace da::contract {
namespace {

std::string content_of(const std::string& file) {
  std::ifstream stream(std::string(DA_SOURCE_DIR) + "/" + file);
  std::ostringstream content;
  content << stream.rdbuf();
  return content.str();
}

TEST(GoalSentences, AreInTheOrderOfTheirNames) {
  for (std::size_t i = 0; i < goal_sentences().size(); ++i) {
    EXPECT_EQ(static_cast<std::size_t>(goal_sentences()[i].sentence), i);
    EXPECT_EQ(&form_of(goal_sentences()[i].sentence), &goal_sentences()[i]);
  }
}

TEST(GoalSentences, DocumentHasTheTable) {
  EXPECT_NE(content_of("docs/GOALS.md").find(goal_sentences_markdown()), std::string::npos)
      << "docs/GOALS.md is stale: put the output of  da-console sentences --markdown  there";
}

TEST(GoalSentences, HelpNamesEachSentenceWithItsExample) {
  for (const GoalSentenceForm& form : goal_sentences()) {
    EXPECT_NE(goal_sentences_help().find(form.syntax), std::string::npos) << form.syntax;
    EXPECT_NE(goal_sentences_help().find(form.example), std::string::npos) << form.example;
  }
}

}  // namespace
}  // namespace da::contract
