#include "services/planner/model/wire/answer_fields.h"

#include <utility>

#include "lib/base/text.h"
#include "lib/contract/json/strict_json.h"

namespace da::planner::model {
namespace {

using nlohmann::json;

constexpr std::size_t kShownFinishName = 60;

Error not_of_this_form(std::string what) { return {Code::kDataLoss, "the provider's answer: " + std::move(what)}; }

}  // namespace

Result<json> parse_json(std::string_view body) {
  if (body.size() > kMaxAnswerBytes) {
    return not_of_this_form("it has " + std::to_string(body.size()) + " bytes; at most " +
                            std::to_string(kMaxAnswerBytes) + " are read");
  }
  // The JSON library stops at a zero byte and ignores the rest.
  if (body.find('\0') != std::string_view::npos) return not_of_this_form("not JSON: it has a zero byte");
  bool too_deep = false;
  const auto watch = [&](int depth, json::parse_event_t, json&) {
    too_deep |= depth > kMaxAnswerDepth;
    return !too_deep;
  };
  try {
    json value = json::parse(body, watch);
    if (too_deep) return not_of_this_form("it is nested deeper than " + std::to_string(kMaxAnswerDepth) + " levels");
    return value;
  } catch (const json::exception& error) {
    return not_of_this_form("not JSON: " + escape_foreign(error.what(), 200));
  }
}

Result<AnswerObject> AnswerObject::of(const json& answer) {
  if (!answer.is_object()) return not_of_this_form("it must be an object, not " + contract::name_value(answer));
  return AnswerObject(answer, "");
}

bool AnswerObject::has(std::string_view key) const { return !value(key).is_null(); }

Result<AnswerObject> AnswerObject::object(std::string_view key) const {
  if (!value(key).is_object()) return wrong(key, "an object");
  return AnswerObject(value(key), place_of(key));
}

Result<AnswerObject> AnswerObject::object_or_empty(std::string_view key) const {
  static const json kEmpty = json::object();
  if (!has(key)) return AnswerObject(kEmpty, place_of(key));
  return object(key);
}

Result<std::vector<AnswerObject>> AnswerObject::objects(std::string_view key) const {
  const json& list = value(key);
  if (!list.is_array()) return wrong(key, "a list");
  std::vector<AnswerObject> found;
  for (std::size_t i = 0; i < list.size(); ++i) {
    std::string place = place_of(key) + "[" + std::to_string(i) + "]";
    if (!list[i].is_object()) {
      return not_of_this_form(place + " must be an object, not " + contract::name_value(list[i]));
    }
    found.push_back(AnswerObject(list[i], std::move(place)));
  }
  return found;
}

Result<AnswerObject> AnswerObject::first(std::string_view key) const {
  ASSIGN_OR_RETURN(const std::vector<AnswerObject> found, objects(key));
  if (found.empty()) return not_of_this_form(place_of(key) + " is empty");
  return found.front();
}

Result<std::string> AnswerObject::text(std::string_view key) const {
  if (!value(key).is_string()) return wrong(key, "a text");
  return value(key).get<std::string>();
}

Result<std::string> AnswerObject::text_or_empty(std::string_view key) const {
  if (!has(key)) return std::string();
  return text(key);
}

Result<std::uint64_t> AnswerObject::tokens(std::string_view key) const {
  if (!has(key)) return 0;
  if (!value(key).is_number_unsigned() || value(key).get<std::uint64_t>() > kMaxTokens) {
    return wrong(key, "a number of tokens");
  }
  return value(key).get<std::uint64_t>();
}

Result<bool> AnswerObject::flag(std::string_view key) const {
  if (!has(key)) return false;
  if (!value(key).is_boolean()) return wrong(key, "true or false");
  return value(key).get<bool>();
}

std::string AnswerObject::place_of(std::string_view key) const {
  return (place_.empty() ? "" : place_ + ".") + std::string(key);
}

const json& AnswerObject::value(std::string_view key) const {
  static const json kNull;
  const auto found = object_->find(key);
  return found == object_->end() ? kNull : *found;
}

Error AnswerObject::wrong(std::string_view key, std::string_view wanted) const {
  const std::string given = object_->contains(key) ? ", not " + contract::name_value(value(key)) : "; it is missing";
  return not_of_this_form(place_of(key) + " must be " + std::string(wanted) + given);
}

Result<Finish> finish_named(std::span<const FinishName> names, std::string_view name) {
  for (const FinishName& known : names) {
    if (known.name == name) return known.finish;
  }
  return not_of_this_form("it ended with \"" + escape_foreign(name, kShownFinishName) + "\", which gives no plan");
}

Result<Usage> openai_usage(const AnswerObject& answer, const std::string& input, std::string_view output) {
  Usage usage;
  ASSIGN_OR_RETURN(const AnswerObject counts, answer.object_or_empty("usage"));
  ASSIGN_OR_RETURN(const AnswerObject details, counts.object_or_empty(input + "_details"));
  ASSIGN_OR_RETURN(usage.input_tokens, counts.tokens(input));
  ASSIGN_OR_RETURN(usage.cached_input_tokens, details.tokens("cached_tokens"));
  ASSIGN_OR_RETURN(usage.output_tokens, counts.tokens(output));
  return usage;
}

}  // namespace da::planner::model
