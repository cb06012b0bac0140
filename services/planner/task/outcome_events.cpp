#include "services/planner/task/outcome_events.h"

#include <optional>

#include "lib/base/text.h"
#include "lib/contract/named_action.h"
#include "lib/contract/repetition.h"
#include "lib/service/stopping/stop_machine.h"

namespace da::planner {
namespace {

using v1::Outcome;

std::string because(const std::string& what, const std::string& reason) {
  return reason.empty() ? what : what + ": " + escape_foreign(reason);
}

Event denial(const v1::SubmitReply& reply, const std::string& step) {
  const v1::Verdict& verdict = reply.verdict();
  const std::string& reason = reply.outcome().message().empty() ? verdict.reason() : reply.outcome().message();
  const std::string by = verdict.rule().empty() ? "" : " by rule " + escape_foreign(verdict.rule());
  return {EventKind::kDenied, because("denied" + by + ", " + step, reason)};
}

// The refusal is temporary: it ends with the pause, or when the policy's heartbeats reach the actuator again.
bool is_temporary(Outcome::Code code) { return service::is_pause(code) || code == Outcome::CODE_SUSPENDED; }

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
      // An element that stopped being enabled or visible since the decision counts as changed, too.
      if (outcome.code() == Outcome::CODE_STALE_TARGET || outcome.code() == Outcome::CODE_NOT_ACTIONABLE)
        return {EventKind::kStaleTarget, because(step, message)};
      if (is_temporary(outcome.code())) return {EventKind::kPaused, because("before " + step, message)};
      return {EventKind::kRefused, because("refused, " + step, message)};
    case Outcome::KIND_FAILED: return {EventKind::kFailed, because("failed, " + step, message)};
    default:
      return {
          EventKind::kUnknown,
          because("whether it happened is not known, and it is not repeated; look at the desktop. " + step, message)};
  }
}

// Codes that decide the end of the task, however far the step came. If the service is lost and the outcome is unknown,
// the unknown outcome is reported, because a person has to check it.
std::optional<Event> overriding_event(const Outcome& outcome, const std::string& step) {
  const bool in_doubt = outcome.kind() == Outcome::KIND_UNKNOWN;
  switch (outcome.code()) {
    case Outcome::CODE_HALTED: return Event{EventKind::kHalted, because("halted during " + step, outcome.message())};
    case Outcome::CODE_SERVICE_LOST:
      if (in_doubt) return std::nullopt;
      return Event{EventKind::kServiceLost, because("actuator: lost during " + step, outcome.message())};
    case Outcome::CODE_DENIED: return Event{EventKind::kDenied, because("denied, " + step, outcome.message())};
    case Outcome::CODE_EXPIRED:
      return Event{EventKind::kExpired, because("nobody approved " + step + " in time", outcome.message())};
    default: return std::nullopt;
  }
}

// The desktop cannot do the step now, so the policy did not ask a person.
bool was_never_asked(const v1::SubmitReply& reply) {
  return reply.verdict().decision() == v1::Verdict::DECISION_ASK && !contract::was_begun(reply.outcome());
}

// The reply's verdict is final: a step that a person approved comes back as allowed.
bool may_act(const v1::SubmitReply& reply) { return reply.verdict().decision() == v1::Verdict::DECISION_ALLOW; }

std::vector<Event> events_without_codes(const v1::SubmitReply& reply, const v1::Step& step, Actor actor) {
  const std::string what = contract::describe(step);
  const Event verdict{EventKind::kAllowed, what};
  if (const auto event = overriding_event(reply.outcome(), what)) {
    return may_act(reply) ? std::vector{verdict, *event} : std::vector{*event};
  }
  if (reply.outcome().code() == Outcome::CODE_SKIPPED) {
    return {verdict, {EventKind::kSkipped, because("left out, " + what, reply.outcome().message())}};
  }
  if (was_never_asked(reply)) return {outcome_event(reply.outcome(), what)};
  if (!may_act(reply)) return {denial(reply, what)};
  if (actor == Actor::kPlanner && !reply.has_outcome()) return {verdict};
  return {verdict, outcome_event(reply.outcome(), what)};
}

}  // namespace

std::vector<Event> events_of(const v1::SubmitReply& reply, const v1::Step& step, Actor actor) {
  auto events = events_without_codes(reply, step, actor);
  events.back().code = reply.outcome().code();
  return events;
}

Event event_of(const Error& error, const std::string& service, EventKind fallback) {
  const std::string message = escape_foreign(error.message);
  switch (error.code) {
    case Code::kUnavailable:
    case Code::kDeadlineExceeded:
    case Code::kCancelled: return {EventKind::kServiceLost, service + ": " + message};
    default: return {fallback, message};
  }
}

}  // namespace da::planner
