#include "services/actuator/overlay/approval_words.h"

#include <gtest/gtest.h>
#include <re2/re2.h>

namespace da::actuator {
namespace {

v1::Action write_of(const std::string& text) {
  v1::Action action;
  action.mutable_write()->set_text(text);
  return action;
}

TEST(ApprovalWords, AreFourPronounceableWords) {
  const std::string words = ApprovalWords().of(write_of("a"), v1::Evidence());
  EXPECT_TRUE(RE2::FullMatch(words, "([bdfghjklmnprstvz][aiou][bdfghjklmnprstvz][aiou][bdfghjklmnprstvz] ?){4}"))
      << words;
}

TEST(ApprovalWords, DependOnActionAndEvidence) {
  const ApprovalWords words;
  v1::Evidence evidence;
  evidence.set_challenge("c");
  EXPECT_EQ(words.of(write_of("a"), evidence), words.of(write_of("a"), evidence));
  EXPECT_NE(words.of(write_of("a"), evidence), words.of(write_of("b"), evidence));
  EXPECT_NE(words.of(write_of("a"), evidence), words.of(write_of("a"), v1::Evidence()));
}

TEST(ApprovalWords, NobodyElseCanComputeThem) {
  EXPECT_NE(ApprovalWords().of(write_of("a"), v1::Evidence()), ApprovalWords().of(write_of("a"), v1::Evidence()));
}

}  // namespace
}  // namespace da::actuator
