// One or more RE2 expressions, of which one must match; hostile text cannot make RE2 slow or crash it. Unanchored and
// case-insensitive unless the expression says otherwise ("^", "$", "(?-i)"); "." matches newlines. \b and \w know ASCII
// only: write (^|\PL) before a word that starts with an umlaut. Immutable; copies share the program; any thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lib/base/result.h"

namespace re2 {
class RE2;
}

namespace da {

class Pattern {
 public:
  // kInvalidArgument contains RE2's reason. Each expression must be valid on its own.
  static Result<Pattern> compile(const std::string& expression);
  static Result<Pattern> compile_any(std::vector<std::string> expressions);

  bool matches(std::string_view text) const;
  const std::vector<std::string>& expressions() const { return expressions_; }

 private:
  Pattern(std::shared_ptr<const re2::RE2> program, std::vector<std::string> expressions)
      : program_(std::move(program)), expressions_(std::move(expressions)) {}
  std::shared_ptr<const re2::RE2> program_;
  std::vector<std::string> expressions_;
};

// An expression that matches this text only (in any case, as a Pattern does).
std::string quote_pattern(std::string_view text);

}  // namespace da
