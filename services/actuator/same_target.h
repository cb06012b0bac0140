// Whether an action would still hit what it was prepared for. Small changes (a blinking caret, a hover) are none:
// docs/SECURITY.md, "When a target is stale". Pure; any thread.
#pragma once

#include <optional>
#include <string>

#include "services/actuator/target.h"

namespace da::actuator {

// nullopt where it would; else what changed, in words, foreign text escaped.
std::optional<std::string> difference(const Target& prepared, const Target& now);

// None is the same as none. An id counts only with its process.
bool same_window(const std::optional<WindowInfo>& a, const std::optional<WindowInfo>& b);

// The same object, called the same, in whatever state: a click may check it or take the focus there.
bool same_control(const Element& a, const Element& b);

}  // namespace da::actuator
