// Reads a provider's answer without trust: what is relied on must be there and of its type, further fields are passed
// over, for providers add some every month. Errors are kDataLoss and name the place:
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

// A long answer has some 100 KB. More than this is not worth reading.
inline constexpr std::size_t kMaxAnswerBytes = 8 << 20;
// A provider may echo the schema of the request, which is deeper than the answer itself.
inline constexpr int kMaxAnswerDepth = 64;
// No provider counts more tokens in one call; below it, sums do not overflow.
inline constexpr std::uint64_t kMaxTokens = 1'000'000'000'000;

// Exactly one JSON value.
Result<nlohmann::json> parse_json(std::string_view body);

// An object of an answer and its place in it. Borrows the JSON, which must live longer.
class AnswerObject {
 public:
  // The whole answer.
  static Result<AnswerObject> of(const nlohmann::json& answer);

  bool has(std::string_view key) const;  // There, and not null.
  // As it stands, unread.
  const nlohmann::json& verbatim() const { return *object_; }

  Result<AnswerObject> object(std::string_view key) const;
  Result<AnswerObject> object_or_empty(std::string_view key) const;
  Result<std::vector<AnswerObject>> objects(std::string_view key) const;
  Result<AnswerObject> first(std::string_view key) const;  // Of a list that is not empty.
  Result<std::string> text(std::string_view key) const;
  Result<std::string> text_or_empty(std::string_view key) const;
  Result<std::uint64_t> tokens(std::string_view key) const;  // 0 where there are none.
  Result<bool> flag(std::string_view key) const;             // False where there is none.

 private:
  AnswerObject(const nlohmann::json& object, std::string place) : object_(&object), place_(std::move(place)) {}

  std::string place_of(std::string_view key) const;
  const nlohmann::json& value(std::string_view key) const;  // Null where there is none.
  Error wrong(std::string_view key, std::string_view wanted) const;

  const nlohmann::json* object_;
  std::string place_;  // "" for the whole answer.
};

// How a provider names the end of an answer.
struct FinishName {
  std::string_view name;
  Finish finish;
};

// An error where the name is not in the table: no plan can come from an answer that ended in an unknown way.
Result<Finish> finish_named(std::span<const FinishName> names, std::string_view name);

}  // namespace da::planner::model
