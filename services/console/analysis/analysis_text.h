// A region's analysis as text for people. Foreign text is escaped; places are desktop pixels. Pure; any thread.
#pragma once

#include <string>
#include <vector>

#include "da/v1/analysis.pb.h"

namespace da::console {

// `template_names`: in the order of the region's templates. Ends with a line feed.
std::string analysis_text(const v1::RegionAnalysis& region, const std::vector<std::string>& template_names);

}  // namespace da::console
