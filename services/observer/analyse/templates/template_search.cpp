#include "services/observer/analyse/templates/template_search.h"

#include <algorithm>
#include <map>
#include <utility>

#include "services/observer/analyse/templates/coarse_search.h"
#include "services/observer/analyse/templates/correlation.h"
#include "services/observer/analyse/templates/exact_search.h"

namespace da::observer {
namespace {

// More than kMostMatches, because the order of coarse scores is not that of confidences.
constexpr std::size_t kMostPlaces = 160;
constexpr std::size_t kPlacesAlways = 6;
// Around the best places every pixel is compared, because the correlation of fine patterns has no slope to climb.
constexpr std::size_t kPlacesSearchedFully = 4;
// A place that does not come closer than this to the least confidence within its first pixels is given up.
constexpr double kHopeless = 0.6;
// How much lower a match may score on the coarse level than at full size.
constexpr double kCoarseTolerance = 0.12;
constexpr double kLeastCoarseScore = 0.1;

bool fits_at(int width, int height, double scale, const frames::PixelView& region) {
  return scaled_length(width, scale) <= region.width && scaled_length(height, scale) <= region.height;
}

// Climbs from a place to the highest confidence near it.
class Refinement {
 public:
  Refinement(const frames::PixelView& region, const Correlation& correlation)
      : region_(region),
        correlation_(correlation),
        last_{region.width - correlation.width(), region.height - correlation.height()} {}

  // The place may be `reach` pixels wrong. Gives up if it stays below `hopeless`.
  std::pair<Point, double> climb(Point from, int reach, double hopeless) {
    Point best = inside(from);
    double confidence = at(best);
    for (int step = reach; step > 0;) {
      const Point middle = best;
      for (int dy = -step; dy <= step; dy += step) {
        for (int dx = -step; dx <= step; dx += step) improve({middle.x + dx, middle.y + dy}, best, confidence);
      }
      if (confidence < hopeless) break;
      if (best == middle) step /= 2;
    }
    return {best, confidence};
  }

  // The best of all places up to `reach` pixels away.
  std::pair<Point, double> search(Point from, int reach) {
    Point best = inside(from);
    double confidence = at(best);
    for (int dy = -reach; dy <= reach; ++dy) {
      for (int dx = -reach; dx <= reach; ++dx) improve({from.x + dx, from.y + dy}, best, confidence);
    }
    return climb(best, 1, -1);
  }

 private:
  Point inside(Point p) const { return {std::clamp(p.x, 0, last_.x), std::clamp(p.y, 0, last_.y)}; }

  void improve(Point next, Point& best, double& confidence) {
    next = inside(next);
    const double found = at(next);
    if (found <= confidence) return;
    best = next;
    confidence = found;
  }

  double at(Point p) {
    const auto [known, is_new] = known_.try_emplace({p.y, p.x}, 0);
    if (is_new) known->second = correlation_.at(region_, p);
    return known->second;
  }

  const frames::PixelView region_;
  const Correlation& correlation_;
  const Point last_;
  std::map<std::pair<int, int>, double> known_;
};

std::vector<FoundTemplate> find_similar(const frames::PixelView& region, ImagePyramid& pyramid,
                                        const TemplatePixels& wanted, double scale, double min_confidence) {
  const CoarseTemplate coarse = coarse_template(wanted);
  const double least = std::max(kLeastCoarseScore, coarse.self_likeness * min_confidence - kCoarseTolerance);
  const Correlation correlation(wanted);
  Refinement refinement(region, correlation);
  std::vector<FoundTemplate> found;
  const int reach = std::max(1, coarse.reach);
  const int cell = 1 << coarse.halvings;
  for (const CoarsePlace& place :
       coarse_places(pyramid.level(coarse.halvings), coarse, least, kMostPlaces, kPlacesAlways)) {
    const bool fully = found.size() < kPlacesSearchedFully;
    const auto [at, confidence] = fully ? refinement.search(place.at, reach + cell / 2)
                                        : refinement.climb(place.at, reach, kHopeless * min_confidence);
    found.push_back({{at.x, at.y, wanted.width, wanted.height}, confidence, scale, false});
  }
  return found;
}

bool overlap_by_half(const Rect& a, const Rect& b) {
  return intersection(a, b).area() * 2 >= std::min(a.area(), b.area());
}

// Sorted, and without places that overlap a better one.
std::vector<FoundTemplate> best_places(std::vector<FoundTemplate> places) {
  std::ranges::stable_sort(places, [](const FoundTemplate& a, const FoundTemplate& b) {
    return a.exact != b.exact ? a.exact : a.confidence > b.confidence;
  });
  std::vector<FoundTemplate> kept;
  for (const FoundTemplate& place : places) {
    const bool covered = std::ranges::any_of(
        kept, [&](const FoundTemplate& better) { return overlap_by_half(place.area, better.area); });
    if (!covered) kept.push_back(place);
  }
  return kept;
}

TemplateFindings findings(std::vector<FoundTemplate> places, double min_confidence) {
  TemplateFindings result;
  result.matches = best_places(std::move(places));
  if (!result.matches.empty()) result.best = result.matches.front();
  std::erase_if(result.matches, [&](const FoundTemplate& place) {
    return !place.exact && (place.confidence < min_confidence || min_confidence >= 1);
  });
  result.ambiguous =
      result.matches.size() > 1 && result.matches[1].confidence >= result.matches.front().confidence - kNearTie;
  result.more = result.matches.size() > kMostMatches;
  if (result.more) result.matches.resize(kMostMatches);
  return result;
}

}  // namespace

bool fits(const DecodedImage& image, const std::vector<double>& scales, const frames::PixelView& region) {
  return std::ranges::any_of(scales, [&](double scale) { return fits_at(image.width, image.height, scale, region); });
}

TemplateFindings find_template(const frames::PixelView& region, ImagePyramid& pyramid, const DecodedImage& image,
                               const TemplateWish& wish, const std::stop_token& stop) {
  std::vector<FoundTemplate> places;
  if (std::ranges::find(wish.scales, 1.0) != wish.scales.end() && fits_at(image.width, image.height, 1, region)) {
    const TemplatePixels wanted = template_pixels(image, wish.mask_by, 1);
    for (const Point at : find_exact(region, wanted, kMostMatches + 1)) {
      places.push_back({{at.x, at.y, wanted.width, wanted.height}, 1, 1, true});
    }
    if (!places.empty() && wish.stop == Stop::kAfterExact) return findings(std::move(places), wish.min_confidence);
  }
  if (wish.min_confidence >= 1) return findings(std::move(places), wish.min_confidence);
  for (const double scale : wish.scales) {
    if (stop.stop_requested()) break;
    if (!fits_at(image.width, image.height, scale, region)) continue;
    const TemplatePixels wanted = template_pixels(image, wish.mask_by, scale);
    if (!has_pixels(wanted) || has_one_colour(wanted)) continue;
    for (FoundTemplate& place : find_similar(region, pyramid, wanted, scale, wish.min_confidence)) {
      places.push_back(std::move(place));
    }
  }
  return findings(std::move(places), wish.min_confidence);
}

}  // namespace da::observer
