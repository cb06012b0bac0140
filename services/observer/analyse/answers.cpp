#include "services/observer/analyse/answers.h"

#include <string>
#include <utility>

#include "services/observer/analyse/colours.h"
#include "services/observer/analyse/region.h"
#include "services/observer/analyse/templates/template_search.h"
#include "services/observer/frames/wire.h"
#include "services/observer/text/reading_order.h"

namespace da::observer {
namespace {

v1::Colour to_wire(const Colour& colour) {
  v1::Colour out;
  out.set_red(colour.red);
  out.set_green(colour.green);
  out.set_blue(colour.blue);
  return out;
}

v1::TemplateMatch to_wire(const FoundTemplate& found, Point offset) {
  v1::TemplateMatch match;
  *match.mutable_area() =
      rect_to_wire({found.area.x + offset.x, found.area.y + offset.y, found.area.width, found.area.height});
  match.set_confidence(found.confidence);
  match.set_scale(found.scale);
  match.set_exact(found.exact);
  return match;
}

std::string size_of(int width, int height) { return std::to_string(width) + "x" + std::to_string(height); }

}  // namespace

void add_pixel(const frames::PixelView& pixels, Point offset, const v1::Point& at, v1::RegionAnalysis& answer) {
  auto& pixel = *answer.add_pixels();
  *pixel.mutable_at() = at;
  const Point wanted = point_from_wire(at);
  const Point inside{wanted.x - offset.x, wanted.y - offset.y};
  if (Rect{0, 0, pixels.width, pixels.height}.contains(inside)) {
    *pixel.mutable_colour() = to_wire(colour_at(pixels, inside));
  } else {
    *pixel.mutable_error() = analysis_error(v1::AnalysisError::CODE_POINT_OUTSIDE_REGION,
                                            "the point " + std::to_string(wanted.x) + "," + std::to_string(wanted.y) +
                                                " is outside of the region, or of the desktop");
  }
}

void set_average_colour(const frames::PixelView& pixels, v1::RegionAnalysis& answer) {
  *answer.mutable_average_colour() = to_wire(average_colour(pixels));
}

void set_dominant_colours(const frames::PixelView& pixels, int clusters, v1::RegionAnalysis& answer) {
  for (const DominantColour& dominant : dominant_colours(pixels, clusters)) {
    auto& out = *answer.add_dominant_colours();
    *out.mutable_colour() = to_wire(dominant.colour);
    out.set_percent(dominant.share * 100);
  }
}

void add_template(const frames::PixelView& pixels, ImagePyramid& pyramid, Point offset, const DecodedImage& image,
                  const v1::TemplateQuery& query, const std::stop_token& stop, v1::RegionAnalysis& answer) {
  auto& result = *answer.add_templates();
  result.set_digest(query.digest());
  TemplateWish wish{.min_confidence = query.min_confidence(),
                    .stop = query.exact_suffices() ? Stop::kAfterExact : Stop::kAfterAll,
                    .mask_by = query.mask_by_alpha() ? MaskBy::kAlpha : MaskBy::kNothing};
  if (!query.scales().empty()) wish.scales.assign(query.scales().begin(), query.scales().end());
  if (!fits(image, wish.scales, pixels)) {
    *result.mutable_error() =
        analysis_error(v1::AnalysisError::CODE_TEMPLATE_TOO_LARGE,
                       "the template, " + size_of(image.width, image.height) + " pixels, is larger than the region, " +
                           size_of(pixels.width, pixels.height));
    return;
  }
  if (!has_pixels(template_pixels(image, wish.mask_by, 1))) {
    *result.mutable_error() =
        analysis_error(v1::AnalysisError::CODE_TEMPLATE_MASKED, "all pixels of the template are transparent");
    return;
  }
  const TemplateFindings found = find_template(pixels, pyramid, image, wish, stop);
  for (const FoundTemplate& match : found.matches) *result.add_matches() = to_wire(match, offset);
  result.set_ambiguous(found.ambiguous);
  result.set_more(found.more);
  if (found.best) *result.mutable_best() = to_wire(*found.best, offset);
}

void set_text(std::vector<OcrLine> lines, Point corner, v1::OcrText& text) {
  sort_by_rows(lines, [](const OcrLine& line) { return line.bounds; });
  std::string whole;
  double confidence = 0;
  for (const OcrLine& line : lines) {
    if (!whole.empty()) whole += '\n';
    for (const OcrWord& word : line.words) {
      auto& out = *text.add_words();
      out.set_text(word.text);
      *out.mutable_area() =
          rect_to_wire({word.bounds.x - corner.x, word.bounds.y - corner.y, word.bounds.width, word.bounds.height});
      out.set_confidence_percent(word.confidence * 100);
      confidence += word.confidence * 100;
      whole += (&word == &line.words.front() ? "" : " ") + word.text;
    }
  }
  text.set_text(whole);
  if (text.words_size() > 0) text.set_average_confidence_percent(confidence / text.words_size());
}

}  // namespace da::observer
