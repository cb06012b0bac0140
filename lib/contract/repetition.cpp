#include "lib/contract/repetition.h"

namespace da::contract {

Repetition repetition_of(v1::Outcome::Kind kind) {
  switch (kind) {
    case v1::Outcome::KIND_REFUSED: return Repetition::kAtOnce;
    case v1::Outcome::KIND_DISPATCHED:
    case v1::Outcome::KIND_CONFIRMED:
    case v1::Outcome::KIND_NO_EFFECT:
    case v1::Outcome::KIND_INTERRUPTED:
    case v1::Outcome::KIND_FAILED: return Repetition::kAfterLook;
    default: return Repetition::kNever;
  }
}

namespace {

Repetition repetition_of_last_step(v1::CommandAnswer::Result result) {
  switch (result) {
    case v1::CommandAnswer::RESULT_INVALID:
    case v1::CommandAnswer::RESULT_SKIPPED:
    case v1::CommandAnswer::RESULT_DENIED:
    case v1::CommandAnswer::RESULT_EXPIRED:
    case v1::CommandAnswer::RESULT_STALE_TARGET:
    case v1::CommandAnswer::RESULT_REFUSED: return Repetition::kAtOnce;
    // The task may have been stopped before the step or during it.
    case v1::CommandAnswer::RESULT_PAUSED:
    case v1::CommandAnswer::RESULT_HALTED:
    case v1::CommandAnswer::RESULT_CANCELLED:
    case v1::CommandAnswer::RESULT_DISPATCHED:
    case v1::CommandAnswer::RESULT_CONFIRMED:
    case v1::CommandAnswer::RESULT_NO_EFFECT:
    case v1::CommandAnswer::RESULT_FAILED:
    case v1::CommandAnswer::RESULT_INTERRUPTED: return Repetition::kAfterLook;
    default: return Repetition::kNever;
  }
}

}  // namespace

Repetition repetition_of(const v1::CommandAnswer& answer) {
  const Repetition repetition = repetition_of_last_step(answer.result());
  return answer.begun() && repetition == Repetition::kAtOnce ? Repetition::kAfterLook : repetition;
}

std::string_view word_of(Repetition repetition) {
  switch (repetition) {
    case Repetition::kAtOnce: return "at_once";
    case Repetition::kAfterLook: return "after_look";
    case Repetition::kNever: return "never";
  }
  return "never";
}

}  // namespace da::contract
