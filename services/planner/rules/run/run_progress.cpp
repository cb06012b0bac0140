#include "services/planner/rules/run/run_progress.h"

#include "lib/base/text.h"

namespace da::planner::rules {
namespace {

constexpr std::size_t kShownOfName = 100;
constexpr std::size_t kNamedRules = 10;

std::string times(std::uint64_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

}  // namespace

void RunProgress::add_failure(std::size_t rule, const std::string& why, FailedAt at) {
  ++failures_;
  ++rules_[rule].failures;
  rules_[rule].failed_to_evaluate = at == FailedAt::kEvaluation;
  // The engine's messages name the rule.
  last_failure_ = at == FailedAt::kAction ? "rule " + quote_rule(profile_.rules[rule].name) + ": " + why : why;
}

bool RunProgress::has_failed_too_often(std::size_t rule) const {
  const double most = profile_.settings.max_failures_in_a_row.value;
  return most > 0 && rules_[rule].failures >= most;
}

Error RunProgress::failed_too_often(std::size_t rule) const {
  return {Code::kFailedPrecondition, last_failure_ + " (failed " + times(rules_[rule].failures, "time") +
                                         " in a row, after " + times(cycles_, "cycle") +
                                         "; max_failures_in_a_row of the profile's settings is the limit)"};
}

std::string RunProgress::summary() const {
  std::string text = times(cycles_, "cycle");
  if (!stopped_by_.empty()) text += ", ended by rule " + quote_rule(stopped_by_);
  std::string acted;
  std::size_t named = 0;
  std::size_t others = 0;
  for (std::size_t i = 0; i < rules_.size(); ++i) {
    if (rules_[i].acted == 0) continue;
    if (named == kNamedRules) {
      ++others;
      continue;
    }
    ++named;
    acted += (acted.empty() ? "" : ", ") + quote_rule(profile_.rules[i].name) + " " + times(rules_[i].acted, "time");
  }
  if (others > 0) acted += " and " + times(others, "other rule");
  const bool dry_run = acts_ == Acts::kInDryRun;
  text += acted.empty() ? "; no rule acted" : std::string(dry_run ? "; would act: " : "; acted: ") + acted;
  if (failures_ > 0) text += "; " + times(failures_, "failure") + ", the last of " + last_failure_;
  return text;
}

std::string quote_rule(const std::string& name) { return quote_foreign(name, kShownOfName); }

}  // namespace da::planner::rules
