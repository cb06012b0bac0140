#include "services/console/environment/dotenv.h"

#include <algorithm>

#include "lib/base/text.h"

namespace da::console {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kBlanks = " \t";
constexpr std::size_t kLongestName = 200;

bool may_begin_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
// Other programs also use names with "." and "-".
bool may_be_in_name(char c) { return may_begin_name(c) || (c >= '0' && c <= '9') || c == '.' || c == '-'; }

class DotenvReader {
 public:
  DotenvReader(std::string_view text, const std::string& file) : rest_(text), file_(file) {}

  Result<std::vector<DotenvEntry>> read() {
    std::vector<DotenvEntry> entries;
    while (true) {
      skip_blanks();
      if (rest_.empty()) return entries;
      if (at_line_end() || rest_.front() == '#') {
        skip_line();
        continue;
      }
      DotenvEntry entry{.line = line_, .name = {}, .value = {}};
      ASSIGN_OR_RETURN(entry.name, read_name());
      ASSIGN_OR_RETURN(entry.value, read_value());
      entries.push_back(std::move(entry));
    }
  }

 private:
  Error wrong(std::size_t line, const std::string& message) const {
    return {Code::kInvalidArgument, file_ + ":" + std::to_string(line) + ": " + message};
  }

  bool at_line_end() const { return rest_.starts_with('\n') || rest_.starts_with("\r\n"); }
  void skip_blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(kBlanks), rest_.size())); }
  void skip_line() {
    const std::size_t end = rest_.find('\n');
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    ++line_;
  }

  std::string_view take_word() {
    const auto end = std::ranges::find_if_not(rest_, may_be_in_name);
    const std::string_view word = rest_.substr(0, static_cast<std::size_t>(end - rest_.begin()));
    rest_.remove_prefix(word.size());
    return word;
  }

  // Through the "=".
  Result<std::string> read_name() {
    std::string_view name = take_word();
    const bool is_apart = !rest_.empty() && kBlanks.find(rest_.front()) != std::string_view::npos;
    skip_blanks();
    if (name == "export" && is_apart && !rest_.starts_with('=')) {
      name = take_word();
      skip_blanks();
    }
    if (name.empty() || !may_begin_name(name.front()) || name.size() > kLongestName) {
      return wrong(line_, "a line is NAME=VALUE or a comment; a name begins with a letter or _");
    }
    // The line may be a part of a key, so it is not shown.
    if (!rest_.starts_with('=')) return wrong(line_, "there is no =; a value over several lines needs quotes");
    rest_.remove_prefix(1);
    return std::string(name);
  }

  Result<std::string> read_value() {
    skip_blanks();
    if (rest_.starts_with('"') || rest_.starts_with('\'')) return read_quoted();
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    std::string_view value = rest_.substr(0, end);
    if (value.starts_with('#')) value = {};
    for (std::size_t i = 1; i < value.size(); ++i) {
      if (value[i] == '#' && kBlanks.find(value[i - 1]) != std::string_view::npos) value = value.substr(0, i);
    }
    std::string read(trim(value));
    skip_line();
    return read;
  }

  Result<std::string> read_quoted() {
    const std::size_t first_line = line_;
    const char quote = rest_.front();
    rest_.remove_prefix(1);
    std::string value;
    while (!rest_.empty() && rest_.front() != quote) {
      if (quote == '"' && rest_.front() == '\\' && rest_.size() > 1) {
        append_escape(value);
        continue;
      }
      if (rest_.front() == '\n') ++line_;
      if (!rest_.starts_with("\r\n")) value += rest_.front();
      rest_.remove_prefix(1);
    }
    if (rest_.empty()) return wrong(first_line, std::string("the quote ") + quote + " is not closed");
    rest_.remove_prefix(1);
    skip_blanks();
    const bool ends = rest_.empty() || at_line_end() || rest_.front() == '#';
    if (!ends) return wrong(line_, "there is text after the closing quote");
    skip_line();
    return value;
  }

  // Unknown escapes stay as they are.
  void append_escape(std::string& value) {
    constexpr std::string_view kEscapes = "nrt\\\"$";
    constexpr std::string_view kMeanings = "\n\r\t\\\"$";
    const std::size_t known = kEscapes.find(rest_[1]);
    if (known == std::string_view::npos) {
      value += '\\';
      rest_.remove_prefix(1);
      return;
    }
    value += kMeanings[known];
    rest_.remove_prefix(2);
  }

  std::string_view rest_;
  const std::string& file_;
  std::size_t line_ = 1;
};

// 0 if there is none.
std::size_t line_of_control(std::string_view text) {
  std::size_t line = 1;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n') ++line;
    const bool ends_line = c == '\n' || (c == '\r' && text.substr(i + 1).starts_with('\n'));
    if (!ends_line && c != '\t' && ((c >= 0 && c < ' ') || c == 0x7f)) return line;
  }
  return 0;
}

}  // namespace

Result<std::vector<DotenvEntry>> parse_dotenv(std::string_view text, const std::string& file) {
  if (text.size() > kMaxDotenvBytes) {
    return Error{Code::kInvalidArgument, file + " has more than " + std::to_string(kMaxDotenvBytes) + " bytes"};
  }
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  if (!is_valid_utf8(text)) return Error{Code::kInvalidArgument, file + " is not UTF-8"};
  if (const std::size_t line = line_of_control(text); line > 0) {
    return Error{Code::kInvalidArgument, file + ":" + std::to_string(line) + ": there is a control character"};
  }
  return DotenvReader(text, file).read();
}

}  // namespace da::console
