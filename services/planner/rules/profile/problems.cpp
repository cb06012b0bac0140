#include "services/planner/rules/profile/problems.h"

#include <algorithm>
#include <set>

namespace da::planner::rules {

void Problems::add(Severity severity, const std::string& pointer, bool at_key, std::string message) {
  errors_ += severity == Severity::kError ? 1 : 0;
  if (!full()) found_.push_back({severity, pointer, at_key, std::move(message)});
}

std::vector<Problem> Problems::places_in(std::string_view text) const {
  std::set<std::string> pointers;
  for (const Found& one : found_) pointers.insert(one.pointer);
  const auto places = contract::find_json_places(text, pointers);
  std::vector<Problem> problems;
  for (const Found& one : found_) {
    const auto place = places.find(one.pointer);
    contract::TextPlace at;
    if (place != places.end()) at = one.at_key ? place->second.key : place->second.value;
    problems.push_back({one.severity, at, one.message});
  }
  std::ranges::stable_sort(problems, {}, &Problem::place);
  return problems;
}

}  // namespace da::planner::rules
