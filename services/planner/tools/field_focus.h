// Whether a field that is about to be typed into has the keyboard focus. Only the task's thread calls.
#pragma once

#include <string>

#include "da/v1/observation.pb.h"
#include "lib/base/result.h"
#include "services/planner/task/task_view.h"

namespace da::planner {

// A field that is about to be typed into, and its focus as far as the application tells.
struct FieldFocus {
  enum class State {
    kFocused,
    kElsewhere,   // Another element of its window has the focus, or its window is not the focused one.
    kUnreported,  // No element of its window reports the focus: some toolkits never do.
  };
  State state = State::kElsewhere;
  v1::UiNode field;       // The field as last seen.
  std::string elsewhere;  // The element or window that has the focus instead, in words; empty: unknown.
};

// Returns which other element of the same window has the focus, in words; empty if none has it. Some toolkits report
// the focus for a part of the element, such as the text of a spin button, or for its page: that is no other element.
std::string focused_elsewhere(const v1::UiTree& tree, const std::string& element_id);

// Waits until the field has the focus, for 8 looks (about 0.4 s). If the element `element_id` was replaced, uses the
// element that has the name now.
Result<FieldFocus> await_field_focus(TaskView& view, const std::string& field, const v1::UiNode& seen);

}  // namespace da::planner
