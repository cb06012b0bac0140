#include "lib/contract/json/strict_json.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "lib/base/text.h"
#include "lib/contract/json/json_events.h"

namespace da::contract {

namespace {

struct JsonProblem {
  Code code = Code::kInvalidArgument;
  std::string what;
  std::size_t byte = 0;  // Where the text goes wrong.
};

// The beginnings of messages.
constexpr const char* kNotJson = "not one JSON object and nothing else: ";
constexpr const char* kNotAcceptable = "not acceptable JSON: ";

// Builds the value, and stops at the first problem.
template <class Json>
class DocumentBuilder : public JsonEvents<Json, DocumentBuilder<Json>> {
 public:
  DocumentBuilder(std::string_view text, const JsonLimits& limits) : limits_(limits), places_(text) {}

  tl::expected<Json, JsonProblem> build() && {
    Json::sax_parse(places_.begin(), places_.end(), this);
    if (problem_) return tl::unexpected(*std::move(problem_));
    return std::move(root_);
  }

  bool value(Json value) {
    if (!begin_value()) return false;
    add(std::move(value));
    return true;
  }
  bool open(Json container) {
    if (!begin_value()) return false;
    levels_.push_back({&add(std::move(container)), {}, {}});
    return true;
  }
  bool close() {
    levels_.pop_back();
    return true;
  }
  bool key(std::string& key) {
    if (!begin_value()) return false;
    Level& in = levels_.back();
    if (!in.keys.insert(key).second)
      return refuse("the key \"" + escape_foreign(key, 60) + "\" stands twice in one object");
    if (in.keys.size() > limits_.keys) {
      return refuse("an object has more than " + std::to_string(limits_.keys) + " keys");
    }
    in.key = std::move(key);
    return true;
  }
  void malformed(std::size_t position, const char* error) {
    problem_ =
        JsonProblem{Code::kInvalidArgument, kNotJson + escape_foreign(error, 200), position == 0 ? 0 : position - 1};
  }

 private:
  // A list or an object that is open. Values are only added to the last one, so the others do not move.
  struct Level {
    Json* container;
    std::string key;
    std::set<std::string> keys;
  };

  bool begin_value() {
    at_ = places_.begin_of_token();
    if (levels_.size() <= static_cast<std::size_t>(limits_.depth)) return true;
    return refuse("it is nested deeper than " + std::to_string(limits_.depth) + " levels");
  }

  bool refuse(const std::string& why) {
    problem_ = JsonProblem{Code::kInvalidArgument, kNotAcceptable + why, at_};
    return false;
  }

  Json& add(Json value) {
    if (levels_.empty()) return root_ = std::move(value);
    Level& in = levels_.back();
    if (in.container->is_object()) return (*in.container)[in.key] = std::move(value);
    in.container->push_back(std::move(value));
    return in.container->back();
  }

  const JsonLimits& limits_;
  TokenPlaces places_;
  std::size_t at_ = 0;
  Json root_;
  std::vector<Level> levels_;
  std::optional<JsonProblem> problem_;
};

template <class Json>
tl::expected<Json, JsonProblem> read(const std::string& what, std::string_view text, const JsonLimits& limits) {
  const auto problem = [](Code code, std::string what, std::size_t byte = 0) {
    return tl::unexpected(JsonProblem{code, std::move(what), byte});
  };
  if (text.size() > limits.bytes) {
    return problem(Code::kResourceExhausted, what + " has " + std::to_string(text.size()) + " bytes; at most " +
                                                 std::to_string(limits.bytes) + " are read");
  }
  // nlohmann::json would skip it.
  if (text.starts_with("\xef\xbb\xbf")) {
    return problem(Code::kInvalidArgument, std::string(kNotJson) + "it begins with a byte order mark");
  }
  // nlohmann::json treats a NUL byte as the end and ignores the rest.
  if (const auto nul = text.find('\0'); nul != std::string_view::npos) {
    return problem(Code::kInvalidArgument, std::string(kNotJson) + "it has a NUL byte", nul);
  }
  return DocumentBuilder<Json>(text, limits).build();
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
