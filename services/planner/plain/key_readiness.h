// Waits until keys that are about to be sent will be taken. One thread, the task's.
//
// Keys go to whatever has the focus, so the focused window must be at rest: its screen is quiet, or, where something
// else on the screen never rests, two looks in a row agree about window and elements. Enter in a dialog works its
// default button, and toolkits ignore it while that button is not enabled yet (mousepad's Save: up to half a second
// after the last character), which no quiet screen reveals; so the button is waited for.
#pragma once

#include <optional>
#include <string>

#include "da/v1/observation.pb.h"
#include "lib/base/result.h"
#include "services/planner/sight.h"

namespace da::planner::plain {

// Whether nothing having the focus is an error: it is for text, but a chord may be meant for the desktop itself.
enum class Focus { kNeeded, kOptional };

// The observation that the keys can be sent on.
Result<v1::Observation> await_rest(Sight& sight, const v1::Observation& latest, Focus focus);

// The field that was found under that name, once it has the focus and so takes the keys; nullopt where it does not get
// it in a moment. Where the element has been replaced since, the one that bears the name now.
Result<std::optional<v1::UiNode>> await_field_focus(Sight& sight, const std::string& field,
                                                    const std::string& element_id);

// Where the focused window is a dialog (it has a button to cancel it) and shows a button that Enter would mean: until
// that one is enabled, but not for long, because Enter may be meant for something else in it.
Result<void> await_default_button(Sight& sight, const v1::Window& focused);

}  // namespace da::planner::plain
