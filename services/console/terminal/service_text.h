// What a service says of itself, for `status`, as a person or a script reads it. Pure; any thread. A service may be in
// somebody else's hands: all that it says is escaped.
#pragma once

#include <string>

#include "da/v1/service_rpc.pb.h"
#include "lib/base/result.h"

namespace da::console {

// Several lines, without the last line break. `name` is ours.
std::string service_text(const std::string& name, const Result<v1::ServiceDescription>& description);

// What it says of the task alone: task, goal, step, approvals and questions; a line for each.
std::string summary_text(const std::string& name, const Result<v1::ServiceDescription>& description);

// The same as service_text, as one JSON line.
std::string service_json(const std::string& name, const Result<v1::ServiceDescription>& description);

}  // namespace da::console
