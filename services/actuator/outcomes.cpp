#include "services/actuator/outcomes.h"

namespace da::actuator {
namespace {

// All input was sent. Its last key may have closed the window or moved the focus, so that nothing confirms its receipt.
bool receiver_left_after_last_input(const Progress& progress) {
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

v1::Outcome outcome_of(v1::Outcome::Kind kind, v1::Outcome::Code code, std::string message) {
  v1::Outcome outcome = outcome_of(kind, std::move(message));
  outcome.set_code(code);
  return outcome;
}

v1::Outcome refusal(v1::Outcome::Code code, std::string message) {
  return outcome_of(v1::Outcome::KIND_REFUSED, code, std::move(message));
}

v1::Outcome failed(const Error& error) {
  const auto code = error.code == Code::kNotFound        ? v1::Outcome::CODE_NOT_FOUND
                    : error.code == Code::kUnimplemented ? v1::Outcome::CODE_UNSUPPORTED
                                                         : v1::Outcome::CODE_DESKTOP_ERROR;
  return outcome_of(v1::Outcome::KIND_FAILED, code, error.message);
}

v1::Outcome from_result(const Result<void>& result, v1::Outcome::Kind success) {
  return result ? outcome_of(success) : failed(result.error());
}

v1::Outcome from_progress(const Progress& progress) {
  v1::Outcome outcome = outcome_of(v1::Outcome::KIND_DISPATCHED);
  if (progress.stopped && receiver_left_after_last_input(progress)) {
    outcome.set_message("after the last input, the window or element with the keyboard focus closed or lost the focus");
  } else if (progress.stopped) {
    const auto interrupted = [&](v1::Outcome::Code code) {
      return outcome_of(v1::Outcome::KIND_INTERRUPTED, code, progress.stopped->message);
    };
    switch (progress.stopped->code) {
      case Code::kAborted: outcome = interrupted(v1::Outcome::CODE_STALE_TARGET); break;
      case Code::kCancelled: outcome = interrupted(v1::Outcome::CODE_CANCELLED); break;
      case Code::kFailedPrecondition: outcome = interrupted(v1::Outcome::CODE_HALTED); break;
      default: outcome = failed(*progress.stopped); break;
    }
  }
  outcome.set_done(progress.done);
  outcome.set_total(progress.total);
  return outcome;
}

v1::Outcome from_typing(const Progress& progress) {
  v1::Outcome outcome = from_progress(progress);
  outcome.set_read(progress.read);
  const bool arrived = outcome.kind() == v1::Outcome::KIND_DISPATCHED && outcome.message().empty();
  if (arrived && !progress.read && progress.total > 0) {
    outcome.set_message("the system took the text; whether the application has read it could not be observed");
  }
  return outcome;
}

v1::Outcome from_clicks(const Progress& progress) {
  v1::Outcome outcome = from_progress(progress);
  const bool not_begun = progress.done == 0 && progress.stopped && progress.stopped->code == Code::kAborted;
  if (not_begun) outcome.set_kind(v1::Outcome::KIND_REFUSED);
  return outcome;
}

v1::Outcome from_chord(const Result<void>& pressed) {
  if (pressed) return outcome_of(v1::Outcome::KIND_DISPATCHED);
  return from_clicks({.total = 1, .stopped = pressed.error()});
}

}  // namespace da::actuator
