#include "services/planner/rules/profile/variables.h"

#include <charconv>

#include "lib/base/text.h"

namespace da::planner::rules {
namespace {

using nlohmann::json;

bool is_captured(const json& value) { return value.is_object() && value.contains(kSourceRegionKey); }

// The next part of a dotted path, and what follows it.
std::pair<std::string_view, std::string_view> split_path(std::string_view path) {
  const std::size_t dot = path.find('.');
  if (dot == std::string_view::npos) return {path, {}};
  return {path.substr(0, dot), path.substr(dot + 1)};
}

const json* child(const json& parent, std::string_view key) {
  if (parent.is_object()) {
    const auto found = parent.find(key);
    return found == parent.end() ? nullptr : &*found;
  }
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), index);
  const bool valid = error == std::errc() && end == key.data() + key.size();
  return parent.is_array() && valid && index < parent.size() ? &parent[index] : nullptr;
}

const char* kind_of(const json& value) {
  if (value.is_object()) return "the object";
  return value.is_array() ? "the list" : "the value";
}

}  // namespace

json captured(json value, const std::string& region) {
  return {{kValueKey, std::move(value)}, {kSourceRegionKey, region}};
}

Result<json> value_at(const json& root, std::string_view path) {
  const json* at = &root;
  std::string_view rest = path;
  while (!rest.empty()) {
    const auto [key, after] = split_path(rest);
    const json* next = child(*at, key);
    if (next == nullptr) {
      return Error{Code::kNotFound, std::string(kind_of(*at)) + " has no " + quote_foreign(key) + " (of the path " +
                                        quote_foreign(path) + ")"};
    }
    at = next;
    rest = after;
  }
  return *at;
}

Result<json> find_value(const Variables& variables, std::string_view path) {
  const auto [name, rest] = split_path(path);
  const auto found = variables.find(name);
  if (found == variables.end()) return Error{Code::kNotFound, "nothing is captured as " + quote_foreign(name)};
  const json& variable = found->second;
  if (!is_captured(variable)) return value_at(variable, rest);
  const std::string_view first = split_path(rest).first;
  const bool names_wrapper = first == kValueKey || first == kSourceRegionKey;
  return value_at(names_wrapper ? variable : variable[kValueKey], rest);
}

std::string value_text(const json& value) {
  if (value.is_string()) return value.get<std::string>();
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace da::planner::rules
