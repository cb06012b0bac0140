// Finds what a model has described, when its turn comes: by the UI tree, then by what can be read on the screen, then
// by asking the model where it sees it. What is ambiguous is told back, never guessed. Source: Mark-I, 14.3. One
// thread, the task's. What it is given must outlive it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "da/v1/plan.pb.h"
#include "lib/base/result.h"
#include "services/planner/model/model_caller.h"
#include "services/planner/sight.h"

namespace da::planner::model {

bool is_described(const v1::Action& action);

enum class Sees { kImages, kElements };  // The screenshot, or the list of elements where a model has no eyes.

class Refinement {
 public:
  Refinement(ModelCaller& caller, Sight& sight, Sees sees) : caller_(caller), sight_(sight), sees_(sees) {}

  // The steps that a step with a described target stands for: a click at one place, and the typing after it. Errors
  // tell places in desktop pixels, as place_text() has them; kUnavailable, kDeadlineExceeded and kCancelled as roles.h
  // has them, and those of the model's caller where it was asked.
  Result<std::vector<v1::Step>> refine(const v1::Step& step);

 private:
  Result<v1::Action> click_on(const std::string& target, bool types, bool& has_focus);
  Result<std::optional<v1::Point>> ask_where(const std::string& target);

  ModelCaller& caller_;
  Sight& sight_;
  const Sees sees_;
};

}  // namespace da::planner::model
