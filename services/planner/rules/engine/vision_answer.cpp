#include "services/planner/rules/engine/vision_answer.h"

#include <algorithm>
#include <cmath>

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

struct Scale {
  double x = 1;
  double y = 1;
  Point offset;
};

// Larger numbers name no place, and could become infinite.
constexpr double kMaxPlace = 1e6;

bool is_box(const nlohmann::json& value) {
  return value.is_array() && value.size() == 4 && std::ranges::all_of(value, [](const nlohmann::json& one) {
           return one.is_number() && std::abs(one.get<double>()) <= kMaxPlace;
         });
}

nlohmann::json box_in_region(const nlohmann::json& box, const Scale& scale) {
  const auto at = [&](std::size_t i) { return box[i].get<double>(); };
  const auto rounded = [](double value) { return static_cast<std::int64_t>(std::llround(value)); };
  return {rounded(at(0) * scale.x) + scale.offset.x, rounded(at(1) * scale.y) + scale.offset.y,
          rounded(at(2) * scale.x), rounded(at(3) * scale.y)};
}

// Returns the number of boxes. The depth is bounded by the JSON reader.
int map_boxes(nlohmann::json& value, const Scale& scale) {
  int boxes = 0;
  for (auto& [key, part] : value.items()) {
    if (value.is_object() && key == "box" && is_box(part)) {
      part = box_in_region(part, scale);
      ++boxes;
    } else if (part.is_structured()) {
      boxes += map_boxes(part, scale);
    }
  }
  return boxes;
}

}  // namespace

std::string boxes_in_region(std::string answer, std::uint32_t width, std::uint32_t height, const Rect& part) {
  const Scale scale{
      part.width / static_cast<double>(width), part.height / static_cast<double>(height), {part.x, part.y}};
  if (width == 0 || height == 0 || (scale.x == 1 && scale.y == 1 && scale.offset == Point{})) return answer;
  auto value = json_of_answer(answer);
  if (!value || !value->is_structured() || map_boxes(*value, scale) == 0) return answer;
  return value->dump();
}

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
