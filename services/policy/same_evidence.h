// Whether what a person approved is still what would happen. Compared are window and process, element, path and
// argument list. Pixels are not: a caret blinks while a person reads; the actuator compares them just before it acts.
// Pure; any thread.
#pragma once

#include <optional>
#include <string>

#include "da/v1/tools.pb.h"
#include "da/v1/verdict.pb.h"

namespace da::policy {

// nullopt where they match; else what differs, in words for people, foreign text escaped.
std::optional<std::string> difference(const v1::Action& action, const v1::Evidence& approved, const v1::Evidence& now);

}  // namespace da::policy
