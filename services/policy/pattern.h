// One regular expression of a rule: RE2, so that no text from outside can make it slow or crash it.
// Unanchored and case-insensitive unless the expression says otherwise ("^", "$", "(?-i)"); "." matches newlines too.
// \b and \w know ASCII only, as RE2 documents: write (^|\PL) before a word that starts with an umlaut.
// Immutable; copies share the compiled program; any thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "lib/base/result.h"

namespace re2 {
class RE2;
}

namespace da::policy {

class Pattern {
 public:
  // kInvalidArgument says what RE2 found wrong.
  static Result<Pattern> compile(const std::string& expression);

  bool matches(std::string_view text) const;

 private:
  explicit Pattern(std::shared_ptr<const re2::RE2> program) : program_(std::move(program)) {}
  std::shared_ptr<const re2::RE2> program_;
};

}  // namespace da::policy
