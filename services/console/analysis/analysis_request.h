// Makes the request of `analyze` from its flags. Reads the template files. Any thread.
#pragma once

#include "da/v1/analysis.pb.h"
#include "lib/base/result.h"
#include "services/console/analysis/analyze.h"

namespace da::console {

// One region with all queries, and the templates. Without --region and --window the region has no place yet. Errors:
// kInvalidArgument for a flag, or why a file cannot be read.
Result<v1::AnalyzeRequest> analysis_request(const AnalyzeOptions& options);

}  // namespace da::console
