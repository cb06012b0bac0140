// The rule file: what may happen without asking, what a person is asked about, and what never happens.
//
//   [[rule]]
//   name = "terminals"              # lower case letters, digits and "-"; unique
//   verdict = "ask"                 # "allow", "ask", "ask_second_factor" or "deny"
//   reason = "typing into a terminal runs commands"     # shown to people
//   risk = "critical"               # optional; raises the step's risk, never lowers it
//   match.tool = ["write", "paste"]                     # names of the catalogue; leave out for every tool
//   match.process = ['^xterm$', '^konsole$']            # one RE2 pattern or several, see pattern.h
//
//   except.process = '^konsole$'    # optional: conditions as in match; where all of them hold, the rule does not match
//
// Conditions: tool, window (title), process (base name of the executable), element (name), role, element_state (one of
// the listed states), chord, text, command, path, desktop, planner, time ("22:00-06:00", local) and repetition ("5 in
// 10s": the fifth step of a task, and each after it, that meets the other conditions within ten seconds; not in allow
// rules, and not in except). All conditions of a rule must hold; a list holds where one of its items does. What each
// one looks at stands in subject.h. A condition on something that a tool does not have (the chord of a mouse click)
// does not hold; something that could not be found out is the empty text, which '^$' matches. An allow rule must name
// its tools: a tool that is added later is denied until a rule knows it.
//
// Immutable; any thread. Errors name file, line and column; unknown keys are errors.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "da/v1/observation.pb.h"
#include "da/v1/tool_options.pb.h"
#include "lib/base/clock.h"
#include "lib/base/pattern.h"
#include "lib/base/result.h"
#include "services/policy/time_of_day.h"

namespace da::policy {

// In rising order of restriction.
enum class Ruling { kAllow, kAsk, kAskSecondFactor, kDeny };

// The most steps that a repetition may count.
inline constexpr std::uint32_t kMaxRepetition = 1000;

struct Repetition {
  std::uint32_t times = 0;
  Milliseconds within{};
  auto operator<=>(const Repetition&) const = default;
};

struct Match {
  std::set<std::string> tools;           // Empty: every tool.
  std::set<v1::UiState> element_states;  // Empty: any; else the element has one of them.
  std::optional<Pattern> window;
  std::optional<Pattern> process;
  std::optional<Pattern> element;
  std::optional<Pattern> role;
  std::optional<Pattern> chord;
  std::optional<Pattern> text;
  std::optional<Pattern> command;
  std::optional<Pattern> path;
  std::optional<Pattern> desktop;
  std::optional<Pattern> planner;
  std::set<TimeSpan> times;  // Empty: any.
  std::optional<Repetition> repetition;
};

struct Rule {
  std::string name;
  Ruling ruling = Ruling::kDeny;
  std::string reason;
  v1::Risk raised_to = v1::RISK_SAFE;  // RISK_SAFE raises nothing.
  Match match;
  std::optional<Match> except;
  std::uint32_t line = 0;  // Of the file, where it begins; 0 where it comes from none.
};

class Rules {
 public:
  static Result<Rules> load(const std::filesystem::path& path);
  static Result<Rules> parse(std::string_view toml, const std::string& name);
  // All that is wrong with a file, not only the first thing. Empty where parse() takes it.
  static std::vector<Error> problems(std::string_view toml, const std::string& name);
  explicit Rules(std::vector<Rule> rules);

  const std::vector<Rule>& all() const { return rules_; }
  // Whether any of them states a repetition.
  bool count_repetitions() const { return count_repetitions_; }
  const std::string& file() const { return file_; }
  // BLAKE2b-256 of the file, hexadecimal.
  const std::string& version() const { return version_; }

 private:
  std::vector<Rule> rules_;
  bool count_repetitions_ = false;
  std::string file_;
  std::string version_;
};

}  // namespace da::policy
