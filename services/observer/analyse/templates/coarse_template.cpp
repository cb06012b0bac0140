#include "services/observer/analyse/templates/coarse_template.h"

#include <algorithm>
#include <cmath>

namespace da::observer {
namespace {

constexpr int kMostHalvings = 7;
constexpr int kFewestCells = 48;             // That count.
constexpr int kShortestSide = 4;             // Cells.
constexpr double kLeastContrast = 3;         // Standard deviation of the cells, in levels of a channel.
constexpr double kLeastLikeness = 0.75;      // Else more phases are compared.
constexpr double kMostlyOneDirection = 0.9;  // Share of the variance.

// Channel values of the pixels that count.
struct Moments {
  double count = 0;
  std::array<double, 3> mean{};
  std::array<std::array<double, 3>, 3> covariance{};
};

Moments moments_of(const TemplatePixels& wanted) {
  Moments moments;
  std::array<std::array<double, 3>, 3> products{};
  for (int y = 0; y < wanted.height; ++y) {
    for (int x = 0; x < wanted.width; ++x) {
      if (!wanted.counts(x, y)) continue;
      const std::uint8_t* pixel = wanted.pixel(x, y);
      ++moments.count;
      for (std::size_t a = 0; a < 3; ++a) {
        moments.mean[a] += pixel[a];
        for (std::size_t b = 0; b < 3; ++b) products[a][b] += static_cast<double>(pixel[a]) * pixel[b];
      }
    }
  }
  for (double& mean : moments.mean) mean /= moments.count;
  for (std::size_t a = 0; a < 3; ++a) {
    for (std::size_t b = 0; b < 3; ++b) {
      moments.covariance[a][b] = products[a][b] / moments.count - moments.mean[a] * moments.mean[b];
    }
  }
  return moments;
}

// Sums of the projected values over any rectangle of the template.
class ProjectedSums {
 public:
  ProjectedSums(const TemplatePixels& wanted, const Projection& projection)
      : stride_(static_cast<std::size_t>(wanted.width) + 1),
        values_(stride_ * (static_cast<std::size_t>(wanted.height) + 1)),
        counts_(wanted.mask.empty() ? 0 : values_.size()) {
    for (int y = 0; y < wanted.height; ++y) {
      std::int64_t row_value = 0;
      std::int64_t row_count = 0;
      for (int x = 0; x < wanted.width; ++x) {
        const bool counted = wanted.counts(x, y);
        row_value += counted ? projection.of(wanted.pixel(x, y)) : 0;
        row_count += counted ? 1 : 0;
        values_[at(x + 1, y + 1)] = values_[at(x + 1, y)] + row_value;
        if (!counts_.empty()) counts_[at(x + 1, y + 1)] = counts_[at(x + 1, y)] + row_count;
      }
    }
  }

  std::int64_t value(const Rect& area) const { return sum(values_, area); }
  bool all_count(const Rect& area) const { return counts_.empty() || sum(counts_, area) == area.area(); }

 private:
  std::size_t at(int x, int y) const { return static_cast<std::size_t>(y) * stride_ + static_cast<std::size_t>(x); }
  std::int64_t sum(const std::vector<std::int64_t>& sums, const Rect& area) const {
    return sums[at(area.right(), area.bottom())] - sums[at(area.x, area.bottom())] - sums[at(area.right(), area.y)] +
           sums[at(area.x, area.y)];
  }

  std::size_t stride_;
  std::vector<std::int64_t> values_;
  std::vector<std::int64_t> counts_;
};

using Sums = std::vector<ProjectedSums>;  // One a channel.

// The means of whole cells, from the pixel `phase` of the template on.
CoarsePhase cells_at(const Sums& sums, const CoarseTemplate& coarse, Point phase) {
  const int side = 1 << coarse.halvings;
  CoarsePhase result{phase, {}, {}, 0, 0};
  std::vector<Rect> areas;
  for (int y = 0; y < coarse.height; ++y) {
    for (int x = 0; x < coarse.width; ++x) {
      areas.push_back({phase.x + x * side, phase.y + y * side, side, side});
      result.counts.push_back(sums.front().all_count(areas.back()) ? 1 : 0);
      result.counted += result.counts.back();
    }
  }
  double squares = 0;
  for (const ProjectedSums& channel : sums) {
    double mean = 0;
    std::vector<double> values(areas.size());
    for (std::size_t i = 0; i < areas.size(); ++i) {
      if (result.counts[i] == 0) continue;
      values[i] = static_cast<double>(channel.value(areas[i])) / (side * side);
      mean += values[i] / result.counted;
    }
    for (std::size_t i = 0; i < areas.size(); ++i) {
      const double value = result.counts[i] == 0 ? 0 : values[i] - mean;
      squares += value * value;
      result.cells.push_back(static_cast<std::int16_t>(std::lround(value * kCellScale)));
    }
  }
  if (result.counted == coarse.width * coarse.height) result.counts.clear();
  result.norm = std::sqrt(squares);
  return result;
}

// The least likeness of the template with itself when it lies `reach` pixels beside a phase.
double self_likeness(const Sums& sums, const CoarseTemplate& coarse, int reach) {
  const int middle = ((1 << coarse.halvings) - 1) / 2;
  const CoarsePhase here = cells_at(sums, coarse, {middle, middle});
  double least = 1;
  for (const Point step : {Point{reach, 0}, Point{0, reach}, Point{reach, reach}}) {
    least = std::min(least, likeness(here, cells_at(sums, coarse, {middle + step.x, middle + step.y})));
  }
  return least;
}

// Sets reach and self_likeness. The pixels from one phase to the next; 0: the template is too fine for this level.
int choose_step(const Sums& sums, CoarseTemplate& coarse) {
  const int side = 1 << coarse.halvings;
  for (int step = side / 2; step >= side / 4 && step > 1; step /= 2) {
    coarse.reach = step / 2;
    coarse.self_likeness = self_likeness(sums, coarse, coarse.reach);
    if (coarse.self_likeness >= kLeastLikeness) return step;
  }
  if (side > 4) return 0;
  coarse.reach = 0;
  coarse.self_likeness = 1;
  return 1;
}

// Without phases, if the template has too little left at this level.
CoarseTemplate at_level(const TemplatePixels& wanted, const Sums& sums, int halvings) {
  const int side = 1 << halvings;
  CoarseTemplate coarse{
      .halvings = halvings, .width = (wanted.width - side + 1) / side, .height = (wanted.height - side + 1) / side};
  const bool last = halvings == 0;
  if (!last &&
      (coarse.width < kShortestSide || coarse.height < kShortestSide || coarse.width * coarse.height < kFewestCells)) {
    return coarse;
  }
  const int step = choose_step(sums, coarse);
  if (step == 0) return coarse;
  for (int y = step / 2; y < side; y += step) {
    for (int x = step / 2; x < side; x += step) {
      CoarsePhase phase = cells_at(sums, coarse, {x, y});
      const double contrast = phase.norm / std::sqrt(std::max(1, phase.counted));
      if (!last && (phase.counted < kFewestCells || contrast < kLeastContrast)) {
        coarse.phases.clear();
        return coarse;
      }
      coarse.phases.push_back(std::move(phase));
    }
  }
  return coarse;
}

// The direction of the largest variance, by power iteration, if most of the variance lies there; else all channels.
std::vector<Projection> channels_of(const TemplatePixels& wanted) {
  const Moments moments = moments_of(wanted);
  std::array<double, 3> axis{1, 1.1, 1.2};  // Not at a right angle to any likely axis.
  double variance = 0;
  for (int round = 0; round < 50; ++round) {
    std::array<double, 3> next{};
    double length = 0;
    for (std::size_t a = 0; a < 3; ++a) {
      for (std::size_t b = 0; b < 3; ++b) next[a] += moments.covariance[a][b] * axis[b];
      length += next[a] * next[a];
    }
    variance = std::sqrt(length);
    if (variance <= 0) break;
    for (std::size_t a = 0; a < 3; ++a) axis[a] = next[a] / variance;
  }
  const double all = moments.covariance[0][0] + moments.covariance[1][1] + moments.covariance[2][2];
  if (variance < kMostlyOneDirection * all) return {{{256, 0, 0}, 128}, {{0, 256, 0}, 128}, {{0, 0, 256}, 128}};
  Projection projection;
  for (std::size_t a = 0; a < 3; ++a) projection.weights[a] = static_cast<int>(std::lround(axis[a] * 256));
  projection.offset = (projection.weights[0] + projection.weights[1] + projection.weights[2]) / 2;
  return {projection};
}

}  // namespace

double likeness(const CoarsePhase& a, const CoarsePhase& b) {
  double product = 0;
  for (std::size_t i = 0; i < a.cells.size(); ++i) product += static_cast<double>(a.cells[i]) * b.cells[i];
  const double norms = a.norm * b.norm * kCellScale * kCellScale;
  return norms > 0 ? product / norms : 0;
}

CoarseTemplate coarse_template(const TemplatePixels& wanted) {
  const auto channels = channels_of(wanted);
  Sums sums;
  for (const Projection& channel : channels) sums.emplace_back(wanted, channel);
  CoarseTemplate coarse;
  for (int halvings = kMostHalvings; halvings >= 0 && coarse.phases.empty(); --halvings) {
    coarse = at_level(wanted, sums, halvings);
  }
  coarse.channels = channels;
  return coarse;
}

}  // namespace da::observer
