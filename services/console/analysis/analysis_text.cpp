#include "services/console/analysis/analysis_text.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>

#include "lib/base/text.h"
#include "lib/contract/coordinates.h"

namespace da::console {
namespace {

constexpr std::size_t kMaxTextCharacters = 20'000;

std::string place(const Rect& area) {
  std::ostringstream out;
  out << area.x << "," << area.y << " (" << area.width << "x" << area.height << ")";
  return out.str();
}

std::string colour(const v1::Colour& colour) {
  std::ostringstream out;
  out << "#" << std::hex << std::setfill('0');
  for (const auto channel : {colour.red(), colour.green(), colour.blue()}) out << std::setw(2) << channel;
  out << std::dec << "  (red " << colour.red() << ", green " << colour.green() << ", blue " << colour.blue() << ")";
  return out.str();
}

std::string error(const v1::AnalysisError& error) { return "error: " + escape_foreign(error.message()); }

// Returns the rectangle in desktop pixels.
Rect moved(const v1::Rect& in_region, const Rect& region) {
  Rect area = contract::from_proto(in_region);
  area.x += region.x;
  area.y += region.y;
  return area;
}

std::string match_text(const v1::TemplateMatch& match, const Rect& region) {
  std::ostringstream out;
  out << place(moved(match.area(), region)) << "  confidence " << std::fixed << std::setprecision(4)
      << match.confidence();
  if (match.exact()) out << ", exact";
  if (match.scale() != 1) out << ", scale " << std::setprecision(2) << match.scale();
  return out.str();
}

void print_template(const v1::TemplateResult& result, const std::string& name, const Rect& region,
                    std::ostringstream& out) {
  out << "template " << name << "  ";
  if (result.has_error()) {
    out << error(result.error()) << "\n";
    return;
  }
  out << result.matches_size() << (result.more() ? " and more" : "")
      << (result.matches_size() == 1 ? " place" : " places") << (result.ambiguous() ? ", ambiguous" : "") << "\n";
  for (const auto& match : result.matches()) out << "  " << match_text(match, region) << "\n";
  if (result.matches().empty() && result.has_best()) {
    out << "  the best one, " << match_text(result.best(), region) << ", is not good enough\n";
  }
}

void print_text(const v1::OcrText& text, std::ostringstream& out) {
  if (text.has_error()) {
    out << "text  " << error(text.error()) << "\n";
    return;
  }
  out << "text  " << text.words_size() << " words, average confidence "
      << std::lround(text.average_confidence_percent()) << "%\n";
  std::istringstream lines(escape_foreign_lines(text.text(), kMaxTextCharacters));
  for (std::string line; std::getline(lines, line);) out << "  " << line << "\n";
}

}  // namespace

std::string analysis_text(const v1::RegionAnalysis& region, const std::vector<std::string>& template_names) {
  std::ostringstream out;
  const std::string window = region.window_id().empty() ? "" : " of window " + quote_foreign(region.window_title());
  if (region.has_error()) return "region" + window + "  " + error(region.error()) + "\n";
  const Rect area = contract::from_proto(region.area());
  out << "region " << place(area) << window << "\n";
  for (const auto& pixel : region.pixels()) {
    out << "pixel " << pixel.at().x() << "," << pixel.at().y() << "  "
        << (pixel.has_error() ? error(pixel.error()) : colour(pixel.colour())) << "\n";
  }
  if (region.has_average_colour()) out << "average  " << colour(region.average_colour()) << "\n";
  for (const auto& dominant : region.dominant_colours()) {
    out << "dominant " << std::fixed << std::setprecision(1) << std::setw(5) << dominant.percent() << "%  "
        << colour(dominant.colour()) << "\n";
  }
  for (int i = 0; i < region.templates_size(); ++i) {
    const auto index = static_cast<std::size_t>(i);
    print_template(region.templates(i), index < template_names.size() ? template_names[index] : "", area, out);
  }
  if (region.has_ocr()) print_text(region.ocr(), out);
  return out.str();
}

}  // namespace da::console
