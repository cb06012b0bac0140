#include "services/console/commands/suggestions.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <utility>

#include "lib/base/text.h"

namespace da::console {
namespace {

// "login form=10,20,300,200"
Result<v1::Decision::Region> parse_region(const std::string& text) {
  const auto equals = text.rfind('=');
  std::array<std::int64_t, 4> numbers{};
  const char* at = equals == std::string::npos ? nullptr : text.data() + equals + 1;
  const char* const end = text.data() + text.size();
  for (std::size_t i = 0; i < numbers.size() && at != nullptr; ++i) {
    const auto [next, problem] = std::from_chars(at, end, numbers[i]);
    const bool last = i + 1 == numbers.size();
    const bool well = problem == std::errc() && (last ? next == end : next != end && *next == ',');
    at = well ? next + (last ? 0 : 1) : nullptr;
  }
  const bool fits = std::ranges::all_of(numbers, [](std::int64_t n) { return n >= -100'000 && n <= 100'000; });
  if (at == nullptr || equals == 0 || !fits || numbers[2] <= 0 || numbers[3] <= 0) {
    return Error{Code::kInvalidArgument,
                 "--region " + quote_foreign(text) + " is not NAME=X,Y,WIDTH,HEIGHT, in pixels of the desktop"};
  }
  v1::Decision::Region region;
  region.set_name(text.substr(0, equals));
  region.mutable_area()->set_x(static_cast<std::int32_t>(numbers[0]));
  region.mutable_area()->set_y(static_cast<std::int32_t>(numbers[1]));
  region.mutable_area()->set_width(static_cast<std::uint32_t>(numbers[2]));
  region.mutable_area()->set_height(static_cast<std::uint32_t>(numbers[3]));
  return region;
}

}  // namespace

Result<std::optional<v1::Decision>> decision_of(const GoalOptions& options) {
  if (options.suggestions == 0) return std::optional<v1::Decision>();
  v1::Decision decision;
  decision.set_max_steps(options.suggestions);
  decision.set_confirm_each_step(options.confirm_suggestions);
  for (const std::string& action : options.suggestible_actions) decision.add_allowed_actions(action);
  for (const std::string& text : options.regions) {
    ASSIGN_OR_RETURN(*decision.add_regions(), parse_region(text));
  }
  return std::optional(std::move(decision));
}

}  // namespace da::console
