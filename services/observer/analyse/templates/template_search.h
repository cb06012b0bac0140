// Finds a template in a region: first the places with equal pixels, then similar ones at a coarse level of the region,
// which are compared again at full size. Confidence is OpenCV's TM_CCOEFF_NORMED (correlation.h). Pure; any thread.
#pragma once

#include <optional>
#include <stop_token>
#include <vector>

#include "services/observer/analyse/templates/image_pyramid.h"
#include "services/observer/analyse/templates/template_pixels.h"

namespace da::observer {

enum class Stop {
  kAfterAll,
  kAfterExact,  // If there are exact places, similar ones are not searched for.
};

struct TemplateWish {
  double min_confidence = 0.8;  // 1: only exact places.
  Stop stop = Stop::kAfterAll;
  MaskBy mask_by = MaskBy::kNothing;
  std::vector<double> scales{1};
};

struct FoundTemplate {
  Rect area;  // Pixels of the region.
  double confidence = 0;
  double scale = 1;
  bool exact = false;
};

struct TemplateFindings {
  std::vector<FoundTemplate> matches;  // Best first; exact ones before others of the same confidence.
  bool more = false;                   // There are more than kMostMatches.
  bool ambiguous = false;
  std::optional<FoundTemplate> best;  // Also below min_confidence.
};

inline constexpr std::size_t kMostMatches = 100;
inline constexpr double kNearTie = 0.02;  // The confidence by which a second place must be lower, to be no rival.

// True if at least one scale of the template fits into the region.
bool fits(const DecodedImage& image, const std::vector<double>& scales, const frames::PixelView& region);

// Scales at which the template does not fit are left out. The pyramid must be of `region`. After a stop request, the
// findings are incomplete.
TemplateFindings find_template(const frames::PixelView& region, ImagePyramid& pyramid, const DecodedImage& image,
                               const TemplateWish& wish, const std::stop_token& stop);

}  // namespace da::observer
