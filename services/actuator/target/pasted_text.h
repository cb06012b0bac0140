// Finds out what became of a text that the application has taken from the clipboard. Runs under the desktop's lock.
#pragma once

#include <string>

#include "da/v1/outcome.pb.h"
#include "services/actuator/desktop/desktop.h"
#include "services/actuator/target/action_target.h"

namespace da::actuator {

// Confirmed if the focused field shows the text once more than before, or does not tell what it contains. No effect if
// a single-line field is as before. Dispatched if it shows another text, or what has the focus cannot be edited.
v1::Outcome outcome_of_paste(Desktop& desktop, const ActionTarget& target, const std::string& text, const Clock& clock);

}  // namespace da::actuator
