#include "services/planner/plain/language/goal_bounds.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "services/planner/plain/sentence_steps.h"
#include "services/planner/plain/window_raise.h"

namespace da::planner::plain {

// A loop may carry out its sentences once for each of its rounds.
std::uint32_t turn_bound(const Goal& goal, std::uint32_t tries_per_step) {
  constexpr double kMost = 1'000'000;
  double phases = 0;
  double rounds = 1;
  std::vector<double> outer;  // Rounds around each open loop.
  for (const Sentence& sentence : goal) {
    if (const auto* loop = std::get_if<While>(&sentence.command)) {
      outer.push_back(rounds);
      rounds *= loop->most_rounds;
    } else if (std::holds_alternative<EndWhile>(sentence.command)) {
      rounds = outer.back();
      outer.pop_back();
    } else {
      phases += rounds * (phases_of(sentence.command) + (names_window(sentence.command) ? 1 : 0));
    }
  }
  // The last decision reports that the goal is done.
  return static_cast<std::uint32_t>(std::min(phases * tries_per_step, kMost)) + 1;
}

std::uint32_t failure_bound(const Goal& goal) {
  const bool may_fail = std::ranges::any_of(goal, [](const Sentence& sentence) { return sentence.optional.left > 0; });
  return may_fail ? std::numeric_limits<std::uint32_t>::max() : 0;
}

}  // namespace da::planner::plain
