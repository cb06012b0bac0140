// Builds the steps of a sentence, and verifies their effect. A sentence has one or more phases, each with one step, so
// that the task observes between any two steps. A named target is located when its step is proposed. Which sentence is
// next is the caller's (PlainPlanner). Only the task's thread calls. The TaskView must outlive the object.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "da/v1/observation.pb.h"
#include "lib/base/result.h"
#include "services/planner/plain/choice.h"
#include "services/planner/plain/field_typing.h"
#include "services/planner/plain/language/goal.h"
#include "services/planner/plain/value_setting.h"
#include "services/planner/proposer.h"
#include "services/planner/task/task_view.h"

namespace da::planner::plain {

enum class Patience {
  kWait,  // Waits for targets.
  kNow,   // Dry run: a target that is not on the screen is proposed by its description, or without a call if no call
          // call takes a description; the justification says so.
};

std::uint32_t phases_of(const Command& command);

// True if the command types into a field that it names.
bool names_field(const Command& command);

class SentenceSteps {
 public:
  SentenceSteps(TaskView& view, Patience patience) : view_(view), patience_(patience), typing_(view) {}

  // The screen may have changed since the last proposal.
  void begin_decision() { typing_.begin_decision(); }
  // The step of a phase; nullopt if none is needed. Waits for a target up to kTargetWait, or for the time that the
  // sentence's `optional:` sets, but at most for `longest`. Errors name a missing or ambiguous (kInvalidArgument)
  // target.
  Proposed propose(const Sentence& sentence, std::uint32_t phase, const v1::Observation& latest,
                   std::optional<Milliseconds> longest = std::nullopt);
  // Checks the step of this phase after it was carried out. kFailedPrecondition: it lacks its effect.
  Result<Proof> verify(const Sentence& sentence, std::uint32_t phase, EventKind outcome);
  // What the last verify() has to tell people; empty if nothing.
  std::string take_remark() { return std::exchange(remark_, {}); }

 private:
  struct Propose;

  Result<Proof> verify_rows(const SelectRows& select);

  TaskView& view_;
  const Patience patience_;
  v1::Window closed_window_;          // The current CloseWindow closes it.
  std::set<std::string> typed_into_;  // Ids of windows that were ready for text once.
  std::string remark_;
  FieldTyping typing_;          // State of the current TypeText with a field.
  Choice choice_;               // State of the current Select.
  ValueSetting setting_;        // State of the current SetValue.
  v1::Observation before_;      // The observation of the last proposal.
  std::string focused_window_;  // Id of the window of the last `focus`; cleared by another act.
};

}  // namespace da::planner::plain
