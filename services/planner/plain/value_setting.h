// Moves a slider, or fills a spin button, until the UI tree tells the wished value. Only the task's thread calls.
//
// The first phase gives the element the focus by a click. A spin button then takes the number as text; a slider takes
// arrow keys: as many as the distance needs, corrected by what they did. An element that already tells the value is
// left alone.
#pragma once

#include <cstdint>
#include <string>

#include "lib/base/result.h"
#include "services/planner/plain/choice.h"
#include "services/planner/plain/language/goal.h"
#include "services/planner/task/task_view.h"

namespace da::planner::plain {

class ValueSetting {
 public:
  static constexpr std::uint32_t kPhases = 12;

  // nullopt if this phase needs no step. The last phase has none: it fails if the element tells another value.
  Proposed propose(const SetValue& set, std::uint32_t phase, TaskView& view, Milliseconds wait,
                   const google::protobuf::RepeatedPtrField<v1::Window>& windows);

 private:
  Proposed begin(const SetValue& set, TaskView& view, Milliseconds wait,
                 const google::protobuf::RepeatedPtrField<v1::Window>& windows);
  Proposed fill(std::uint32_t phase) const;
  Proposed keys(v1::Action action) const;
  Result<void> check_focus(const SetValue& set, TaskView& view) const;
  Proposed press_arrows(double wished, const v1::UiRange& range);
  Result<void> verify(const SetValue& set, TaskView& view) const;
  // The element as it is now.
  Result<v1::UiNode> read(TaskView& view) const;

  std::string element_id_;
  std::string window_id_;  // The element's window.
  std::string text_;       // The number, for a field.
  bool is_field_ = false;  // Takes the number as text.
  bool done_ = false;      // It tells the value, or more keys do not help.
  double value_ = 0;       // Value before the last keys.
  std::int32_t keys_ = 0;  // That were pressed; negative: to the left.
  double per_key_ = 0;     // What one key to the right does; 0: unknown.
};

}  // namespace da::planner::plain
