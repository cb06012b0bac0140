#include "services/observer/analyse/colours.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>
#include <span>
#include <unordered_map>

namespace da::observer {
namespace {

constexpr int kAttempts = 8;
constexpr int kTrials = 3;
constexpr int kMostRounds = 60;
constexpr std::uint32_t kSeed = 1;

using Place = std::array<double, 3>;  // Blue, green, red.

// Pixels of similar colour.
struct Sample {
  Place colour{};
  double pixels = 0;
};

struct Clusters {
  std::vector<Place> centers;
  std::vector<double> pixels;
  double spread = std::numeric_limits<double>::max();  // The sum of the squared distances.
};

double distance(const Place& a, const Place& b) {
  double sum = 0;
  for (std::size_t c = 0; c < 3; ++c) sum += (a[c] - b[c]) * (a[c] - b[c]);
  return sum;
}

std::uint32_t bgr_at(const std::uint8_t* pixel) {
  return pixel[0] | std::uint32_t{pixel[1]} << 8 | std::uint32_t{pixel[2]} << 16;
}

Place place_of(std::uint32_t bgr) {
  return {static_cast<double>(bgr & 255), static_cast<double>(bgr >> 8 & 255), static_cast<double>(bgr >> 16)};
}

// Calls take(colour, number of pixels) for each run of equal pixels in a row, until it returns false.
template <typename Take>
void for_each_run(const frames::PixelView& pixels, Take take) {
  for (int y = 0; y < pixels.height; ++y) {
    const std::uint8_t* row = pixels.data + static_cast<std::size_t>(y) * pixels.stride;
    for (int x = 0; x < pixels.width;) {
      const std::uint32_t colour = bgr_at(row + x * 4);
      int end = x + 1;
      while (end < pixels.width && bgr_at(row + end * 4) == colour) ++end;
      if (!take(colour, static_cast<std::uint64_t>(end - x))) return;
      x = end;
    }
  }
}

// In the order of the colours, so that the result does not depend on places. Empty: more than kMostColours.
std::vector<Sample> different_colours(const frames::PixelView& pixels) {
  std::unordered_map<std::uint32_t, std::uint64_t> counts;
  for_each_run(pixels, [&](std::uint32_t colour, std::uint64_t run) {
    counts[colour] += run;
    return counts.size() <= kMostColours;
  });
  if (counts.size() > kMostColours) return {};
  std::vector<std::pair<std::uint32_t, std::uint64_t>> sorted(counts.begin(), counts.end());
  std::ranges::sort(sorted);
  std::vector<Sample> samples;
  for (const auto& [colour, count] : sorted) samples.push_back({place_of(colour), static_cast<double>(count)});
  return samples;
}

std::vector<Sample> cubes_of_colours(const frames::PixelView& pixels) {
  constexpr int kShift = 3;
  struct Sum {
    std::array<std::uint64_t, 3> colour{};
    std::uint64_t pixels = 0;
  };
  std::vector<Sum> cubes(std::size_t{1} << 3 * (8 - kShift));
  for_each_run(pixels, [&](std::uint32_t colour, std::uint64_t run) {
    std::size_t cube = 0;
    for (int c = 0; c < 3; ++c) cube = cube << (8 - kShift) | (colour >> (8 * c) & 255) >> kShift;
    for (std::size_t c = 0; c < 3; ++c) cubes[cube].colour[c] += (colour >> (8 * c) & 255) * run;
    cubes[cube].pixels += run;
    return true;
  });
  std::vector<Sample> samples;
  for (const Sum& cube : cubes) {
    if (cube.pixels == 0) continue;
    Sample sample{{}, static_cast<double>(cube.pixels)};
    for (std::size_t c = 0; c < 3; ++c) sample.colour[c] = static_cast<double>(cube.colour[c]) / sample.pixels;
    samples.push_back(sample);
  }
  return samples;
}

// A sample, drawn with a probability in proportion to its weight.
std::size_t draw(std::span<const double> weights, double total, std::mt19937& random) {
  // Not std::uniform_real_distribution, whose results differ between standard libraries.
  double left = total * (static_cast<double>(random()) / 4294967296.0);
  std::size_t chosen = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] <= 0) continue;
    chosen = i;
    left -= weights[i];
    if (left < 0) break;
  }
  return chosen;
}

// k-means++: each next center is drawn with a probability in proportion to the squared distance from the others, the
// best of kTrials. Fewer centers if there are fewer samples.
std::vector<Place> first_centers(std::span<const Sample> samples, int clusters, std::mt19937& random) {
  std::vector<double> nearest(samples.size(), std::numeric_limits<double>::max());
  std::vector<double> weights(samples.size());
  for (std::size_t i = 0; i < samples.size(); ++i) weights[i] = samples[i].pixels;
  double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<Place> centers;
  std::vector<double> tried(samples.size()), kept(samples.size());
  while (static_cast<int>(centers.size()) < clusters && total > 0) {
    double least = std::numeric_limits<double>::max();
    Place best{};
    for (int trial = 0; trial < kTrials; ++trial) {
      const Place& candidate = samples[draw(weights, total, random)].colour;
      double sum = 0;
      for (std::size_t i = 0; i < samples.size(); ++i) {
        tried[i] = std::min(nearest[i], distance(samples[i].colour, candidate));
        sum += tried[i] * samples[i].pixels;
      }
      if (sum >= least) continue;
      least = sum;
      best = candidate;
      std::swap(tried, kept);
    }
    centers.push_back(best);
    std::swap(nearest, kept);
    for (std::size_t i = 0; i < samples.size(); ++i) weights[i] = nearest[i] * samples[i].pixels;
    total = least;
  }
  return centers;
}

std::size_t nearest_center(const std::vector<Place>& centers, const Place& colour, double& nearest) {
  std::size_t best = 0;
  nearest = std::numeric_limits<double>::max();
  for (std::size_t i = 0; i < centers.size(); ++i) {
    if (const double d = distance(centers[i], colour); d < nearest) {
      nearest = d;
      best = i;
    }
  }
  return best;
}

Clusters cluster(std::span<const Sample> samples, std::vector<Place> centers) {
  Clusters result{std::move(centers), {}, 0};
  std::vector<std::size_t> assigned(samples.size(), std::numeric_limits<std::size_t>::max());
  for (int round = 0; round < kMostRounds; ++round) {
    bool moved = false;
    result.spread = 0;
    result.pixels.assign(result.centers.size(), 0);
    std::vector<Place> sums(result.centers.size(), Place{});
    for (std::size_t i = 0; i < samples.size(); ++i) {
      double nearest = 0;
      const std::size_t center = nearest_center(result.centers, samples[i].colour, nearest);
      moved = moved || center != assigned[i];
      assigned[i] = center;
      result.spread += nearest * samples[i].pixels;
      result.pixels[center] += samples[i].pixels;
      for (std::size_t c = 0; c < 3; ++c) sums[center][c] += samples[i].colour[c] * samples[i].pixels;
    }
    if (!moved) break;
    for (std::size_t k = 0; k < sums.size(); ++k) {
      if (result.pixels[k] <= 0) continue;
      for (std::size_t c = 0; c < 3; ++c) result.centers[k][c] = sums[k][c] / result.pixels[k];
    }
  }
  return result;
}

std::uint8_t rounded(double value) { return static_cast<std::uint8_t>(std::clamp(std::lround(value), 0L, 255L)); }

Colour colour_of(const Place& place) { return {rounded(place[2]), rounded(place[1]), rounded(place[0])}; }

}  // namespace

Colour colour_at(const frames::PixelView& pixels, Point at) {
  const std::uint8_t* pixel =
      pixels.data + static_cast<std::size_t>(at.y) * pixels.stride + static_cast<std::size_t>(at.x) * 4;
  return {pixel[2], pixel[1], pixel[0]};
}

Colour average_colour(const frames::PixelView& pixels) {
  std::array<std::uint64_t, 3> sums{};
  for (int y = 0; y < pixels.height; ++y) {
    const std::uint8_t* row = pixels.data + static_cast<std::size_t>(y) * pixels.stride;
    std::array<std::uint32_t, 3> in_row{};  // 32 bits suffice: a row has at most 16384 pixels.
    for (int x = 0; x < pixels.width; ++x) {
      for (std::size_t c = 0; c < 3; ++c) in_row[c] += row[static_cast<std::size_t>(x) * 4 + c];
    }
    for (std::size_t c = 0; c < 3; ++c) sums[c] += in_row[c];
  }
  const double count = static_cast<double>(pixels.width) * pixels.height;
  Place mean{};
  for (std::size_t c = 0; c < 3; ++c) mean[c] = static_cast<double>(sums[c]) / count;
  return colour_of(mean);
}

std::vector<DominantColour> dominant_colours(const frames::PixelView& pixels, int clusters) {
  std::vector<Sample> samples = different_colours(pixels);
  if (samples.empty()) samples = cubes_of_colours(pixels);
  std::mt19937 random(kSeed);
  Clusters best;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    Clusters found = cluster(samples, first_centers(samples, clusters, random));
    if (found.spread < best.spread) best = std::move(found);
  }
  const double all = static_cast<double>(pixels.width) * pixels.height;
  std::vector<DominantColour> colours;
  for (std::size_t i = 0; i < best.centers.size(); ++i) {
    if (best.pixels[i] > 0) colours.push_back({colour_of(best.centers[i]), best.pixels[i] / all});
  }
  std::ranges::stable_sort(colours, std::greater<>(), &DominantColour::share);
  return colours;
}

}  // namespace da::observer
