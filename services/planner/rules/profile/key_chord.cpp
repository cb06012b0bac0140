#include "services/planner/rules/profile/key_chord.h"

#include "lib/base/nearest.h"
#include "lib/base/text.h"
#include "lib/contract/keys.h"

namespace da::planner::rules {
namespace {

constexpr std::size_t kMaxKeys = 6;  // Limit of the tool hotkey.

Result<std::string> read_key(std::string_view name) {
  if (auto key = contract::canonical_key(name)) return *std::move(key);
  const auto known = contract::named_keys();
  const std::vector<std::string> names(known.begin(), known.end());
  return Error{Code::kInvalidArgument, quote_foreign(name, 40) + " is not a key" + did_you_mean(name, names)};
}

}  // namespace

Result<std::vector<std::string>> split_chord(std::string_view text) {
  if (trim(text) == ",") return std::vector<std::string>{","};
  std::vector<std::string> keys;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    const std::string_view part = text.substr(begin, comma - begin);
    ASSIGN_OR_RETURN(auto key, read_key(part == " " ? part : trim(part)));
    keys.push_back(std::move(key));
    begin = comma + 1;
  }
  if (keys.size() > kMaxKeys) {
    return Error{Code::kInvalidArgument, "a chord has at most " + std::to_string(kMaxKeys) + " keys"};
  }
  return keys;
}

}  // namespace da::planner::rules
