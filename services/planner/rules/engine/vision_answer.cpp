#include "services/planner/rules/engine/vision_answer.h"

#include "lib/base/text.h"
#include "lib/contract/json/strict_json.h"
#include "services/planner/rules/profile/number.h"
#include "services/planner/rules/profile/variables.h"

namespace da::planner::rules {
namespace {

constexpr std::string_view kFence = "```";

std::string_view without_fence(std::string_view answer) {
  const std::size_t open = answer.find(kFence);
  if (open == std::string_view::npos) return answer;
  const std::size_t line_end = answer.find('\n', open);
  const std::size_t close = line_end == std::string_view::npos ? line_end : answer.find(kFence, line_end);
  return close == std::string_view::npos ? answer : answer.substr(line_end + 1, close - line_end - 1);
}

}  // namespace

std::optional<nlohmann::json> json_of_answer(std::string_view answer) {
  auto value = contract::read_strict_json(trim(without_fence(answer)));
  if (!value) return std::nullopt;
  return *std::move(value);
}

bool equals_as_text(const nlohmann::json& value, std::string_view expected) {
  if (value.is_boolean()) return fold_case(trim(expected)) == (value.get<bool>() ? "true" : "false");
  if (value.is_null()) return fold_case(trim(expected)) == "none" || fold_case(trim(expected)) == "null";
  if (value.is_number()) {
    const auto number = read_number(expected, {-1e300, 1e300});
    return number && *number == value.get<double>();
  }
  return value_text(value) == expected;
}

}  // namespace da::planner::rules
