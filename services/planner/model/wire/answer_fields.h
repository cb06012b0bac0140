// Reads a provider's answer, which is untrusted. Required fields must exist and have the right type; unknown fields are
// ignored, because providers add some every month. Errors are kDataLoss and name the place:
//   choices[0].message.content must be a text, not the number 7
// Pure; any thread.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/base/result.h"
#include "services/planner/model/dialogue.h"

namespace da::planner::model {

inline constexpr std::size_t kMaxAnswerBytes = 8 << 20;  // A long answer has about 100 KB.
inline constexpr int kMaxAnswerDepth = 64;  // A provider may echo the request's schema, which is deeper than an answer.
inline constexpr std::uint64_t kMaxTokens = 1'000'000'000'000;  // In one count, so that sums do not overflow.

// Exactly one JSON value.
Result<nlohmann::json> parse_json(std::string_view body);

// An object in an answer, with its place in the answer. Borrows the JSON, which must live longer.
class AnswerObject {
 public:
  static Result<AnswerObject> of(const nlohmann::json& answer);

  bool has(std::string_view key) const;  // The field exists and is not null.
  const nlohmann::json& verbatim() const { return *object_; }

  Result<AnswerObject> object(std::string_view key) const;
  Result<AnswerObject> object_or_empty(std::string_view key) const;
  Result<std::vector<AnswerObject>> objects(std::string_view key) const;
  Result<AnswerObject> first(std::string_view key) const;  // First object of a list; an empty list is an error.
  Result<std::string> text(std::string_view key) const;
  Result<std::string> text_or_empty(std::string_view key) const;
  Result<std::uint64_t> tokens(std::string_view key) const;  // 0 if the field is missing.
  Result<bool> flag(std::string_view key) const;             // False if the field is missing.

 private:
  AnswerObject(const nlohmann::json& object, std::string place) : object_(&object), place_(std::move(place)) {}

  std::string place_of(std::string_view key) const;
  const nlohmann::json& value(std::string_view key) const;  // Null if the field is missing.
  Error wrong(std::string_view key, std::string_view wanted) const;

  const nlohmann::json* object_;
  std::string place_;  // "" for the whole answer.
};

// A provider's name for how an answer ended.
struct FinishName {
  std::string_view name;
  Finish finish;
};

// Unknown names are an error: an answer that ended in an unknown way gives no plan.
Result<Finish> finish_named(std::span<const FinishName> names, std::string_view name);

// Reads "usage" of OpenAI's APIs. `input` and `output` name the token counts: "prompt_tokens", "completion_tokens".
Result<Usage> openai_usage(const AnswerObject& answer, const std::string& input, std::string_view output);

}  // namespace da::planner::model
