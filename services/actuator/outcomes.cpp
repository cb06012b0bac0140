#include "services/actuator/outcomes.h"

namespace da::actuator {
namespace {

// The last key may be what ended the window or took the focus elsewhere, so that nobody is left to say it was read.
bool went_away_after_all(const Progress& progress) {
  return progress.done == progress.total && progress.total > 0 &&
         (progress.stopped->code == Code::kAborted || progress.stopped->code == Code::kNotFound);
}

}  // namespace

v1::Outcome outcome_of(v1::Outcome::Kind kind, std::string message) {
  v1::Outcome outcome;
  outcome.set_kind(kind);
  outcome.set_message(std::move(message));
  return outcome;
}

v1::Outcome failed(const Error& error) {
  v1::Outcome outcome = outcome_of(v1::Outcome::KIND_FAILED, error.message);
  outcome.set_code(error.code == Code::kNotFound        ? v1::Outcome::CODE_NOT_FOUND
                   : error.code == Code::kUnimplemented ? v1::Outcome::CODE_UNSUPPORTED
                                                        : v1::Outcome::CODE_DESKTOP_ERROR);
  return outcome;
}

v1::Outcome from_result(const Result<void>& result, v1::Outcome::Kind success) {
  return result ? outcome_of(success) : failed(result.error());
}

v1::Outcome from_progress(const Progress& progress) {
  v1::Outcome outcome = outcome_of(v1::Outcome::KIND_DISPATCHED);
  if (progress.stopped && went_away_after_all(progress)) {
    outcome.set_message("after the last of it, what had the keyboard focus went away or lost it");
  } else if (progress.stopped) {
    outcome = failed(*progress.stopped);
    if (progress.stopped->code == Code::kAborted) {
      outcome.set_kind(v1::Outcome::KIND_INTERRUPTED);
      outcome.set_code(v1::Outcome::CODE_STALE_TARGET);
    } else if (progress.stopped->code == Code::kCancelled) {
      outcome.set_kind(v1::Outcome::KIND_INTERRUPTED);
      outcome.set_code(v1::Outcome::CODE_CANCELLED);
    } else if (progress.stopped->code == Code::kFailedPrecondition) {
      outcome.set_kind(v1::Outcome::KIND_INTERRUPTED);
      outcome.set_code(v1::Outcome::CODE_HALTED);
    }
  }
  outcome.set_done(progress.done);
  outcome.set_total(progress.total);
  return outcome;
}

v1::Outcome from_clicks(const Progress& progress) {
  v1::Outcome outcome = from_progress(progress);
  const bool not_begun = progress.done == 0 && progress.stopped && progress.stopped->code == Code::kAborted;
  if (not_begun) outcome.set_kind(v1::Outcome::KIND_REFUSED);
  return outcome;
}

}  // namespace da::actuator
