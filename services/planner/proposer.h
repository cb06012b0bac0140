// Decides the next steps of a task. Proposals are untrusted: the policy judges each step. Only the task's thread calls.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "da/v1/observation.pb.h"
#include "da/v1/plan.pb.h"
#include "lib/base/result.h"
#include "services/planner/task/task_machine.h"
#include "services/planner/task/task_view.h"
#include "services/planner/tools/planner_tools.h"

namespace da::planner {

enum class Attempt {
  kNext,   // The last proposal was carried out: propose what follows.
  kAgain,  // No step of the last proposal was begun, because the screen had changed: propose it again.
};

// A part of the goal, shown to people; in a plain goal, a sentence. number counts from 1; 0 if the goal has no parts.
struct Part {
  std::uint32_t number = 0;
  std::uint32_t of = 0;
  std::string text;
  std::uint32_t visit = 0;  // Differs in each round of a loop.
};

// What the proposer knows about the effect of a step that was carried out.
enum class Proof {
  kByOutcome,  // Only what the step's outcome says.
  kSeen,       // The effect was observed.
  kNone,       // What shows afterwards is not what the step's outcome told.
  kLater,      // The step prepares a later one, which shows the effect.
  kEndsPlan    // As kByOutcome, but the rest of the plan must not follow: the task decides anew.
};

class Proposer {
 public:
  virtual ~Proposer() = default;

  // Called before each observation.
  virtual View wanted_view() const { return View::kSettledScreen; }

  // The steps to try, in desktop pixels, without ids; or Plan.done if the goal is reached.
  // Errors: kUnavailable, kDeadlineExceeded (a service is lost), kCancelled; every other error fails the task. After
  // kCancelled it may be called again with the same attempt, because a pause cancels the call.
  virtual Result<v1::Plan> decide(const v1::Observation& latest, Attempt attempt) = 0;

  // The part of the goal that decide(attempt) would work on.
  virtual Part part(Attempt) const { return {}; }

  // kDenied or kExpired if the last error of decide() means that the policy or a person denied its steps, or that
  // nobody approved them: then the task ends so instead of as failed.
  virtual std::optional<EventKind> denial() const { return std::nullopt; }

  // Reports the result of a step of the last proposal, in the order of the answers: allowed or denied, carried out,
  // failed, or not begun because the screen had changed. Called before verify.
  virtual void hear(const v1::Step& step, const Event& event) = 0;

  // Delivers what a tool of the planner has read, if the last step was one. Called before hear.
  virtual void see(const Answer& answer) = 0;

  // The task waits for a resume. A step of the last proposal that was not reported will not be carried out.
  virtual void paused(const std::string& /*reason*/) {}
  // The task continues after a pause. A person may have changed the desktop meanwhile, above all the focus.
  virtual void resumed() = 0;

  // Checks the result of a step that was carried out. outcome is kDispatched, kConfirmed, kNoEffect or kSkipped.
  // After kCancelled it may be called again.
  virtual Result<Proof> verify(const v1::Step& /*step*/, EventKind /*outcome*/) { return Proof::kByOutcome; }

  // Parts of the goal that were carried out, also those that needed no step. 0: each step is a part.
  virtual std::uint32_t parts_carried_out() const { return 0; }

  // The number of a part that was begun and then left out, since the last call; 0: none.
  virtual std::uint32_t take_left_out() { return 0; }

  // Dry run: the target of the last proposal is not on the screen yet, so the policy cannot judge the step.
  virtual bool awaits_target() const { return false; }
};

}  // namespace da::planner
