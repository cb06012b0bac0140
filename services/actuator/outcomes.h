// Turns the desktop's answers into outcomes. Pure; any thread.
#pragma once

#include <string>

#include "da/v1/outcome.pb.h"
#include "services/actuator/desktop/roles/input.h"

namespace da::actuator {

v1::Outcome outcome_of(v1::Outcome::Kind kind, std::string message = {});
v1::Outcome outcome_of(v1::Outcome::Kind kind, v1::Outcome::Code code, std::string message);
// An outcome of KIND_REFUSED.
v1::Outcome refusal(v1::Outcome::Code code, std::string message);
v1::Outcome failed(const Error& error);
v1::Outcome from_result(const Result<void>& result, v1::Outcome::Kind success);
// An error of a checkpoint becomes KIND_INTERRUPTED, any other error KIND_FAILED.
v1::Outcome from_progress(const Progress& progress);
// The same for typed text, with a message where nothing showed that the application has read it.
v1::Outcome from_typing(const Progress& progress);
// The same for clicks, but KIND_REFUSED if the target changed before the first click.
v1::Outcome from_clicks(const Progress& progress);
// The same for a chord.
v1::Outcome from_chord(const Result<void>& pressed);

}  // namespace da::actuator
