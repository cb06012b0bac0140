#include "services/planner/task/outcome_events.h"

#include <gtest/gtest.h>

namespace da::planner {
namespace {

using v1::Outcome;
using v1::Verdict;

v1::Step write_step() {
  v1::Step step;
  step.mutable_action()->mutable_write()->set_text("hello");
  return step;
}

v1::SubmitReply reply_of(Verdict::Decision decision) {
  v1::SubmitReply reply;
  reply.mutable_verdict()->set_decision(decision);
  return reply;
}

v1::SubmitReply reply_of(Verdict::Decision decision, Outcome::Kind kind,
                         Outcome::Code code = Outcome::CODE_UNSPECIFIED) {
  v1::SubmitReply reply = reply_of(decision);
  reply.mutable_outcome()->set_kind(kind);
  reply.mutable_outcome()->set_code(code);
  return reply;
}

std::vector<EventKind> kinds(const v1::SubmitReply& reply, Actor actor = Actor::kActuator) {
  std::vector<EventKind> kinds;
  for (const Event& event : events_of(reply, write_step(), actor)) kinds.push_back(event.kind);
  return kinds;
}

using Kinds = std::vector<EventKind>;
using enum EventKind;

TEST(OutcomeEvents, RefusalDuringAPauseIsAPause) {
  for (const auto code : {Outcome::CODE_PAUSED, Outcome::CODE_SESSION_LOCKED, Outcome::CODE_SECURE_DESKTOP,
                          Outcome::CODE_DISCONNECTED, Outcome::CODE_SUSPENDED}) {
    EXPECT_EQ(kinds(reply_of(Verdict::DECISION_ALLOW, Outcome::KIND_REFUSED, code)), (Kinds{kAllowed, kPaused}));
    EXPECT_EQ(kinds(reply_of(Verdict::DECISION_ASK, Outcome::KIND_REFUSED, code)), (Kinds{kPaused})) << "never asked";
    EXPECT_EQ(kinds(reply_of(Verdict::DECISION_ALLOW, Outcome::KIND_REFUSED, code), Actor::kPlanner),
              (Kinds{kAllowed, kPaused}));
    EXPECT_EQ(kinds(reply_of(Verdict::DECISION_ALLOW, Outcome::KIND_INTERRUPTED, code)),
              (Kinds{kAllowed, kInterrupted}));
    EXPECT_EQ(kinds(reply_of(Verdict::DECISION_DENY, Outcome::KIND_REFUSED, code)), (Kinds{kDenied}));
  }
}

TEST(OutcomeEvents, EachOutcomeOfAnAllowedStepHasItsEvent) {
  const std::pair<Outcome::Kind, EventKind> cases[] = {
      {Outcome::KIND_DISPATCHED, kDispatched}, {Outcome::KIND_CONFIRMED, kConfirmed},
      {Outcome::KIND_NO_EFFECT, kNoEffect},    {Outcome::KIND_INTERRUPTED, kInterrupted},
      {Outcome::KIND_REFUSED, kRefused},       {Outcome::KIND_FAILED, kFailed},
      {Outcome::KIND_UNKNOWN, kUnknown},       {Outcome::KIND_UNSPECIFIED, kUnknown}};
  for (const auto& [kind, event] : cases) {
    EXPECT_EQ(kinds(reply_of(Verdict::DECISION_ALLOW, kind)), (Kinds{kAllowed, event})) << Outcome::Kind_Name(kind);
  }
}

TEST(OutcomeEvents, AnAllowedStepWithoutAnOutcomeIsInDoubt) {
  EXPECT_EQ(kinds(reply_of(Verdict::DECISION_ALLOW)), (Kinds{kAllowed, kUnknown}));
}

TEST(OutcomeEvents, AStepOfThePlannerNeedsNoOutcome) {
  EXPECT_EQ(kinds(reply_of(Verdict::DECISION_ALLOW), Actor::kPlanner), Kinds{kAllowed});
}

TEST(OutcomeEvents, OnlyARefusedStaleTargetMayBeTriedAgain) {
  const auto stale = Outcome::CODE_STALE_TARGET;
  EXPECT_EQ(kinds(reply_of(Verdict::DECISION_ALLOW, Outcome::KIND_REFUSED, stale)), (Kinds{kAllowed, kStaleTarget}));
  EXPECT_EQ(kinds(reply_of(Verdict::DECISION_ALLOW, Outcome::KIND_INTERRUPTED, stale)),
            (Kinds{kAllowed, kInterrupted}));
  EXPECT_EQ(kinds(reply_of(Verdict::DECISION_ALLOW, Outcome::KIND_FAILED, stale)), (Kinds{kAllowed, kFailed}));
}

TEST(OutcomeEvents, NoVerdictIsADenial) {
  EXPECT_EQ(kinds(reply_of(Verdict::DECISION_UNSPECIFIED, Outcome::KIND_CONFIRMED)), Kinds{kDenied});
  EXPECT_EQ(kinds(v1::SubmitReply()), Kinds{kDenied});
  EXPECT_EQ(kinds(reply_of(Verdict::DECISION_ASK)), Kinds{kDenied});
}

TEST(OutcomeEvents, ExpiredApprovalIsNotADenial) {
  EXPECT_EQ(kinds(reply_of(Verdict::DECISION_DENY, Outcome::KIND_REFUSED, Outcome::CODE_EXPIRED)), Kinds{kExpired});
  EXPECT_EQ(kinds(reply_of(Verdict::DECISION_ASK, Outcome::KIND_REFUSED, Outcome::CODE_EXPIRED)), Kinds{kExpired});
  EXPECT_EQ(kinds(reply_of(Verdict::DECISION_DENY, Outcome::KIND_REFUSED, Outcome::CODE_DENIED)), Kinds{kDenied});
}

TEST(OutcomeEvents, HaltCodeGivesHaltedForEveryVerdict) {
  EXPECT_EQ(kinds(reply_of(Verdict::DECISION_DENY, Outcome::KIND_REFUSED, Outcome::CODE_HALTED)), Kinds{kHalted});
  EXPECT_EQ(kinds(reply_of(Verdict::DECISION_ALLOW, Outcome::KIND_INTERRUPTED, Outcome::CODE_HALTED)),
            (Kinds{kAllowed, kHalted}));
  EXPECT_EQ(kinds(reply_of(Verdict::DECISION_ALLOW, Outcome::KIND_UNKNOWN, Outcome::CODE_HALTED)),
            (Kinds{kAllowed, kHalted}));
}

TEST(OutcomeEvents, ImpossibleStepIsRefusedNotDenied) {
  EXPECT_EQ(kinds(reply_of(Verdict::DECISION_ASK, Outcome::KIND_REFUSED, Outcome::CODE_NOT_FOUND)), Kinds{kRefused});
  EXPECT_EQ(kinds(reply_of(Verdict::DECISION_ASK, Outcome::KIND_REFUSED, Outcome::CODE_STALE_TARGET)),
            Kinds{kStaleTarget});
}

TEST(OutcomeEvents, ALostActuatorIsALostServiceUnlessTheStepIsInDoubt) {
  const auto lost = Outcome::CODE_SERVICE_LOST;
  EXPECT_EQ(kinds(reply_of(Verdict::DECISION_ALLOW, Outcome::KIND_REFUSED, lost)), (Kinds{kAllowed, kServiceLost}));
  EXPECT_EQ(kinds(reply_of(Verdict::DECISION_ALLOW, Outcome::KIND_UNKNOWN, lost)), (Kinds{kAllowed, kUnknown}));
}

TEST(OutcomeEvents, DenialNamesTheRuleAndIsEscaped) {
  v1::SubmitReply reply = reply_of(Verdict::DECISION_DENY);
  reply.mutable_verdict()->set_rule("no-typing");
  reply.mutable_verdict()->set_reason("never\x1b[31m");
  const std::string text = events_of(reply, write_step(), Actor::kActuator).front().text;
  EXPECT_NE(text.find("no-typing"), std::string::npos) << text;
  EXPECT_NE(text.find("never\\x1b[31m"), std::string::npos) << text;
}

TEST(OutcomeEvents, AnUnreachableServiceIsNamed) {
  const Event event = event_of({Code::kUnavailable, "da-policy is gone"}, "policy", kFailed);
  EXPECT_EQ(event.kind, kServiceLost);
  EXPECT_EQ(event.text, "policy: da-policy is gone");
  EXPECT_EQ(event_of({Code::kDeadlineExceeded, "late"}, "policy", kFailed).kind, kServiceLost);
  EXPECT_EQ(event_of({Code::kInternal, "odd"}, "policy", kFailed).kind, kFailed);
  EXPECT_EQ(event_of({Code::kCancelled, "stopping"}, "policy", kFailed).kind, kServiceLost);
}

}  // namespace
}  // namespace da::planner
