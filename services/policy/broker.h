// The life of one submitted step: whose is it, what would it touch, may it, and what became of it.
//
//   token -> Prepare -> judge -> allow: grant, Execute
//                             -> ask:   question, answer, Prepare again (must match what was approved), grant, Execute
//                                       edited by the person who answers: judged again, as the step that it became
//                             -> deny:  the verdict
//
// Every denial, refusal and expiry is a reply with a verdict (and an outcome where the actuator was to act). The
// verdict of the reply is the last word: a question that was approved comes back as ALLOW, otherwise as DENY. All
// verdicts are published, the ASK before the question too. Each is in the audit log before it is answered or acted on;
// where it cannot be, the verdict is DENY.
// Errors: kUnauthenticated (token), kInvalidArgument (no step id), kUnavailable / kDeadlineExceeded (da-actuator is
// gone before anything was done), kCancelled (the caller went away). submit() blocks, for as long as a person takes;
// any thread.
#pragma once

#include <optional>
#include <stop_token>
#include <string>

#include "da/v1/policy_rpc.pb.h"
#include "lib/base/clock.h"
#include "lib/base/result.h"
#include "lib/bus/publisher.h"
#include "lib/service/halt_latch.h"
#include "services/policy/actuator.h"
#include "services/policy/approvals.h"
#include "services/policy/audit/trail.h"
#include "services/policy/grants.h"
#include "services/policy/heartbeat.h"
#include "services/policy/judge.h"
#include "services/policy/notifier.h"
#include "services/policy/pauses.h"
#include "services/policy/repetitions.h"
#include "services/policy/rule_book.h"
#include "services/policy/running_steps.h"
#include "services/policy/second_factor/second_factor.h"
#include "services/policy/standing_approvals.h"
#include "services/policy/tasks.h"
#include "services/policy/turns.h"
#include "services/policy/write_lock.h"

namespace da::policy {

// What the broker works with; owned elsewhere and outliving it.
struct Authority {
  const RuleBook& rules;
  const GrantSigner& signer;
  const Clock& clock;
  const std::string& desktop_id;
  Actuator& actuator;
  bus::Publisher& bus;
  Tasks& tasks;
  WriteLock& write_lock;
  Approvals& approvals;
  service::HaltLatch& halt;
  Pauses& pauses;
  Heartbeat& heartbeat;
  RunningSteps& running;
  TypingHistory& typing;
  Repetitions& repetitions;
  StandingApprovals& standing;
  const SecondFactor& second_factor;
  Notifier& notifier;
  Turns& turns;
  AuditTrail& audit;
};

class Broker {
 public:
  explicit Broker(const Authority& authority) : authority_(authority) {}

  Result<v1::SubmitReply> submit(const v1::SubmitRequest& request, std::stop_token stop);

 private:
  const Authority authority_;
};

}  // namespace da::policy
