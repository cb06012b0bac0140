#include "services/planner/rules/profile/number.h"

#include <charconv>
#include <cmath>
#include <cstdint>

#include "lib/base/text.h"

namespace da::planner::rules {

std::string number_text(double value) {
  char buffer[32];
  constexpr double kExact = 1e15;
  if (value == std::floor(value) && std::abs(value) < kExact) return std::to_string(static_cast<std::int64_t>(value));
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value);
  return error == std::errc() ? std::string(buffer, end) : std::string("?");
}

Result<void> check_number(double value, const Bounds& bounds) {
  if (!std::isfinite(value) || value < bounds.min || value > bounds.max) {
    return Error{Code::kOutOfRange,
                 number_text(value) + " is not between " + number_text(bounds.min) + " and " + number_text(bounds.max)};
  }
  if (bounds.whole && value != std::floor(value)) {
    return Error{Code::kOutOfRange, number_text(value) + " is not a whole number"};
  }
  return ok();
}

Result<double> read_number(std::string_view text, const Bounds& bounds) {
  std::string_view digits = trim(text);
  if (digits.starts_with('+')) digits.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (digits.empty() || error != std::errc() || end != digits.data() + digits.size()) {
    return Error{Code::kInvalidArgument, quote_foreign(text) + " is not a number"};
  }
  RETURN_IF_ERROR(check_number(value, bounds));
  return value;
}

Result<double> Number::fill(const Variables& variables) const {
  if (is_known()) return value;
  ASSIGN_OR_RETURN(const auto filled, text.fill(variables));
  return read_number(filled, bounds);
}

}  // namespace da::planner::rules
