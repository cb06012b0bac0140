// Evaluates the rules of a profile at each evaluation of a recorded run, and compares with what they did live.
//
// With the recorded profile everything is equal, because the engine is pure and the recording names all that a decision
// depends on: the observer's answers, the time, and when rules acted. With a changed profile, each evaluation is made
// on the recorded screen. What would have followed on the desktop from another decision is not simulated; but a rule
// that fires here and did not live counts as having acted, for its `once` and `cooldown_seconds`.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "services/planner/rules/engine/engine.h"
#include "services/planner/rules/explain/picture_analyst.h"
#include "services/planner/rules/explain/recorded_run.h"
#include "services/planner/rules/explain/recorded_screen.h"
#include "services/planner/rules/run/loaded_profile.h"

namespace da::planner::rules {

enum class Live {
  kDidNotFire,
  kFired,
  kWithdrawn,   // It was decided to fire, but the screen was looked at again before it began.
  kFailed,      // It could not be evaluated.
  kNoSuchRule,  // The recorded profile has none of this name.
};

// A rule at one evaluation.
struct ExplainedRule {
  std::size_t rule = 0;  // Index in the explained profile.
  RuleReport report;
  Live live = Live::kDidNotFire;
  std::string live_problem;  // Error message of kFailed; foreign.
  bool is_known = true;      // False: the recording lacks a measurement that the rule needs.
  std::string difference;    // From live, in words; empty: none, or it is not known. Foreign text is escaped.
};

struct ExplainedEvaluation {
  const RecordedEvaluation& recorded;
  std::string lacks;                     // What the recording lacks of it; empty: nothing.
  std::vector<ExplainedRule> rules;      // Those that had their turn, in the order of the profile.
  std::vector<std::string> differences;  // About rules that the profile does not have. Foreign text is escaped.
};

struct ExplainTotals {
  std::uint64_t evaluations = 0;
  std::uint64_t cycles = 0;
  std::uint64_t fired_live = 0;  // Rules, each time.
  std::uint64_t fires = 0;       // Rules that fire with the explained profile, each time.
  std::uint64_t differences = 0;
  std::uint64_t not_known = 0;  // Rules at evaluations.
};

class Explanation {
 public:
  // `current`: the profile to explain; its variables are ignored, those of the run count. `analyst`: may be null; then
  // only recorded measurements are used. All must outlive the object. `only`: names of rules; empty: all.
  Explanation(const RecordedRun& run, const LoadedProfile& recorded, const LoadedProfile& current,
              PictureAnalyst* analyst, std::set<std::string> only = {});

  // The explained profile is that of the recording, with the same templates.
  bool same_profile() const { return same_profile_; }

  using Take = std::function<void(const ExplainedEvaluation&)>;
  // Passes each evaluation, in order. Errors of the analyst.
  Result<ExplainTotals> run(const Take& take);

 private:
  Result<ExplainedEvaluation> explain(const RecordedEvaluation& recorded);
  Result<Cycle> evaluate(const v1::RulesEvaluated& fact);
  Analyses present_analyses() const;
  void mark_live(const v1::RulesEvaluated& fact);
  std::size_t first_rule(const v1::RulesEvaluated& fact) const;
  ExplainedRule compare(std::size_t rule, const RuleReport& report, const Cycle& cycle,
                        const RecordedEvaluation& recorded) const;
  bool counts(const std::string& rule) const { return only_.empty() || only_.contains(rule); }
  std::string difference(const ExplainedRule& rule, const Cycle& cycle, const RecordedEvaluation& recorded) const;
  void say_why_unknown(ExplainedRule& rule) const;
  std::vector<std::string> differences_elsewhere(const RecordedEvaluation& recorded, std::size_t first) const;

  const RecordedRun& run_;
  const LoadedProfile& recorded_;
  const LoadedProfile& current_;
  PictureAnalyst* const analyst_;
  const Engine engine_;
  const std::set<std::string> only_;
  const bool same_profile_;
  RecordedScreen screen_;
  RunState state_;
  std::vector<std::optional<std::size_t>> live_rule_;     // Recorded rule for each rule of the explained profile.
  std::vector<std::optional<std::size_t>> present_rule_;  // Explained rule for each rule of the recorded profile.
  std::vector<std::optional<std::size_t>> live_region_;   // Recorded region at the same place, for each explained one.
  ExplainTotals totals_;
};

}  // namespace da::planner::rules
