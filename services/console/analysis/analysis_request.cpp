#include "services/console/analysis/analysis_request.h"

#include "lib/base/id.h"
#include "lib/base/name_text.h"
#include "lib/base/pattern.h"
#include "lib/base/text.h"
#include "lib/contract/coordinates.h"
#include "lib/os/files/files.h"
#include "services/console/pixels.h"

namespace da::console {
namespace {

constexpr std::size_t kMaxTemplateBytes = 2 << 20;  // Limit that da/v1/analysis.proto states.

Error bad_flag(const std::string& flag, const std::string& value, const std::string& wanted) {
  return {Code::kInvalidArgument, flag + " " + quote_foreign(value) + " is not " + wanted};
}

Result<void> set_place(const AnalyzeOptions& options, v1::RegionQuery& query) {
  const auto area = options.region.empty() ? std::optional(Rect{}) : parse_rect(options.region);
  if (!area) return bad_flag("--region", options.region, "X,Y,WIDTH,HEIGHT in pixels");
  if (!options.window.empty()) {
    query.mutable_window()->set_title_pattern(quote_pattern(composed(options.window)));
    *query.mutable_window()->mutable_area() = contract::to_proto(*area);
  } else if (!options.region.empty()) {
    *query.mutable_area() = contract::to_proto(*area);
  }
  return ok();
}

Result<void> add_template(const AnalyzeOptions& options, const std::filesystem::path& path,
                          v1::AnalyzeRequest& request) {
  ASSIGN_OR_RETURN(auto image, os::read_file(path, kMaxTemplateBytes));
  const std::string digest = to_hex(blake2b(image, 16));
  auto& query = *request.mutable_regions(0)->add_templates();
  query.set_digest(digest);
  query.set_min_confidence(options.min_confidence);
  query.set_exact_suffices(options.exact_suffices);
  query.set_mask_by_alpha(options.mask);
  query.mutable_scales()->Assign(options.scales.begin(), options.scales.end());
  auto& sent = *request.add_templates();
  sent.set_digest(digest);
  sent.set_image(std::move(image));
  return ok();
}

}  // namespace

Result<v1::AnalyzeRequest> analysis_request(const AnalyzeOptions& options) {
  v1::AnalyzeRequest request;
  auto& query = *request.add_regions();
  RETURN_IF_ERROR(set_place(options, query));
  for (const std::string& text : options.pixels) {
    const auto point = parse_point(text);
    if (!point) return bad_flag("--pixel", text, "X,Y in pixels of the region");
    *query.add_pixels() = contract::to_proto(*point);
  }
  query.set_average_colour(options.average);
  query.set_dominant_colours(options.dominant);
  if (options.ocr) query.mutable_ocr();
  for (const auto& path : options.templates) RETURN_IF_ERROR(add_template(options, path, request));
  return request;
}

}  // namespace da::console
