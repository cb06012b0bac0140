// Checks a request against the limits that da/v1/analysis.proto states. Pure; any thread.
#pragma once

#include "da/v1/analysis.pb.h"
#include "lib/base/result.h"

namespace da::observer {

// kInvalidArgument names the region and the limit.
Result<void> check_limits(const v1::AnalyzeRequest& request);

}  // namespace da::observer
