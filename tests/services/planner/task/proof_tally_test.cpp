// How a task's result tells which of its parts are proven.
#include "services/planner/task/proof_tally.h"

#include <gtest/gtest.h>

namespace da::planner {
namespace {

v1::TaskResult done(ProofTally& tally, std::uint32_t carried_out, const std::string& summary) {
  v1::TaskResult result;
  result.set_end(v1::TASK_END_DONE);
  result.set_summary(summary);
  tally.write(carried_out, {}, result);
  return result;
}

Part part(std::uint32_t number, const std::string& text) { return {number, 7, text}; }

TEST(ProofTally, SummaryNamesTheUnprovenSentenceAndTheReason) {
  ProofTally tally;
  for (std::uint32_t number = 1; number <= 6; ++number) tally.add(part(number, "type"), "", true, "");
  tally.add(part(7, "click \"Refresh\""), "", false, "nothing changed within 1 s");
  const auto result = done(tally, 7, "7 sentences were carried out");
  EXPECT_EQ(result.summary(),
            "7 sentences were carried out, 6 proven, 1 not: click \"Refresh\" (nothing changed within 1 s)");
  EXPECT_EQ(result.parts_carried_out(), 7u);
  EXPECT_EQ(result.parts_proven(), 6u);
  ASSERT_EQ(result.unproven_size(), 1);
  EXPECT_EQ(result.unproven(0).part(), "click \"Refresh\"");
}

TEST(ProofTally, LastStepOfASentenceDecides) {
  ProofTally tally;
  tally.add(part(1, "type \"x\" into \"City\""), "click", false, "nothing changed");
  tally.add(part(1, "type \"x\" into \"City\""), "write", true, "");
  EXPECT_EQ(done(tally, 1, "1 sentence was carried out").summary(), "1 sentence was carried out, all proven");
}

TEST(ProofTally, SentenceThatNeededNoStepCountsAsProven) {
  ProofTally tally;
  tally.add(part(1, "click"), "", false, "");
  EXPECT_EQ(done(tally, 3, "3 sentences were carried out").parts_proven(), 2u);
}

// Bug: the click that opened a list proved the optional sentence that was then left out.
TEST(ProofTally, SentenceThatWasBegunAndLeftOutDoesNotCount) {
  ProofTally tally;
  tally.add(part(1, "click"), "", true, "");
  tally.add(part(2, "optional: select"), "click", true, "");
  tally.leave_out(2);
  tally.leave_out(0);
  tally.add(part(3, "click"), "", true, "");
  const auto result = done(tally, 2, "2 sentences were carried out");
  EXPECT_EQ(result.parts_carried_out(), 2u);
  EXPECT_EQ(result.parts_proven(), 2u);
}

// Bug: the last round of a loop proved the rounds before.
TEST(ProofTally, ALoopIsProvenOnlyIfEachRoundIs) {
  for (const bool first_is_proven : {true, false}) {
    ProofTally tally;
    for (const std::uint32_t visit : {1u, 2u}) {
      Part round = part(1, "type \"x\" into \"Next\"");
      round.visit = visit;
      tally.add(round, "click", true, "");
      tally.add(round, "write", visit == 2 || first_is_proven, "nothing changed");
    }
    EXPECT_EQ(done(tally, 1, "").parts_proven(), first_is_proven ? 1u : 0u);
  }
}

TEST(ProofTally, SentenceAtWhichTheTaskStoppedDoesNotCount) {
  for (const bool proven : {true, false}) {
    ProofTally tally;
    tally.add(part(1, "click \"OK\""), "", true, "");
    tally.add(part(2, "click \"7\" in \"Letters\""), "focus \"Letters\"", proven, "");
    v1::TaskResult result;
    result.set_end(v1::TASK_END_FAILED);
    tally.write(1, part(2, "click \"7\" in \"Letters\""), result);
    EXPECT_EQ(result.parts_carried_out(), 1u);
    EXPECT_EQ(result.parts_proven(), 1u);
    EXPECT_EQ(result.unproven_size(), 0);
  }
}

TEST(ProofTally, SentenceBeforeTheOneThatFailedCounts) {
  ProofTally tally;
  tally.add(part(1, "click \"OK\""), "", false, "nothing changed");
  v1::TaskResult result;
  result.set_end(v1::TASK_END_FAILED);
  tally.write(1, part(2, "click \"7\""), result);
  EXPECT_EQ(result.parts_carried_out(), 1u);
  EXPECT_EQ(result.unproven_size(), 1);
}

TEST(ProofTally, StepsWithoutPartsAreCountedOneByOne) {
  ProofTally tally;
  tally.add({}, "click button \"OK\"", true, "");
  tally.add({}, "click button \"OK\"", false, "");
  EXPECT_EQ(done(tally, 0, "saved").summary(), "saved (2 steps, 1 proven, 1 not: click button \"OK\")");
}

TEST(ProofTally, FirstOfManyUnprovenPartsAreNamed) {
  ProofTally tally;
  for (int i = 0; i < 50; ++i) tally.add({}, "step " + std::to_string(i), false, "");
  const auto result = done(tally, 0, "done");
  EXPECT_EQ(result.unproven_size(), 20);
  EXPECT_EQ(result.parts_proven(), 0u);
  EXPECT_EQ(result.summary(), "done (50 steps, 0 proven, 50 not: step 0, step 1, step 2, and 47 more)");
}

TEST(ProofTally, ForeignTextIsEscaped) {
  ProofTally tally;
  tally.add({}, "click \x1b[31m", false, "");
  EXPECT_EQ(done(tally, 0, "done").summary().find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace da::planner
