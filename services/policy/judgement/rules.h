// The rule file: it decides which steps are allowed, which ones a person is asked about, and which ones are denied.
//
//   [[rule]]
//   name = "terminals"              # lower case letters, digits and "-"; unique
//   verdict = "ask"                 # "allow", "ask", "ask_second_factor" or "deny"
//   reason = "typing into a terminal runs commands"     # shown to people
//   risk = "critical"               # optional; raises the step's risk, never lowers it
//   match.tool = ["write", "paste"]                     # names of the catalogue; leave out for every tool
//   match.process = ['^xterm$', '^konsole$']            # one RE2 pattern or several, see pattern.h
//
//   except.process = '^konsole$'    # optional: conditions as in match; the rule does not match if all of them hold
//   [[rule.except]]                 # or several such tables, of which one must hold
//
//   [patterns]                      # optional: lists of patterns with names, for several rules
//   shells = ['^bash$', '^zsh$']    # used as  match.process = {patterns = "shells"}
//
// Conditions: tool, window (title), process (base name of the executable), element (name), role, element_state (one of
// the listed states), chord, text, command, path, desktop, planner, time ("22:00-06:00", local) and repetition ("5 in
// 10s": the fifth step of a task, and each later one, that meets the other conditions within ten seconds; not in allow
// rules, and not in except). subject.h says what each condition looks at.
// All conditions of a rule must hold. A list holds if one of its items does. A condition never holds for a tool that
// lacks the facet (the chord of a mouse click). An unknown value is the empty text, which '^$' matches. An allow rule
// must name its tools, so that a tool that is added later is denied until a rule names it.
//
// Errors name file, line and column; unknown keys are errors. Any thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "da/v1/tool_options.pb.h"
#include "lib/base/result.h"
#include "services/policy/judgement/condition.h"

namespace da::policy {

// Ordered from least to most restrictive.
enum class Ruling { kAllow, kAsk, kAskSecondFactor, kDeny };

struct Rule {
  std::string name;
  Ruling ruling = Ruling::kDeny;
  std::string reason;
  v1::Risk raised_to = v1::RISK_SAFE;  // RISK_SAFE raises nothing.
  Match match;
  std::vector<Match> except;  // The rule does not match where one of them does.
  std::uint32_t line = 0;     // First line of the rule in its file; 0 without a file.
};

// Immutable.
class Rules {
 public:
  static Result<Rules> load(const std::filesystem::path& path);
  static Result<Rules> parse(std::string_view toml, const std::string& name);
  // Return a copy of `known`, which is much faster, if its text is the same. `known` may be null.
  static Result<Rules> load(const std::filesystem::path& path, const Rules* known);
  static Result<Rules> parse(std::string_view toml, const std::string& name, const Rules* known);
  // All errors of a file, not only the first one. Empty if parse() accepts it.
  static std::vector<Error> problems(std::string_view toml, const std::string& name);
  explicit Rules(std::vector<Rule> rules);

  const std::vector<Rule>& all() const { return rules_; }
  // Whether any rule states a repetition.
  bool count_repetitions() const { return count_repetitions_; }
  const std::string& file() const { return file_; }
  // BLAKE2b-256 of the file, hexadecimal.
  const std::string& version() const { return version_; }
  const std::string& toml() const { return toml_; }

 private:
  std::vector<Rule> rules_;
  bool count_repetitions_ = false;
  std::string file_;
  std::string version_;
  std::string toml_;  // The file's text.
};

}  // namespace da::policy
