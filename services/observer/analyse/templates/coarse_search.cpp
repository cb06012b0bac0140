#include "services/observer/analyse/templates/coarse_search.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "services/observer/analyse/templates/correlator.h"

namespace da::observer {
namespace {

// A window whose cells differ less (mean square) shows nothing but rounding.
constexpr double kLeastVariance = 0.1;

Channel project(const frames::PixelView& level, const Projection& projection) {
  Channel channel{level.width, level.height, {}};
  channel.values.resize(static_cast<std::size_t>(level.width) * static_cast<std::size_t>(level.height));
  auto to = channel.values.begin();
  for (int y = 0; y < level.height; ++y) {
    const std::uint8_t* row = level.data + static_cast<std::size_t>(y) * level.stride;
    for (int x = 0; x < level.width; ++x) *to++ = projection.of(row + static_cast<std::size_t>(x) * 4);
  }
  return channel;
}

// A quarter of the squares, so that they fit.
Channel squares_of(const Channel& channel) {
  Channel squares = channel;
  for (std::int16_t& value : squares.values) value = static_cast<std::int16_t>((value * value) >> 2);
  return squares;
}

// All cells count: adds the sum of squared differences from the window's mean, for each place.
void add_variances(const Channel& channel, int width, int height, std::vector<float>& variances) {
  std::vector<std::int32_t> column_sums(static_cast<std::size_t>(channel.width));
  std::vector<std::int32_t> column_squares(column_sums.size());
  float* to = variances.data();
  const auto add_row = [&](int y, int sign) {
    const std::int16_t* row = channel.row(y);
    for (std::size_t x = 0; x < column_sums.size(); ++x) {
      column_sums[x] += sign * row[x];
      column_squares[x] += sign * row[x] * row[x];
    }
  };
  const auto width_size = static_cast<std::size_t>(width);
  const double count = static_cast<double>(width) * height;
  for (int y = 0; y < channel.height; ++y) {
    add_row(y, 1);
    if (y >= height) add_row(y - height, -1);
    if (y + 1 < height) continue;
    std::int64_t sum = 0, squares = 0;
    for (std::size_t x = 0; x < column_sums.size(); ++x) {
      sum += column_sums[x];
      squares += column_squares[x];
      if (x >= width_size) {
        sum -= column_sums[x - width_size];
        squares -= column_squares[x - width_size];
      }
      if (x + 1 < width_size) continue;
      *to++ += static_cast<float>(static_cast<double>(squares) -
                                  static_cast<double>(sum) * static_cast<double>(sum) / count);
    }
  }
}

// 1 / the norm of a window's differences from its mean; 0 if there are none.
void invert(std::vector<float>& variances, int count) {
  const float least = static_cast<float>(kLeastVariance * count);
  for (float& value : variances) value = value > least ? 1 / std::sqrt(value) : 0;
}

// A channel of the level with what is needed to correlate it.
struct Correlated {
  Correlated(Channel of, const CoarseTemplate& wanted, bool masked)
      : channel(std::move(of)), values(channel, wanted.width, wanted.height) {
    if (masked) quarter_squares.emplace(squares_of(channel), wanted.width, wanted.height);
  }

  Channel channel;
  Correlator values;
  std::optional<Correlator> quarter_squares;
};

void add_masked_variances(const Correlated& channel, const CoarsePhase& phase, std::vector<float>& variances) {
  const std::vector<std::int16_t> counts(phase.counts.begin(), phase.counts.end());
  std::vector<float> sums, squares;
  channel.values.run(counts, sums);
  channel.quarter_squares->run(counts, squares);
  for (std::size_t i = 0; i < sums.size(); ++i)
    variances[i] += 4 * squares[i] - sums[i] * sums[i] / static_cast<float>(phase.counted);
}

// The best phase at each place.
struct Scores {
  int columns = 0;
  int rows = 0;
  std::vector<float> score;
  std::vector<std::int32_t> phase;

  const float* row(int y) const {
    return score.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(columns);
  }
};

void keep_better(std::span<const float> products, std::span<const float> norms, float scale, std::int32_t phase,
                 Scores& scores) {
  float* const score = scores.score.data();
  std::int32_t* const best = scores.phase.data();
  for (std::size_t at = 0; at < products.size(); ++at) {
    const float found = products[at] * scale * norms[at];
    best[at] = found > score[at] ? phase : best[at];
    score[at] = std::max(found, score[at]);
  }
}

std::vector<float> inverse_norms(const std::vector<Correlated>& channels, const CoarseTemplate& wanted,
                                 const CoarsePhase& phase, std::size_t places) {
  std::vector<float> norms(places);
  for (const Correlated& channel : channels) {
    if (phase.counts.empty()) {
      add_variances(channel.channel, wanted.width, wanted.height, norms);
    } else {
      add_masked_variances(channel, phase, norms);
    }
  }
  invert(norms, phase.counted);
  return norms;
}

float scale_of(const CoarsePhase& phase) { return static_cast<float>(1 / (kCellScale * std::max(phase.norm, 1e-9))); }

std::span<const std::int16_t> cells_of(const CoarsePhase& phase, std::size_t channel, const CoarseTemplate& wanted) {
  const auto cells = static_cast<std::size_t>(wanted.width) * static_cast<std::size_t>(wanted.height);
  return std::span(phase.cells).subspan(channel * cells, cells);
}

// Each phase at each place.
void score_phases(const std::vector<Correlated>& channels, const CoarseTemplate& wanted, bool masked, Scores& scores) {
  std::vector<float> norms, products, more;
  const std::size_t places = scores.score.size();
  for (std::size_t i = 0; i < wanted.phases.size(); ++i) {
    const CoarsePhase& phase = wanted.phases[i];
    if (norms.empty() || masked) norms = inverse_norms(channels, wanted, phase, places);
    for (std::size_t c = 0; c < channels.size(); ++c) {
      channels[c].values.run(cells_of(phase, c, wanted), c == 0 ? products : more);
      for (std::size_t at = 0; c > 0 && at < places; ++at) products[at] += more[at];
    }
    keep_better(products, norms, scale_of(phase), static_cast<std::int32_t>(i), scores);
  }
}

// The score of one phase up to which another one stays below `least` at the same place. Scores are cosines of angles,
// so that the angle between the phases bounds how much theirs differ.
float hopeless_score(const CoarsePhase& known, const CoarsePhase& other, double least) {
  constexpr double kRounding = 0.01;  // Cells are rounded to 1 / kCellScale.
  const double angle = std::acos(std::clamp(likeness(known, other) - kRounding, -1.0, 1.0));
  return static_cast<float>(std::cos(std::min(std::acos(std::clamp(least, -1.0, 1.0)) + angle, std::numbers::pi)));
}

// Compares blocks of places with the phases one after another, and leaves out those that cannot reach `least`.
class BlockScorer {
 public:
  BlockScorer(const std::vector<Correlated>& channels, const CoarseTemplate& wanted, double least)
      : channels_(channels) {
    for (std::size_t i = 0; i < wanted.phases.size(); ++i) {
      const CoarsePhase& phase = wanted.phases[i];
      Phase& added = phases_.emplace_back();
      added.scale = scale_of(phase);
      for (std::size_t c = 0; c < channels.size(); ++c) {
        added.factors.push_back(factors_of(cells_of(phase, c, wanted), wanted.width, wanted.height));
      }
      for (std::size_t k = 0; k < i; ++k) added.hopeless.push_back(hopeless_score(wanted.phases[k], phase, least));
    }
    highest_.resize(phases_.size());
  }

  void run(std::span<const float> norms, Scores& scores) {
    for (int y = 0; y < scores.rows; ++y) {
      for (int x = 0; x < scores.columns; x += Correlator::kBlock) {
        const auto at =
            static_cast<std::size_t>(y) * static_cast<std::size_t>(scores.columns) + static_cast<std::size_t>(x);
        const auto count = static_cast<std::size_t>(std::min(Correlator::kBlock, scores.columns - x));
        score_block(x, y, norms.subspan(at, count), scores.score.data() + at, scores.phase.data() + at);
      }
    }
  }

 private:
  struct Phase {
    std::vector<Factors> factors;  // Indexed by channel.
    std::vector<float> hopeless;   // hopeless_score() for each earlier phase.
    float scale = 0;
  };
  static constexpr float kUnknown = 2;

  void score_block(int x, int y, std::span<const float> norms, float* score, std::int32_t* best) {
    if (std::ranges::all_of(norms, [](float norm) { return norm == 0; })) return;
    for (std::size_t i = 0; i < phases_.size(); ++i) {
      const Phase& phase = phases_[i];
      highest_[i] = kUnknown;
      if (std::ranges::equal(phase.hopeless, std::span(highest_).first(i), std::ranges::less())) {
        highest_[i] = score_phase(phase, static_cast<std::int32_t>(i), x, y, norms, score, best);
      }
    }
  }

  // Returns the highest score in the block.
  float score_phase(const Phase& phase, std::int32_t index, int x, int y, std::span<const float> norms, float* score,
                    std::int32_t* best) const {
    std::int32_t sums[Correlator::kBlock];
    float products[Correlator::kBlock]{};
    for (std::size_t c = 0; c < channels_.size(); ++c) {
      channels_[c].values.sum_block(phase.factors[c], x, y, sums);
      for (std::size_t i = 0; i < Correlator::kBlock; ++i) products[i] += static_cast<float>(sums[i]);
    }
    float highest = 0;
    for (std::size_t i = 0; i < norms.size(); ++i) {
      const float found = products[i] * phase.scale * norms[i];
      highest = std::max(found, highest);
      best[i] = found > score[i] ? index : best[i];
      score[i] = std::max(found, score[i]);
    }
    return highest;
  }

  const std::vector<Correlated>& channels_;
  std::vector<Phase> phases_;
  std::vector<float> highest_;  // Highest score of each phase in the block; kUnknown if it was left out.
};

// Places below `least` may lack their best phase.
Scores score_all(const frames::PixelView& level, const CoarseTemplate& wanted, double least) {
  const bool masked =
      std::ranges::any_of(wanted.phases, [](const CoarsePhase& phase) { return !phase.counts.empty(); });
  std::vector<Correlated> channels;
  for (const Projection& projection : wanted.channels)
    channels.emplace_back(project(level, projection), wanted, masked);
  Scores scores{level.width - wanted.width + 1, level.height - wanted.height + 1, {}, {}};
  const Correlator& first = channels.front().values;
  scores.score.assign(first.places(), 0);
  scores.phase.assign(first.places(), 0);
  if (masked || !first.directly()) {
    score_phases(channels, wanted, masked, scores);
  } else {
    BlockScorer(channels, wanted, least)
        .run(inverse_norms(channels, wanted, wanted.phases.front(), first.places()), scores);
  }
  return scores;
}

// Only the first of equal neighbours, in reading order, is a maximum.
bool is_local_maximum(const Scores& scores, int x, int y) {
  const float score = scores.row(y)[x];
  const int left = std::max(0, x - 1);
  const int right = std::min(scores.columns - 1, x + 1);
  for (int other_y = std::max(0, y - 1); other_y <= std::min(scores.rows - 1, y + 1); ++other_y) {
    const float* row = scores.row(other_y);
    for (int other_x = left; other_x <= right; ++other_x) {
      const bool earlier = other_y < y || (other_y == y && other_x < x);
      if (row[other_x] > score || (earlier && row[other_x] == score)) return false;
    }
  }
  return true;
}

// Best first.
std::vector<CoarsePlace> local_maxima(const Scores& scores, const CoarseTemplate& wanted, float above,
                                      std::size_t most) {
  const int side = 1 << wanted.halvings;
  std::vector<CoarsePlace> places;
  for (int y = 0; y < scores.rows; ++y) {
    const float* row = scores.row(y);
    for (int x = 0; x < scores.columns; ++x) {
      if (row[x] <= above || !is_local_maximum(scores, x, y)) continue;
      const std::int32_t phase = scores.phase[static_cast<std::size_t>(row - scores.row(0) + x)];
      const Point offset = wanted.phases[static_cast<std::size_t>(phase)].phase;
      places.push_back({{x * side - offset.x, y * side - offset.y}, row[x]});
    }
  }
  const auto kept = places.begin() + static_cast<std::ptrdiff_t>(std::min(most, places.size()));
  std::ranges::partial_sort(places, kept, std::greater<>(), &CoarsePlace::score);
  places.erase(kept, places.end());
  return places;
}

}  // namespace

std::vector<CoarsePlace> coarse_places(const frames::PixelView& level, const CoarseTemplate& wanted, double least_score,
                                       std::size_t most, std::size_t always) {
  if (level.width < wanted.width || level.height < wanted.height) return {};
  const Scores scores = score_all(level, wanted, least_score);
  auto places = local_maxima(scores, wanted, static_cast<float>(least_score), most);
  if (places.size() < always) places = local_maxima(scores, wanted, 0, always);
  return places;
}

}  // namespace da::observer
