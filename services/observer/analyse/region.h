// Finds the place of a query's region on the desktop. Pure; any thread.
#pragma once

#include <span>
#include <variant>

#include "da/v1/analysis.pb.h"
#include "da/v1/observation.pb.h"
#include "lib/base/geometry.h"

namespace da::observer {

struct Region {
  Rect area;                           // Desktop pixels; parts may be outside of the desktop.
  Rect visible;                        // The part on the desktop; not empty.
  const v1::Window* window = nullptr;  // Set for a WindowRegion.
};

v1::AnalysisError analysis_error(v1::AnalysisError::Code code, std::string message);

// Windows front to back.
std::variant<Region, v1::AnalysisError> find_region(const v1::RegionQuery& query, const Rect& desktop,
                                                    std::span<const v1::Window* const> windows);

}  // namespace da::observer
