#include "services/observer/analyse/analyze_limits.h"

#include <cmath>
#include <string>

#include "lib/base/text.h"

namespace da::observer {
namespace {

constexpr int kMostRegions = 256;
constexpr int kMostNewTemplates = 64;
constexpr int kMostPixels = 256;
constexpr int kMostTemplates = 64;
constexpr int kMostPictures = 4;
constexpr int kMostScales = 16;
constexpr std::uint32_t kMostColours = 16;
constexpr double kSmallestScale = 0.25;
constexpr double kLargestScale = 4;
// Template searches in a request: each scale is one.
constexpr int kMostSearches = 1024;

Error bad_request(const std::string& where, const std::string& why) {
  return {Code::kInvalidArgument, "cannot analyse " + where + ": " + why};
}

Result<void> at_most(const std::string& where, const char* what, std::int64_t found, std::int64_t most) {
  if (found <= most) return ok();
  return bad_request(where, std::to_string(found) + " " + what + " (at most " + std::to_string(most) + ")");
}

Result<void> check_template(const std::string& where, const v1::TemplateQuery& query) {
  const double confidence = query.min_confidence();
  if (!(confidence > 0 && confidence <= 1)) {
    return bad_request(where, "min_confidence must be above 0 and at most 1, not " + std::to_string(confidence));
  }
  RETURN_IF_ERROR(at_most(where, "scales", query.scales_size(), kMostScales));
  for (const double scale : query.scales()) {
    if (!(scale >= kSmallestScale && scale <= kLargestScale)) {
      return bad_request(where, "a scale must be 0.25 to 4, not " + std::to_string(scale));
    }
  }
  return ok();
}

}  // namespace

Result<void> check_limits(const v1::AnalyzeRequest& request) {
  RETURN_IF_ERROR(at_most("the screen", "regions", request.regions_size(), kMostRegions));
  RETURN_IF_ERROR(at_most("the screen", "template images", request.templates_size(), kMostNewTemplates));
  int searches = 0;
  int pictures = 0;
  for (int i = 0; i < request.regions_size(); ++i) {
    const v1::RegionQuery& query = request.regions(i);
    const std::string where = "region " + (query.name().empty() ? std::to_string(i + 1) : quote_foreign(query.name()));
    if (query.place_case() == v1::RegionQuery::PLACE_NOT_SET) return bad_request(where, "it has no place");
    RETURN_IF_ERROR(at_most(where, "pixels", query.pixels_size(), kMostPixels));
    RETURN_IF_ERROR(at_most(where, "dominant colours", query.dominant_colours(), kMostColours));
    pictures += query.has_picture() && !query.picture().for_recording() ? 1 : 0;
    RETURN_IF_ERROR(at_most(where, "templates", query.templates_size(), kMostTemplates));
    for (const v1::TemplateQuery& wanted : query.templates()) {
      RETURN_IF_ERROR(check_template(where, wanted));
      searches += std::max(1, wanted.scales_size());
    }
  }
  RETURN_IF_ERROR(at_most("the screen", "pictures", pictures, kMostPictures));
  return at_most("the screen", "searches for templates, with all scales", searches, kMostSearches);
}

}  // namespace da::observer
