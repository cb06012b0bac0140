#include "services/planner/model/retry.h"

#include <gtest/gtest.h>

namespace da::planner::model {
namespace {

const Error kBusy{Code::kUnavailable, "busy"};

TEST(Retry, WaitsLongerEachTimeAndLeavesHalfToChance) {
  const RetryRules rules;
  EXPECT_EQ(wait_before_retry(rules, {1, Milliseconds(0), kBusy, {}}, 0.0), Milliseconds(250));
  EXPECT_EQ(wait_before_retry(rules, {1, Milliseconds(0), kBusy, {}}, 0.999), Milliseconds(499));
  EXPECT_EQ(wait_before_retry(rules, {4, Milliseconds(0), kBusy, {}}, 0.0), Milliseconds(2'000));
}

TEST(Retry, NeverWaitsLongerThanTheLongest) {
  RetryRules rules;
  rules.max_tries = 100;
  EXPECT_EQ(wait_before_retry(rules, {50, Milliseconds(0), kBusy, {}}, 0.0), Milliseconds(10'000));
}

TEST(Retry, WaitsAsLongAsTheServerSays) {
  const RetryRules rules;
  EXPECT_EQ(
      wait_before_retry(rules, {1, Milliseconds(0), {Code::kResourceExhausted, "slow down"}, Milliseconds(7'000)}, 0.5),
      Milliseconds(7'000));
}

TEST(Retry, GivesUpIfTheServersWaitDoesNotFit) {
  const RetryRules rules;
  EXPECT_FALSE(wait_before_retry(rules, {1, Milliseconds(0), kBusy, Milliseconds(121'000)}, 0.5));
  EXPECT_FALSE(wait_before_retry(rules, {2, Milliseconds(119'900), kBusy, {}}, 0.5));
}

TEST(Retry, GivesUpAfterTheLastTry) {
  const RetryRules rules;
  EXPECT_TRUE(wait_before_retry(rules, {rules.max_tries - 1, Milliseconds(0), kBusy, {}}, 0.5));
  EXPECT_FALSE(wait_before_retry(rules, {rules.max_tries, Milliseconds(0), kBusy, {}}, 0.5));
}

TEST(Retry, DoesNotRetryPermanentErrors) {
  const RetryRules rules;
  for (const Code code : {Code::kUnauthenticated, Code::kPermissionDenied, Code::kInvalidArgument, Code::kNotFound,
                          Code::kFailedPrecondition, Code::kCancelled}) {
    EXPECT_FALSE(wait_before_retry(rules, {1, Milliseconds(0), {code, "no"}, {}}, 0.5)) << to_string(code);
  }
}

}  // namespace
}  // namespace da::planner::model
