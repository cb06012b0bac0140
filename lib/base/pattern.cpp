#include "lib/base/pattern.h"

#include <re2/re2.h>

namespace da {
namespace {

// Limits the memory of the compiled program and its automaton. RE2 refuses a pattern that needs more.
constexpr std::int64_t kMaxProgramBytes = 4 << 20;
constexpr std::size_t kMaxExpressionBytes = 16'000;

Result<std::shared_ptr<const re2::RE2>> program_of(const std::string& expression) {
  if (expression.empty()) return Error{Code::kInvalidArgument, "the pattern is empty and would match everything"};
  if (expression.size() > kMaxExpressionBytes) {
    return Error{Code::kInvalidArgument,
                 "the pattern is longer than " + std::to_string(kMaxExpressionBytes) + " bytes; split it"};
  }
  re2::RE2::Options options;
  options.set_max_mem(kMaxProgramBytes);
  options.set_case_sensitive(false);
  options.set_dot_nl(true);
  options.set_never_capture(true);
  options.set_log_errors(false);
  auto program = std::make_shared<const re2::RE2>(expression, options);
  if (!program->ok()) return Error{Code::kInvalidArgument, "not a valid RE2 pattern: " + program->error()};
  return program;
}

}  // namespace

Result<Pattern> Pattern::compile(const std::string& expression) {
  ASSIGN_OR_RETURN(auto program, program_of(expression));
  return Pattern(std::move(program), {expression});
}

Result<Pattern> Pattern::compile_any(std::vector<std::string> expressions) {
  std::string any;
  for (const std::string& expression : expressions) any += (any.empty() ? "(?:" : "|(?:") + expression + ")";
  ASSIGN_OR_RETURN(auto program, program_of(any));
  return Pattern(std::move(program), std::move(expressions));
}

bool Pattern::matches(std::string_view text) const {
  return re2::RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), *program_);
}

std::string quote_pattern(std::string_view text) {
  constexpr std::string_view kSpecial = "\\.+*?()|[]{}^$";
  std::string pattern;
  for (const char c : text) {
    if (kSpecial.find(c) != std::string_view::npos) pattern += '\\';
    pattern += c;
  }
  return pattern;
}

}  // namespace da
