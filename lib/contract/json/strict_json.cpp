#include "lib/contract/json/strict_json.h"

#include <set>
#include <string>
#include <vector>

#include "lib/base/text.h"

namespace da::contract {

namespace {

struct JsonProblem {
  Code code = Code::kInvalidArgument;
  std::string what;
  std::size_t byte = 0;  // Where the text goes wrong.
};

template <class Json>
tl::expected<Json, JsonProblem> read(const std::string& what, std::string_view text, const JsonLimits& limits) {
  const auto problem = [](Code code, std::string what, std::size_t byte = 0) {
    return tl::unexpected(JsonProblem{code, std::move(what), byte});
  };
  const std::string not_json = "not one JSON object and nothing else: ";
  if (text.size() > limits.bytes) {
    return problem(Code::kResourceExhausted, what + " has " + std::to_string(text.size()) + " bytes; at most " +
                                                 std::to_string(limits.bytes) + " are read");
  }
  // nlohmann::json would skip it.
  if (text.starts_with("\xef\xbb\xbf")) {
    return problem(Code::kInvalidArgument, not_json + "it begins with a byte order mark");
  }
  // nlohmann::json treats a NUL byte as the end and ignores the rest.
  if (const auto nul = text.find('\0'); nul != std::string_view::npos) {
    return problem(Code::kInvalidArgument, not_json + "it has a NUL byte", nul);
  }
  std::vector<std::set<std::string>> keys;
  std::string refused;
  std::size_t refused_at = 0;
  TokenPlaces places(text);
  const auto watch = [&](int depth, typename Json::parse_event_t event, Json& parsed) {
    if (!refused.empty()) return false;
    const std::size_t at = places.begin_of(event);
    if (depth > limits.depth) refused = "it is nested deeper than " + std::to_string(limits.depth) + " levels";
    if (event == Json::parse_event_t::object_start) keys.emplace_back();
    if (event == Json::parse_event_t::object_end && !keys.empty()) keys.pop_back();
    if (event == Json::parse_event_t::key && !keys.back().insert(parsed.template get<std::string>()).second) {
      refused = "the key \"" + escape_foreign(parsed.template get<std::string>(), 60) + "\" stands twice in one object";
    }
    refused_at = at;
    return refused.empty();
  };
  const auto acceptable = [&] {
    return problem(Code::kInvalidArgument, "not acceptable JSON: " + refused, refused_at);
  };
  try {
    Json value = Json::parse(places.begin(), places.end(), watch);
    if (!refused.empty()) return acceptable();
    return value;
  } catch (const typename Json::parse_error& error) {
    if (!refused.empty()) return acceptable();
    return problem(Code::kInvalidArgument, not_json + escape_foreign(error.what(), 200),
                   error.byte == 0 ? 0 : error.byte - 1);
  } catch (const typename Json::exception& error) {
    return problem(Code::kInvalidArgument, not_json + escape_foreign(error.what(), 200));
  }
}

}  // namespace

Result<nlohmann::json> read_strict_json(std::string_view text) {
  auto value = read<nlohmann::json>("the reply", text, {});
  if (!value) return Error{value.error().code, value.error().what};
  return *std::move(value);
}

tl::expected<nlohmann::ordered_json, JsonFault> read_json_document(std::string_view text, const JsonLimits& limits) {
  auto value = read<nlohmann::ordered_json>("the file", text, limits);
  if (!value) return tl::unexpected(JsonFault{place_of(text, value.error().byte), std::move(value.error().what)});
  return *std::move(value);
}

std::string name_value(const nlohmann::json& value) {
  if (value.is_object()) return "an object";
  if (value.is_array()) return "a list";
  if (value.is_string()) return "the string \"" + escape_foreign(value.get<std::string>(), 60) + "\"";
  if (value.is_number()) return "the number " + value.dump();
  return value.dump();
}

}  // namespace da::contract
