#include "services/policy/rejudging/recorded_typing.h"

#include <gtest/gtest.h>

#include "tests/services/policy/steps.h"

namespace da::policy::test {
namespace {

class RecordedTypingTest : public testing::Test {
 protected:
  void allow(const std::string& text) {
    v1::StepJudged judged;
    *judged.mutable_step() = step(write(text));
    *judged.mutable_evidence() = editor();
    typing_.allowed(judged);
  }
  void grant() {
    v1::GrantIssued granted;
    granted.mutable_claims()->set_step_id("s1");
    granted.mutable_claims()->set_grant_id("g1");
    typing_.granted(granted);
  }
  static v1::Outcome outcome(v1::Outcome::Kind kind, std::uint32_t done, std::uint32_t total) {
    v1::Outcome outcome;
    outcome.set_step_id("s1");
    outcome.set_grant_id("g1");
    outcome.set_kind(kind);
    outcome.set_done(done);
    outcome.set_total(total);
    return outcome;
  }
  std::string typed() { return typing_.before(editor()).text; }

  RecordedOutcomes outcomes_;
  RecordedTyping typing_{outcomes_};
};

TEST_F(RecordedTypingTest, AGrantedStepHasTypedItsText) {
  allow("hello");
  grant();
  EXPECT_EQ(typed(), "hello");
}

TEST_F(RecordedTypingTest, AStepWithoutAGrantHasTypedNothing) {
  allow("hello");
  EXPECT_EQ(typed(), "");
}

TEST_F(RecordedTypingTest, AnInterruptedStepHasTypedAPart) {
  ASSERT_TRUE(outcomes_.add(outcome(O::KIND_INTERRUPTED, 2, 5)));
  allow("hello");
  grant();
  EXPECT_EQ(typed(), "he");
}

TEST_F(RecordedTypingTest, ThePolicysOutcomeCountsBeforeTheActuators) {
  ASSERT_TRUE(outcomes_.add(outcome(O::KIND_INTERRUPTED, 2, 5)));
  allow("hello");
  grant();
  v1::PolicyOutcome lost;
  *lost.mutable_outcome() = outcome(O::KIND_UNKNOWN, 0, 0);
  typing_.ended(lost);
  EXPECT_EQ(typed(), "hello");
}

TEST_F(RecordedTypingTest, OutcomesWithoutAUsableGrantIdAreIgnored) {
  auto forged = outcome(O::KIND_REFUSED, 0, 0);
  forged.set_grant_id("");
  ASSERT_TRUE(outcomes_.add(forged));
  forged.set_grant_id(std::string(1'000'000, 'g'));
  ASSERT_TRUE(outcomes_.add(forged));
  EXPECT_FALSE(outcomes_.of("").has_value());
  EXPECT_FALSE(outcomes_.of(forged.grant_id()).has_value());
}

TEST_F(RecordedTypingTest, TheNumberOfOutcomesIsBounded) {
  auto refused = outcome(O::KIND_REFUSED, 0, 0);
  for (int i = 0; i < 100'000; ++i) {
    refused.set_grant_id(std::to_string(i));
    ASSERT_TRUE(outcomes_.add(refused));
  }
  refused.set_grant_id("one more");
  EXPECT_EQ(outcomes_.add(refused).error().code, Code::kResourceExhausted);
}

}  // namespace
}  // namespace da::policy::test
