#include "lib/contract/json/strict_json.h"

#include <set>
#include <string>
#include <vector>

#include "lib/base/text.h"

namespace da::contract {

Result<nlohmann::json> read_strict_json(std::string_view text) {
  using nlohmann::json;
  if (text.size() > kMaxJsonBytes) {
    return Error{Code::kResourceExhausted, "the reply has " + std::to_string(text.size()) + " bytes; at most " +
                                               std::to_string(kMaxJsonBytes) + " are read"};
  }
  // nlohmann::json would skip it.
  if (text.starts_with("\xef\xbb\xbf")) {
    return Error{Code::kInvalidArgument, "not one JSON object and nothing else: it begins with a byte order mark"};
  }
  // nlohmann::json treats a NUL byte as the end and ignores the rest.
  if (text.find('\0') != std::string_view::npos) {
    return Error{Code::kInvalidArgument, "not one JSON object and nothing else: it has a NUL byte"};
  }
  std::vector<std::set<std::string>> keys;
  std::string problem;
  const auto watch = [&](int depth, json::parse_event_t event, json& parsed) {
    if (depth > kMaxJsonDepth && problem.empty()) {
      problem = "it is nested deeper than " + std::to_string(kMaxJsonDepth) + " levels";
    }
    if (!problem.empty()) return false;
    if (event == json::parse_event_t::object_start) keys.emplace_back();
    if (event == json::parse_event_t::object_end && !keys.empty()) keys.pop_back();
    if (event == json::parse_event_t::key && !keys.back().insert(parsed.get<std::string>()).second) {
      problem = "the key \"" + escape_foreign(parsed.get<std::string>(), 60) + "\" stands twice in one object";
    }
    return true;
  };
  try {
    json value = json::parse(text, watch);
    if (!problem.empty()) return Error{Code::kInvalidArgument, "not acceptable JSON: " + problem};
    return value;
  } catch (const json::exception& error) {
    if (!problem.empty()) return Error{Code::kInvalidArgument, "not acceptable JSON: " + problem};
    return Error{Code::kInvalidArgument, "not one JSON object and nothing else: " + escape_foreign(error.what(), 200)};
  }
}

std::string name_value(const nlohmann::json& value) {
  if (value.is_object()) return "an object";
  if (value.is_array()) return "a list";
  if (value.is_string()) return "the string \"" + escape_foreign(value.get<std::string>(), 60) + "\"";
  if (value.is_number()) return "the number " + value.dump();
  return value.dump();
}

}  // namespace da::contract
