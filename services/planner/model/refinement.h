// Finds an element that a model has described, when its step is due: in the UI tree, then by OCR, then by asking the
// model where it sees the element. An ambiguous description is an error, never a guess. Source: Mark-I, 14.3. One
// thread, the task's. The constructor's references must outlive the object.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "da/v1/plan.pb.h"
#include "da/v1/planner_rpc.pb.h"
#include "lib/base/result.h"
#include "services/planner/model/model_caller.h"
#include "services/planner/task/task_view.h"

namespace da::planner::model {

enum class Sees { kImages, kElements };  // The screenshot, or a list of elements for models without image input.

// `"form", "list"`, for people and models.
std::string names_of(const std::vector<v1::Decision::Region>& regions);

class Refinement {
 public:
  Refinement(ModelCaller& caller, TaskView& view, Sees sees) : caller_(caller), view_(view), sees_(sees) {}

  // From now on only elements whose middle is in one of these regions are targets, and a question to the model shows
  // these regions alone. Empty: the whole desktop.
  void search_only_in(std::vector<v1::Decision::Region> regions) { regions_ = std::move(regions); }

  // Replaces a step that describes its target: by a click at one place, and the typing after it. Errors name places in
  // desktop pixels (place_text()). Codes: kUnavailable, kDeadlineExceeded and kCancelled as in roles.h, and those of
  // ModelCaller.
  Result<std::vector<v1::Step>> refine(const v1::Step& step);

 private:
  Result<std::optional<v1::Point>> ask_where(const std::string& target);
  Result<std::optional<v1::Point>> ask_where_in_regions(const std::string& target);
  Result<std::optional<v1::Point>> ask_about(const std::string& target, Image image,
                                             const v1::CoordinateContract& coordinates);

  ModelCaller& caller_;
  TaskView& view_;
  const Sees sees_;
  std::vector<v1::Decision::Region> regions_;
  std::string shown_frame_;  // Frame id of the picture that the model was last asked about.
};

}  // namespace da::planner::model
