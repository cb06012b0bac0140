// A service's description of itself as text for `status`. Pure; any thread. The service may be compromised, so all of
// its texts are escaped.
#pragma once

#include <string>

#include "da/v1/service_rpc.pb.h"
#include "lib/base/result.h"

namespace da::console {

// Several lines, without the last line break. `name` is trusted.
std::string service_text(const std::string& name, const Result<v1::ServiceDescription>& description);

// Only the lines about the task: task, goal, step, approvals and questions.
std::string summary_text(const std::string& name, const Result<v1::ServiceDescription>& description);

// Returns one JSON line.
std::string service_json(const std::string& name, const Result<v1::ServiceDescription>& description);

}  // namespace da::console
