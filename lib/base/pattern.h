// The regular expressions of one condition, of which one must match: RE2, so that no text from outside can make it slow
// or crash it.
// Unanchored and case-insensitive unless the expression says otherwise ("^", "$", "(?-i)"); "." matches newlines too.
// \b and \w know ASCII only, as RE2 documents: write (^|\PL) before a word that starts with an umlaut.
// Immutable; copies share the compiled program; any thread.
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
  // kInvalidArgument says what RE2 found wrong. Each expression must be one by itself.
  static Result<Pattern> compile(const std::string& expression);
  static Result<Pattern> compile_any(std::vector<std::string> expressions);

  bool matches(std::string_view text) const;
  // As they were given.
  const std::vector<std::string>& expressions() const { return expressions_; }

 private:
  Pattern(std::shared_ptr<const re2::RE2> program, std::vector<std::string> expressions)
      : program_(std::move(program)), expressions_(std::move(expressions)) {}
  std::shared_ptr<const re2::RE2> program_;
  std::vector<std::string> expressions_;
};

}  // namespace da
