// What a run of a profile has done so far: its cycles, how often each rule acted and failed, and why it must end. Says
// it in words, and knows when a rule has failed too often. Only the task's thread calls. The profile must outlive the
// object.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "lib/base/error.h"
#include "services/planner/rules/profile/profile.h"

namespace da::planner::rules {

// What the run remembers of a rule, beside RunState.
struct RuleRecord {
  std::uint64_t acted = 0;          // Times that all its actions were carried out.
  std::uint32_t failures = 0;       // Failures in a row.
  bool failed_to_evaluate = false;  // The last failure.
  int stale = 0;                    // Steps in a row that were not begun.
  std::string told;                 // The last failure that was published.
};

class RunProgress {
 public:
  enum class Acts { kReally, kInDryRun };
  RunProgress(const Profile& profile, Acts acts) : profile_(profile), acts_(acts), rules_(profile.rules.size()) {}

  void add_cycles(std::uint64_t count) { cycles_ += count; }
  std::uint64_t cycles() const { return cycles_; }

  RuleRecord& of_rule(std::size_t rule) { return rules_[rule]; }
  std::size_t rules() const { return rules_.size(); }

  enum class FailedAt { kEvaluation, kAction };
  void add_failure(std::size_t rule, const std::string& why, FailedAt at);
  // Failures of all rules.
  std::uint64_t failures() const { return failures_; }
  // Names the rule.
  const std::string& last_failure() const { return last_failure_; }
  bool has_failed_too_often(std::size_t rule) const;
  // Requires has_failed_too_often().
  Error failed_too_often(std::size_t rule) const;

  // The rule's `stop` ends the run.
  void stop_by(std::size_t rule) { stopped_by_ = profile_.rules[rule].name; }
  bool is_stopped() const { return !stopped_by_.empty(); }

  std::string summary() const;

 private:
  const Profile& profile_;
  const Acts acts_;
  std::vector<RuleRecord> rules_;
  std::uint64_t cycles_ = 0;
  std::uint64_t failures_ = 0;
  std::string last_failure_;
  std::string stopped_by_;
};

// The rule's name in quotes, escaped and shortened, as in all texts of a run.
std::string quote_rule(const std::string& name);

}  // namespace da::planner::rules
