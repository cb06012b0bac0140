// Whether an action would still hit what it was prepared for. Small changes (a blinking caret, a hover) are none:
// docs/SECURITY.md, "When a target is stale". Pure; any thread.
#pragma once

#include <optional>
#include <string>

#include "services/actuator/target.h"

namespace da::actuator {

// nullopt where it would; else what changed, in words, foreign text escaped.
std::optional<std::string> difference(const Target& prepared, const Target& now);

}  // namespace da::actuator
