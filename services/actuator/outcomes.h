// What a tool's handler makes of what the desktop answered. Pure; any thread.
#pragma once

#include <string>

#include "da/v1/outcome.pb.h"
#include "services/actuator/desktop/desktop.h"

namespace da::actuator {

v1::Outcome outcome_of(v1::Outcome::Kind kind, std::string message = {});
v1::Outcome failed(const Error& error);
v1::Outcome from_result(const Result<void>& result, v1::Outcome::Kind success);
// A checkpoint's error is an interruption; anything else that stops input is a failure.
v1::Outcome from_progress(const Progress& progress);
// The same of clicks: where the target changed before the first of them, none was begun, and it is a stale target.
v1::Outcome from_clicks(const Progress& progress);

}  // namespace da::actuator
