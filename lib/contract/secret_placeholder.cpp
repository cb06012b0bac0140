#include "lib/contract/secret_placeholder.h"

#include <algorithm>

namespace da::contract {
namespace {

constexpr std::string_view kOpen = "{{secret:";
constexpr std::string_view kClose = "}}";
constexpr std::size_t kMaxNameBytes = 64;
constexpr std::string_view kWhiteSpace = " \t\n\f\r";

std::string_view without_leading_space(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(kWhiteSpace), text.size()));
}

// "{{", "secret" and ":" in any case, with white space between them.
bool begins_placeholder(std::string_view text) {
  constexpr std::string_view kWord = "secret";
  if (!text.starts_with("{{")) return false;
  text = without_leading_space(text.substr(2));
  const auto same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b; };
  if (!std::ranges::equal(text.substr(0, kWord.size()), kWord, same)) return false;
  return without_leading_space(text.substr(kWord.size())).starts_with(':');
}

// The start of the next text that is meant as a placeholder; npos if there is none.
std::size_t find_marker(std::string_view text, std::size_t from) {
  for (std::size_t at = text.find("{{", from); at != std::string_view::npos; at = text.find("{{", at + 1)) {
    if (begins_placeholder(text.substr(at))) return at;
  }
  return std::string_view::npos;
}

}  // namespace

bool is_secret_name(std::string_view name) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
           c == '.';
  };
  return !name.empty() && name.size() <= kMaxNameBytes && std::ranges::all_of(name, allowed);
}

std::size_t count_secrets(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = find_marker(text, 0); at != std::string_view::npos; at = find_marker(text, at + 1)) ++count;
  return count;
}

Result<std::vector<TextPiece>> split_placeholders(std::string_view text) {
  std::vector<TextPiece> pieces;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t marker = find_marker(text, at);
    const std::string_view plain = text.substr(at, marker == std::string_view::npos ? marker : marker - at);
    if (!plain.empty()) pieces.push_back({std::string(plain), {}});
    if (marker == std::string_view::npos) break;
    const std::size_t name_at = marker + kOpen.size();
    const std::size_t end = text.find(kClose, marker);
    const bool whole = text.substr(marker).starts_with(kOpen) && end != std::string_view::npos;
    if (!whole || !is_secret_name(text.substr(name_at, end - name_at))) {
      return Error{Code::kInvalidArgument,
                   "write a secret as {{secret:name}} without spaces; a name has letters, digits, \"_\", \"-\", \".\""};
    }
    at = end + kClose.size();
    pieces.push_back({std::string(text.substr(marker, at - marker)), std::string(text.substr(name_at, end - name_at))});
  }
  return pieces;
}

}  // namespace da::contract
