// Waits until the focused window can take keys. Only the task's thread calls.
//
// The focused window must have settled: its screen does not change, or, if another part of the screen never settles,
// two looks in a row see the same window and elements. Enter in a dialog presses its default button, and toolkits
// ignore Enter while that button is disabled (mousepad's Save: up to 0.5 s after the last character). A settled screen
// does not show this, so await_default_button waits for the button. An application that still starts may read text and
// drop it (LibreOffice on a busy machine), so await_focused_element waits until one of its elements has the focus.
#pragma once

#include <optional>
#include <string>

#include "da/v1/observation.pb.h"
#include "lib/base/result.h"
#include "services/planner/task/task_view.h"

namespace da::planner::plain {

// Text needs a focused window; a chord may be for the desktop itself.
enum class Focus { kNeeded, kOptional };

// Returns the observation of the settled window.
Result<v1::Observation> await_rest(TaskView& view, const v1::Observation& latest, Focus focus);

// Waits until an element of the focused window has the keyboard focus, at most 3 s; not if it exposes no elements.
Result<void> await_focused_element(TaskView& view, const v1::Window& focused);

// If the focused window is a dialog (it has a Cancel button) with a default button: waits until that is enabled, at
// most 3 s, because Enter may be meant for another element.
Result<void> await_default_button(TaskView& view, const v1::Window& focused);

}  // namespace da::planner::plain
