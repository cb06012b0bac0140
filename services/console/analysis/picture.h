// Analyses a picture file by executing da-observer, because this program has no image library. Blocks until it ends.
#pragma once

#include <filesystem>
#include <vector>

#include "da/v1/analysis.pb.h"
#include "lib/base/result.h"

namespace da::console {

// One reply for each request. kInvalidArgument: the picture or a request is unusable; da-observer said why on stderr.
Result<std::vector<v1::AnalyzeReply>> analyze_picture(const std::filesystem::path& image,
                                                      const std::vector<v1::AnalyzeRequest>& requests);

}  // namespace da::console
