#include "lib/contract/repetition.h"

#include <gtest/gtest.h>

namespace da::contract {
namespace {

Repetition repetition_of_answer(v1::CommandAnswer::Result result, bool begun = false) {
  v1::CommandAnswer answer;
  answer.set_result(result);
  answer.set_begun(begun);
  return repetition_of(answer);
}

TEST(Repetition, OnlyWhatWasRefusedMayBeRepeatedUnseen) {
  const auto* kinds = v1::Outcome::Kind_descriptor();
  for (int i = 0; i < kinds->value_count(); ++i) {
    const auto kind = static_cast<v1::Outcome::Kind>(kinds->value(i)->number());
    EXPECT_EQ(repetition_of(kind) == Repetition::kAtOnce, kind == v1::Outcome::KIND_REFUSED) << kinds->value(i)->name();
    v1::Outcome outcome;
    outcome.set_kind(kind);
    EXPECT_EQ(was_begun(outcome), kind != v1::Outcome::KIND_REFUSED);
  }
}

TEST(Repetition, UnknownOutcomeIsNeverRepeated) {
  for (const auto kind :
       {v1::Outcome::KIND_UNKNOWN, v1::Outcome::KIND_UNSPECIFIED, static_cast<v1::Outcome::Kind>(99)}) {
    EXPECT_EQ(repetition_of(kind), Repetition::kNever) << kind;
  }
  for (const auto result : {v1::CommandAnswer::RESULT_UNKNOWN, v1::CommandAnswer::RESULT_UNSPECIFIED,
                            v1::CommandAnswer::RESULT_SERVICE_LOST, static_cast<v1::CommandAnswer::Result>(99)}) {
    EXPECT_EQ(repetition_of_answer(result), Repetition::kNever) << result;
  }
}

TEST(Repetition, AnAnswerPermitsNoMoreThanItsOutcome) {
  EXPECT_EQ(repetition_of_answer(v1::CommandAnswer::RESULT_REFUSED), repetition_of(v1::Outcome::KIND_REFUSED));
  EXPECT_EQ(repetition_of_answer(v1::CommandAnswer::RESULT_STALE_TARGET), repetition_of(v1::Outcome::KIND_REFUSED));
  EXPECT_EQ(repetition_of_answer(v1::CommandAnswer::RESULT_INTERRUPTED), repetition_of(v1::Outcome::KIND_INTERRUPTED));
  EXPECT_EQ(repetition_of_answer(v1::CommandAnswer::RESULT_FAILED), repetition_of(v1::Outcome::KIND_FAILED));
  EXPECT_EQ(repetition_of_answer(v1::CommandAnswer::RESULT_CONFIRMED), repetition_of(v1::Outcome::KIND_CONFIRMED));
  EXPECT_EQ(repetition_of_answer(v1::CommandAnswer::RESULT_UNKNOWN), repetition_of(v1::Outcome::KIND_UNKNOWN));
}

// Bug: a command that clicks and then types was told as not begun when only its typing was denied.
TEST(Repetition, ACommandWhoseFirstStepWasCarriedOutIsNotRepeatedUnseen) {
  EXPECT_EQ(repetition_of_answer(v1::CommandAnswer::RESULT_DENIED), Repetition::kAtOnce);
  EXPECT_EQ(repetition_of_answer(v1::CommandAnswer::RESULT_DENIED, true), Repetition::kAfterLook);
  EXPECT_EQ(repetition_of_answer(v1::CommandAnswer::RESULT_UNKNOWN, true), Repetition::kNever);
}

}  // namespace
}  // namespace da::contract
