#include "services/console/goal_text.h"

#include <algorithm>
#include <iostream>
#include <iterator>
#include <set>
#include <utility>

#include "lib/base/nearest.h"
#include "lib/base/text.h"
#include "lib/os/files/files.h"

namespace da::console {
namespace {

// More than the planner's limit of 20000 bytes, because comments do not count there.
constexpr std::size_t kMaxFileBytes = 1 << 20;

bool is_name_start(char32_t c) { return (c >= U'a' && c <= U'z') || (c >= U'A' && c <= U'Z') || c == U'_'; }
bool is_name_part(char32_t c) { return is_name_start(c) || (c >= U'0' && c <= U'9') || c == U'-'; }

bool is_name(std::string_view name) {
  return !name.empty() && is_name_start(static_cast<unsigned char>(name.front())) &&
         std::ranges::all_of(name, [](char c) { return is_name_part(static_cast<unsigned char>(c)); });
}

bool is_space(char32_t c) { return c == U' ' || c == U'\t' || c == U'\r' || c == U'\u00a0' || c == U'\u3000'; }

// Tracks quotation marks, by the same rules as services/planner/plain/language/goal_lexer.cpp.
class QuoteTracker {
 public:
  bool open() const { return !close_.empty(); }

  void take(char32_t c) {
    if (open()) {
      const bool escaped = std::exchange(escape_, false);
      if (!escaped && c == U'\\') escape_ = true;
      if (!escaped && close_.find(c) != std::u32string_view::npos) close_ = {};
      word_ = false;
      return;
    }
    const std::u32string_view close = closed_by(c);
    // An apostrophe inside a word is part of it.
    if (!close.empty() && !(c == U'\'' && word_)) {
      close_ = close;
    } else {
      word_ = !is_space(c) && c != U'\n' && c != U';' && c != U',';
    }
  }

 private:
  static std::u32string_view closed_by(char32_t c) {
    switch (c) {
      case U'"': return U"\"";
      case U'\'': return U"'";
      case U'\u201c': return U"\u201d";
      case U'\u201e': return U"\u201c\u201d";
      case U'\u2018': return U"\u2019";
      default: return {};
    }
  }

  std::u32string_view close_;
  bool escape_ = false;
  bool word_ = false;  // Inside a word.
};

// The names of the goal's sentences `copy TARGET as NAME`, whose values the planner reads later.
std::set<std::string> copied_names(const std::u32string& text) {
  std::set<std::string> names;
  QuoteTracker quotes;
  std::string word;
  bool copies = false;  // The sentence has begun with "copy".
  bool named = false;   // Its last word was "as".
  const auto end_word = [&] {
    const std::string folded = fold_case(word);
    if (named && is_name(word)) names.insert(word);
    named = copies && folded == "as";
    if (folded == "copy") copies = true;
    if (folded == "then") copies = false;
    word.clear();
  };
  for (const char32_t c : text) {
    const bool was_open = quotes.open();
    quotes.take(c);
    if (!was_open && !quotes.open() && !is_space(c) && std::u32string_view(U"\n;:{}").find(c) == std::u32string::npos) {
      append_utf8(word, c);
      continue;
    }
    if (!word.empty()) end_word();
    if (!quotes.open() && (c == U'\n' || c == U';')) copies = named = false;
  }
  if (!word.empty()) end_word();
  return names;
}

class Expander {
 public:
  Expander(std::u32string text, const Variables& variables, GoalKind kind)
      : text_(std::move(text)), variables_(variables), kind_(kind) {
    copied_ = copied_names(text_);
  }

  Result<std::string> run() {
    while (at_ < text_.size()) {
      if (line_begins_ && is_comment()) {
        skip_comment();
      } else if (const std::string name = variable_here(); !name.empty() && !is_copied(name)) {
        RETURN_IF_ERROR(replace(name));
      } else {
        append_utf8(out_, text_[at_]);
        take();
      }
    }
    return std::move(out_);
  }

 private:
  bool is_comment() const {
    if (quotes_.open()) return false;
    const auto first = std::find_if(text_.begin() + static_cast<std::ptrdiff_t>(at_), text_.end(),
                                    [](char32_t c) { return !is_space(c); });
    return first != text_.end() && *first == U'#';
  }

  // A value from --set wins.
  bool is_copied(const std::string& name) const { return copied_.contains(name) && !variables_.contains(name); }

  void skip_comment() {
    while (at_ < text_.size() && text_[at_] != U'\n') ++at_;
    line_begins_ = false;
  }

  // The name, if "{{NAME}}" is at the current position.
  std::string variable_here() const {
    if (text_.compare(at_, 2, U"{{") != 0) return {};
    std::size_t end = at_ + 2;
    std::string name;
    while (end < text_.size() && is_name_part(text_[end])) append_utf8(name, text_[end++]);
    return is_name(name) && text_.compare(end, 2, U"}}") == 0 ? name : "";
  }

  Result<void> replace(const std::string& name) {
    const auto found = variables_.find(name);
    if (found == variables_.end()) return problem(unset(name));
    if (kind_ == GoalKind::kFreeText) {
      out_ += found->second;
    } else if (quotes_.open()) {
      out_ += escaped(found->second);
    } else if (is_one_word(found->second)) {
      out_ += found->second;
    } else {
      return problem("the value of {{" + name + "}} is not one plain word, so it needs quotation marks: \"{{" + name +
                     "}}\"");
    }
    for (std::size_t i = 0; i < name.size() + 4; ++i) take();
    return ok();
  }

  std::string unset(const std::string& name) const {
    std::vector<std::string> names;
    for (const auto& [known, value] : variables_) names.push_back(known);
    return "{{" + name + "}} is not set" + did_you_mean(name, names) + ": add --set " + name + "=VALUE";
  }

  static std::string escaped(const std::string& value) {
    const std::u32string scalars = decode_utf8(value).value_or(U"");
    std::string text;
    for (const char32_t c : scalars) {
      if (c == U'\n') {
        text += "\\n";
      } else if (c == U'\t') {
        text += "\\t";
      } else {
        if (std::u32string_view(U"\"'\\\u201c\u201d\u201e\u2018\u2019").find(c) != std::u32string_view::npos) {
          text += '\\';
        }
        append_utf8(text, c);
      }
    }
    return text;
  }

  static bool is_one_word(const std::string& value) {
    const auto is_plain = [](char c) {
      return static_cast<unsigned char>(c) > 0x7f || is_name_part(static_cast<unsigned char>(c)) || c == '.' ||
             c == '/' || c == '+' || c == ':' || c == '@' || c == '%';
    };
    // Quotation marks and spaces outside ASCII also split words.
    const std::u32string scalars = decode_utf8(value).value_or(U"");
    const bool splits = std::ranges::any_of(scalars, [](char32_t c) {
      return is_space(c) || std::u32string_view(U"\u201c\u201d\u201e\u2018\u2019").find(c) != std::u32string_view::npos;
    });
    return !value.empty() && !splits && std::ranges::all_of(value, is_plain) && fold_case(value) != "then";
  }

  Error problem(const std::string& what) const {
    return {Code::kInvalidArgument,
            "the goal, line " + std::to_string(line_) + ", column " + std::to_string(column_) + ": " + what};
  }

  void take() {
    const char32_t c = text_[at_++];
    if (kind_ == GoalKind::kSentences) quotes_.take(c);
    line_begins_ = c == U'\n';
    line_ += line_begins_ ? 1 : 0;
    column_ = line_begins_ ? 1 : column_ + 1;
  }

  const std::u32string text_;
  const Variables& variables_;
  const GoalKind kind_;
  std::set<std::string> copied_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  std::size_t column_ = 1;
  bool line_begins_ = true;
  QuoteTracker quotes_;
  std::string out_;
};

}  // namespace

Result<Variables> parse_variables(const std::vector<std::string>& given) {
  Variables variables;
  for (const std::string& pair : given) {
    const auto equals = pair.find('=');
    const std::string name = pair.substr(0, equals);
    if (equals == std::string::npos || !is_name(name) || !is_valid_utf8(pair)) {
      return Error{Code::kInvalidArgument, "--set " + quote_foreign(pair, 60) +
                                               " is not NAME=VALUE, with a name of ASCII letters, digits, _ and -"};
    }
    if (!variables.emplace(name, pair.substr(equals + 1)).second) {
      return Error{Code::kInvalidArgument, "--set " + name + " is given twice; give it once"};
    }
  }
  return variables;
}

Result<std::string> expand_goal(std::string_view goal, const Variables& variables, GoalKind kind) {
  auto scalars = decode_utf8(goal);
  if (!scalars) return Error{Code::kInvalidArgument, "the goal is not UTF-8"};
  return Expander(*std::move(scalars), variables, kind).run();
}

std::string plain_lines(std::string_view text) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  std::string lines;
  lines.reserve(text.size());
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool with_newline = text[at] == '\r' && text.substr(at + 1).starts_with('\n');
    if (!with_newline) lines += text[at] == '\r' ? '\n' : text[at];
  }
  return lines;
}

Result<std::string> read_goal_text(const std::string& goal, const std::string& file) {
  if (file.empty()) return goal;
  std::string text;
  if (file == "-") {
    text.assign(std::istreambuf_iterator<char>(std::cin), {});
  } else {
    const auto content = os::read_file(file, kMaxFileBytes);
    if (!content) return Error{Code::kInvalidArgument, "--goal-file: " + content.error().message};
    text = *content;
  }
  if (text.size() > kMaxFileBytes) return Error{Code::kInvalidArgument, "--goal-file -: more than 1 MiB was given"};
  if (!is_valid_utf8(text)) {
    const bool wide = text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff");
    return Error{Code::kInvalidArgument,
                 "--goal-file " + file + ": the text is not UTF-8" + (wide ? " but UTF-16: save it as UTF-8" : "")};
  }
  return plain_lines(text);
}

}  // namespace da::console
