#include "lib/contract/pause_order.h"

#include <gtest/gtest.h>

namespace da::contract {
namespace {

using P = v1::Pause;

TEST(PauseOrder, EachCauseOutranksThoseAfterItAndNotItself) {
  const std::vector<P::Cause> order = {P::CAUSE_SESSION_LOCKED, P::CAUSE_CONSOLE, P::CAUSE_PERSON,
                                       P::CAUSE_POLICY_SILENT};
  for (std::size_t a = 0; a < order.size(); ++a) {
    for (std::size_t b = 0; b < order.size(); ++b) EXPECT_EQ(outranks(order[a], order[b]), a < b) << a << " " << b;
  }
}

TEST(PauseOrder, AnUnknownCauseCountsAsAPersonsDecision) {
  const auto unknown = static_cast<P::Cause>(99);
  EXPECT_TRUE(outranks(unknown, P::CAUSE_PERSON));
  EXPECT_FALSE(outranks(unknown, P::CAUSE_CONSOLE));
  EXPECT_EQ(refusal_code(unknown), v1::Outcome::CODE_PAUSED);
}

TEST(PauseOrder, ALockedSessionAndASilentPolicyHaveCodesOfTheirOwn) {
  EXPECT_EQ(refusal_code(P::CAUSE_SESSION_LOCKED), v1::Outcome::CODE_SESSION_LOCKED);
  EXPECT_EQ(refusal_code(P::CAUSE_POLICY_SILENT), v1::Outcome::CODE_SUSPENDED);
  EXPECT_EQ(refusal_code(P::CAUSE_CONSOLE), v1::Outcome::CODE_PAUSED);
}

}  // namespace
}  // namespace da::contract
