// Analyses a picture file by executing da-observer, for programs that link no image library. Blocks until it ends.
// Linux.
#pragma once

#include <filesystem>
#include <vector>

#include "da/v1/analysis.pb.h"
#include "lib/base/result.h"
#include "lib/os/process/child_process.h"

namespace da::service {

// `observer`: the program and its environment; the rest is set here. One reply for each request. kFailedPrecondition:
// the picture or a request is unusable; da-observer said why on stderr.
Result<std::vector<v1::AnalyzeReply>> analyze_picture(os::Command observer, const std::filesystem::path& image,
                                                      const std::vector<v1::AnalyzeRequest>& requests);

}  // namespace da::service
