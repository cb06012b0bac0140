#include "services/planner/rules/profile/text_template.h"

#include <algorithm>

#include "lib/base/text.h"
#include "lib/contract/secret_placeholder.h"

namespace da::planner::rules {
namespace {

constexpr std::size_t kMaxFilledBytes = 1 << 20;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_name_byte(char c) { return is_letter(c) || (c >= '0' && c <= '9'); }

// A name, then dots with keys or indices after them.
bool is_path(std::string_view path) {
  if (path.empty() || !is_letter(path.front()) || path.back() == '.') return false;
  if (path.find("..") != std::string_view::npos) return false;
  return std::ranges::all_of(path, [](char c) { return is_name_byte(c) || c == '.'; });
}

}  // namespace

std::string variable_of(std::string_view path) { return std::string(path.substr(0, path.find('.'))); }

bool is_variable_name(std::string_view name) {
  constexpr std::size_t kMaxBytes = 60;
  return !name.empty() && name.size() <= kMaxBytes && is_letter(name.front()) &&
         std::ranges::all_of(name, is_name_byte);
}

TextTemplate::TextTemplate(std::string text) : text_(std::move(text)) {
  std::size_t open = std::string::npos;
  for (std::size_t at = 0; at < text_.size(); ++at) {
    if (text_[at] == '{') open = at;
    if (text_[at] != '}' || open == std::string::npos) continue;
    if (const Placeholder found{open, at + 1}; is_path(path(found))) placeholders_.push_back(found);
    open = std::string::npos;
  }
}

std::vector<std::string> TextTemplate::paths() const {
  std::vector<std::string> all;
  for (const Placeholder& one : placeholders_) all.emplace_back(path(one));
  return all;
}

Result<std::string> TextTemplate::fill(const Variables& variables) const {
  std::string filled;
  std::size_t copied = 0;
  for (const Placeholder& one : placeholders_) {
    const auto value = find_value(variables, path(one));
    if (!value) {
      return Error{value.error().code,
                   "the placeholder {" + escape_foreign(path(one), 60) + "}: " + value.error().message};
    }
    filled.append(text_, copied, one.begin - copied);
    filled += value_text(*value);
    copied = one.end;
    if (filled.size() > kMaxFilledBytes) {
      return Error{Code::kResourceExhausted, "the text has more than " + std::to_string(kMaxFilledBytes) +
                                                 " bytes when its placeholders are filled"};
    }
  }
  filled.append(text_, copied);
  if (!is_plain() && contract::count_secrets(filled) != contract::count_secrets(text_)) {
    return Error{Code::kPermissionDenied, "a captured value contains {{secret:..., which only the profile may name"};
  }
  return filled;
}

}  // namespace da::planner::rules
