// Whoever decides what to try next in a task. Its proposals are untrusted; the policy judges each step.
// One thread, the task's.
#pragma once

#include <cstdint>
#include <string>

#include "da/v1/observation.pb.h"
#include "da/v1/plan.pb.h"
#include "lib/base/result.h"
#include "services/planner/sight.h"
#include "services/planner/task_machine.h"

namespace da::planner {

enum class Attempt {
  kNext,   // What comes after the last proposal, which was carried out.
  kAgain,  // The last proposal once more: nothing of it was begun, because the screen had changed.
};

// A part of the goal, for people; of a plain goal, a sentence. number is from 1, 0 where there are no parts.
struct Part {
  std::uint32_t number = 0;
  std::uint32_t of = 0;
  std::string text;
};

class Proposer {
 public:
  virtual ~Proposer() = default;

  // Asked before each observation.
  virtual View wanted_view() const { return View::kSettledScreen; }

  // The steps to try, in desktop pixels, without ids; or Plan.done where the goal is reached.
  // Errors: kUnavailable, kDeadlineExceeded (a service is lost), kCancelled; every other error fails the task. After
  // kCancelled it may be called once more with the same attempt, because the task was paused.
  virtual Result<v1::Plan> decide(const v1::Observation& latest, Attempt attempt) = 0;

  // What decide(attempt) would be about.
  virtual Part part(Attempt) const { return {}; }

  // What became of a step of the last proposal, in the order of the answers: allowed or denied, carried out, failed,
  // not begun because the screen had changed. Called before verify.
  virtual void hear(const v1::Step& step, const Event& event) = 0;

  // What a closer look, the last step, showed. Called before hear.
  virtual void see(const v1::ImageFact& image) = 0;

  // The task goes on after a pause: a person may have changed anything meanwhile, where the focus is above all.
  virtual void resumed() = 0;

  // Checks what a step that was carried out has led to. outcome is kDispatched, kConfirmed, kNoEffect or
  // kSkipped. After kCancelled it may be called once more.
  virtual Result<void> verify(const v1::Step& step, EventKind outcome) = 0;

  // In a dry run: whether what the last proposal is to act on does not show yet, so that nobody can judge it.
  virtual bool awaits_target() const { return false; }
};

}  // namespace da::planner
