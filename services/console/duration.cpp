#include "services/console/duration.h"

#include <charconv>
#include <optional>
#include <string>

#include "lib/base/text.h"

namespace da::console {
namespace {

struct Unit {
  std::string_view name;
  double milliseconds;
};
constexpr Unit kUnits[] = {{"ms", 1}, {"s", 1e3}, {"m", 60e3}, {"h", 3600e3}, {"", 1e3}};

std::optional<double> unit_of(std::string_view name) {
  const std::string folded = fold_case(name);
  for (const Unit& unit : kUnits) {
    if (folded == unit.name) return unit.milliseconds;
  }
  return std::nullopt;
}

}  // namespace

Result<Milliseconds> parse_duration(std::string_view text) {
  const std::string_view given = trim(text);
  double number = 0;
  const auto [end, error] = std::from_chars(given.data(), given.data() + given.size(), number);
  const auto unit = unit_of(trim(given.substr(static_cast<std::size_t>(end - given.data()))));
  const double milliseconds = number * unit.value_or(0);
  // These comparisons also reject NaN.
  const bool fits = milliseconds >= static_cast<double>(kShortestDuration.count()) &&
                    milliseconds <= static_cast<double>(kLongestDuration.count());
  if (error == std::errc() && unit && fits) return Milliseconds(static_cast<std::int64_t>(milliseconds));
  return Error{Code::kInvalidArgument,
               quote_foreign(text, 40) + " is not a duration from 1ms to 1193h; use a number and ms, s, m or h: 10m"};
}

}  // namespace da::console
