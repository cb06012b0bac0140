#include "services/planner/outcome_events.h"

#include "lib/base/text.h"
#include "lib/contract/describe.h"

namespace da::planner {
namespace {

using v1::Outcome;

std::string because(const std::string& what, const std::string& reason) {
  return reason.empty() ? what : what + ": " + escape_foreign(reason);
}

Event denial(const v1::SubmitReply& reply, const std::string& step) {
  const v1::Verdict& verdict = reply.verdict();
  const std::string& reason = reply.outcome().message().empty() ? verdict.reason() : reply.outcome().message();
  if (reply.outcome().code() == Outcome::CODE_EXPIRED) {
    return {EventKind::kExpired, because("nobody approved " + step + " in time", reason)};
  }
  const std::string by = verdict.rule().empty() ? "" : " by rule " + escape_foreign(verdict.rule());
  return {EventKind::kDenied, because("denied" + by + ", " + step, reason)};
}

Event outcome_event(const Outcome& outcome, const std::string& step) {
  const std::string& message = outcome.message();
  switch (outcome.kind()) {
    case Outcome::KIND_DISPATCHED: return {EventKind::kDispatched, message};
    case Outcome::KIND_CONFIRMED: return {EventKind::kConfirmed, message};
    case Outcome::KIND_NO_EFFECT: return {EventKind::kNoEffect, message};
    case Outcome::KIND_INTERRUPTED:
      return {EventKind::kInterrupted, because("interrupted after " + std::to_string(outcome.done()) + " of " +
                                                   std::to_string(outcome.total()) + ", " + step,
                                               message)};
    case Outcome::KIND_REFUSED:
      if (outcome.code() == Outcome::CODE_STALE_TARGET) return {EventKind::kStaleTarget, because(step, message)};
      return {EventKind::kRefused, because("refused, " + step, message)};
    case Outcome::KIND_FAILED: return {EventKind::kFailed, because("failed, " + step, message)};
    default:
      return {EventKind::kUnknown,
              because("whether it happened is not known, and it is not repeated; look at the desktop. " + step, message)};
  }
}

// Codes that end the task in a way of their own, however far the step came.
bool overriding(const Outcome& outcome, const std::string& step, Event& event) {
  switch (outcome.code()) {
    case Outcome::CODE_HALTED:
      event = {EventKind::kHalted, because("halted during " + step, outcome.message())};
      return true;
    case Outcome::CODE_SERVICE_LOST:
      event = {EventKind::kServiceLost, because("actuator: lost during " + step, outcome.message())};
      return true;
    case Outcome::CODE_DENIED:
      event = {EventKind::kDenied, because("denied, " + step, outcome.message())};
      return true;
    case Outcome::CODE_EXPIRED:
      event = {EventKind::kExpired, because("nobody approved " + step + " in time", outcome.message())};
      return true;
    default: return false;
  }
}

bool allowed(const v1::SubmitReply& reply) {
  switch (reply.verdict().decision()) {
    case v1::Verdict::DECISION_ALLOW: return true;
    // Asked, and then carried out: a person approved it. The outcome says so where nobody did.
    case v1::Verdict::DECISION_ASK:
      return reply.has_outcome() && reply.outcome().code() != Outcome::CODE_DENIED &&
             reply.outcome().code() != Outcome::CODE_EXPIRED;
    default: return false;
  }
}

}  // namespace

std::vector<Event> events_of(const v1::SubmitReply& reply, const v1::Step& step, Performer performer) {
  const std::string what = contract::describe(step.action());
  const bool in_doubt = reply.outcome().kind() == Outcome::KIND_UNKNOWN;
  Event override_event{};
  const bool overrides = reply.has_outcome() && !in_doubt && overriding(reply.outcome(), what, override_event);
  if (!allowed(reply)) {
    if (overrides && override_event.kind != EventKind::kDenied) return {override_event};
    return {denial(reply, what)};
  }
  const Event verdict{EventKind::kAllowed, what};
  if (overrides) return {verdict, override_event};
  if (performer == Performer::kPlanner && !reply.has_outcome()) return {verdict};
  return {verdict, outcome_event(reply.outcome(), what)};
}

Event event_of(const Error& error, const std::string& service, EventKind fallback) {
  const std::string message = escape_foreign(error.message);
  switch (error.code) {
    case Code::kUnavailable:
    case Code::kDeadlineExceeded: return {EventKind::kServiceLost, service + ": " + message};
    case Code::kCancelled: return {EventKind::kCancelled, "cancelled"};
    default: return {fallback, message};
  }
}

}  // namespace da::planner
