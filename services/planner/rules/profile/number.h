// A number of a profile: a JSON number, or a text with a number or placeholders, as Mark-I's editor writes them.
// Immutable; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "lib/base/result.h"
#include "services/planner/rules/profile/text_template.h"

namespace da::planner::rules {

struct Bounds {
  double min = 0;
  double max = 0;
  bool whole = false;  // Fractions are refused.
};

// kInvalidArgument: not a number. kOutOfRange: it is outside the bounds, not finite, or has a fraction.
Result<double> read_number(std::string_view text, const Bounds& bounds);
Result<void> check_number(double value, const Bounds& bounds);

// "12", "0.85": the shortest text that reads as the same number.
std::string number_text(double value);

struct Number {
  double value = 0;
  TextTemplate text{};  // Not plain: the value is known only when the placeholders are filled.
  Bounds bounds{};

  bool is_known() const { return text.is_plain(); }
  Result<double> fill(const Variables& variables) const;
};

}  // namespace da::planner::rules
