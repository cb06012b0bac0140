// Pictures that da-observer analyses for the commands of profiles. It is executed from the directory of this program.
// Blocks until it ends. Errors: those of lib/service/picture_analysis.h.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "da/v1/analysis.pb.h"
#include "lib/base/result.h"

namespace da::planner::rules {

Result<std::vector<v1::AnalyzeReply>> analyze_file(const std::filesystem::path& image,
                                                   const std::vector<v1::AnalyzeRequest>& requests);
// `image`: the content of a PNG or JPEG file.
Result<std::vector<v1::AnalyzeReply>> analyze_bytes(const std::string& image,
                                                    const std::vector<v1::AnalyzeRequest>& requests);

}  // namespace da::planner::rules
