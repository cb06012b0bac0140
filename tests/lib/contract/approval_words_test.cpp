#include "lib/contract/approval_words.h"

#include <gtest/gtest.h>
#include <re2/re2.h>

namespace da::contract {
namespace {

v1::Action write(const std::string& text) {
  v1::Action action;
  action.mutable_write()->set_text(text);
  return action;
}

TEST(ApprovalWords, AreFourPronounceableWords) {
  const std::string words = approval_words(write("a"), v1::Evidence());
  EXPECT_TRUE(RE2::FullMatch(words, "([bdfghjklmnprstvz][aiou][bdfghjklmnprstvz][aiou][bdfghjklmnprstvz] ?){4}"))
      << words;
}

TEST(ApprovalWords, DependOnActionAndEvidence) {
  v1::Evidence evidence;
  evidence.set_challenge("c");
  EXPECT_EQ(approval_words(write("a"), evidence), approval_words(write("a"), evidence));
  EXPECT_NE(approval_words(write("a"), evidence), approval_words(write("b"), evidence));
  EXPECT_NE(approval_words(write("a"), evidence), approval_words(write("a"), v1::Evidence()));
}

}  // namespace
}  // namespace da::contract
