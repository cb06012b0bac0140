#include "services/planner/model/dialects/computer/action_fields.h"

#include <algorithm>
#include <cmath>

#include "lib/base/text.h"
#include "lib/contract/json/strict_json.h"

namespace da::planner::model {
namespace {

using nlohmann::json;

constexpr double kFarthest = 100'000;  // Larger than any image; the contract checks the size of this one.
constexpr std::size_t kMostItems = 200;

const json kMissingArgument;

}  // namespace

ActionFields::ActionFields(std::string action, const json& fields) : action_(std::move(action)), fields_(fields) {}

bool ActionFields::has(const char* key) const {
  const auto found = fields_.find(key);
  return found != fields_.end() && !found->is_null();
}

const json& ActionFields::value(const char* key) {
  read_.insert(key);
  const auto found = fields_.find(key);
  return found == fields_.end() ? kMissingArgument : *found;
}

void ActionFields::refuse(const std::string& why) {
  if (!error_) error_ = Error{Code::kInvalidArgument, "the action " + escape_foreign(action_, 60) + " " + why};
}

void ActionFields::wrong(const std::string& key, const std::string& wanted, const json& given) {
  refuse(given.is_null() ? "lacks the argument " + key + ", " + wanted
                         : "has a wrong " + key + ": it must be " + wanted + ", not " + contract::name_value(given));
}

double ActionFields::number_in(const json& given, const std::string& key, double least, double most) {
  const std::string wanted =
      "a number from " + std::to_string(std::lround(least)) + " to " + std::to_string(std::lround(most));
  if (!given.is_number()) {
    wrong(key, wanted, given);
    return least;
  }
  const double number = given.get<double>();
  if (!std::isfinite(number) || number < least || number > most) {
    wrong(key, wanted, given);
    return least;
  }
  return number;
}

double ActionFields::number(const char* key, double least, double most) {
  return number_in(value(key), key, least, most);
}

double ActionFields::number_or(const char* key, double otherwise, double least, double most) {
  return has(key) ? number(key, least, most) : (read_.insert(key), otherwise);
}

bool ActionFields::flag(const char* key) {
  const json& given = value(key);
  if (given.is_null()) return false;
  if (!given.is_boolean()) wrong(key, "true or false", given);
  return given.is_boolean() && given.get<bool>();
}

std::string ActionFields::text(const char* key) {
  const json& given = value(key);
  if (given.is_string()) return given.get<std::string>();
  wrong(key, "a text", given);
  return {};
}

std::string ActionFields::text_or(const char* key, std::string otherwise) {
  return has(key) ? text(key) : (read_.insert(key), std::move(otherwise));
}

std::string ActionFields::one_of(const char* key, std::initializer_list<std::string_view> allowed) {
  std::string given = text(key);
  if (error_ || std::ranges::find(allowed, given) != allowed.end()) return given;
  std::string names;
  for (const std::string_view name : allowed) names += (names.empty() ? "" : ", ") + std::string(name);
  refuse("has the " + std::string(key) + " \"" + escape_foreign(given, 60) + "\"; known: " + names);
  return given;
}

std::vector<std::string> ActionFields::texts(const char* key) {
  const json& given = value(key);
  std::vector<std::string> found;
  if (!given.is_array() || given.size() > kMostItems) {
    wrong(key, "a list of at most " + std::to_string(kMostItems) + " texts", given);
    return found;
  }
  for (const json& item : given) {
    if (!item.is_string()) {
      wrong(key, "a list of texts", item);
      return found;
    }
    found.push_back(item.get<std::string>());
  }
  return found;
}

std::vector<double> ActionFields::numbers(const char* key, std::size_t count) {
  const json& given = value(key);
  std::vector<double> found(count, 0.0);
  if (!given.is_array() || given.size() != count) {
    wrong(key, "a list of " + std::to_string(count) + " numbers", given);
    return found;
  }
  for (std::size_t i = 0; i < count; ++i) found[i] = number_in(given[i], key, -kFarthest, kFarthest);
  return found;
}

Point ActionFields::point() {
  const double x = number("x", -kFarthest, kFarthest);
  const double y = number("y", -kFarthest, kFarthest);
  return {static_cast<int>(std::lround(x)), static_cast<int>(std::lround(y))};
}

Point ActionFields::pair(const char* key) {
  const auto xy = numbers(key, 2);
  return {static_cast<int>(std::lround(xy[0])), static_cast<int>(std::lround(xy[1]))};
}

std::vector<Point> ActionFields::path(const char* key) {
  const json& given = value(key);
  std::vector<Point> found;
  if (!given.is_array() || given.size() > kMostItems) {
    wrong(key, "a list of at most " + std::to_string(kMostItems) + " points", given);
    return found;
  }
  for (const json& item : given) {
    if (!item.is_object()) {
      wrong(key, "a list of points {\"x\",\"y\"}", item);
      return found;
    }
    ActionFields point(action_, item);
    found.push_back(point.point());
    if (const auto read = point.end(); !read && !error_) error_ = read.error();
  }
  return found;
}

Result<void> ActionFields::end() const {
  if (error_) return *error_;
  for (const auto& [key, given] : fields_.items()) {
    if (given.is_null() || read_.contains(key)) continue;
    return Error{Code::kInvalidArgument, "the action " + escape_foreign(action_, 60) + " has the unknown argument \"" +
                                             escape_foreign(key, 60) + "\""};
  }
  return ok();
}

}  // namespace da::planner::model
