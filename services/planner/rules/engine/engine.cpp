#include "services/planner/rules/engine/engine.h"

#include <cmath>

#include "lib/base/text.h"
#include "services/planner/rules/profile/number.h"

namespace da::planner::rules {
namespace {

void add_needs(const Condition& condition, std::uint32_t clusters, std::vector<RegionNeeds>& needs) {
  if (const auto* compound = std::get_if<Compound>(&condition.test)) {
    for (const Condition& part : compound->sub_conditions) add_needs(part, clusters, needs);
    return;
  }
  if (!condition.region.index || std::holds_alternative<AlwaysTrue>(condition.test)) return;
  RegionNeeds& need = needs[*condition.region.index];
  need.used = true;
  need.average = need.average || std::holds_alternative<AverageColor>(condition.test);
  need.ocr = need.ocr || std::holds_alternative<OcrContains>(condition.test);
  if (std::holds_alternative<DominantColor>(condition.test)) need.dominant = clusters;
}

// Why the rule does not act now, whatever the screen shows.
std::optional<std::string> rests(const Rule& rule, const RuleState& state, MonoTime now) {
  if (!state.acted) return std::nullopt;
  if (rule.once) return "it has acted once";
  const std::chrono::duration<double> since = now - *state.acted;
  if (since.count() >= rule.cooldown_seconds.value) return std::nullopt;
  return "it rests for " + number_text(std::ceil(rule.cooldown_seconds.value - since.count())) + " seconds more";
}

class RuleEvaluation {
 public:
  RuleEvaluation(const Profile& profile, std::size_t index, const Analyses& analyses, const Variables& given)
      : profile_(profile), index_(index), analyses_(analyses), given_(given) {}

  // kHolds: decision() is complete.
  Outcome evaluate(RuleReport* report) {
    const Rule& rule = profile_.rules[index_];
    ConditionCheck check(profile_, analyses_, given_);
    Outcome outcome = check.check(rule.condition, report == nullptr ? nullptr : &report->condition);
    if (outcome == Outcome::kPending) question_ = check.question();
    if (outcome == Outcome::kError) problem_ = check.problem();
    if (outcome == Outcome::kHolds) outcome = plan(rule, check);
    if (report != nullptr) {
      report->rule = rule.name;
      report->outcome = outcome;
      report->reason = problem_;
      for (const PlannedParts& parts : decision_.actions) {
        for (const PlannedPart& part : parts) report->actions.push_back(describe(part));
      }
    }
    return outcome;
  }

  Decision take_decision() { return std::move(decision_); }
  const std::optional<Question>& question() const { return question_; }
  const std::string& problem() const { return problem_; }

 private:
  Outcome plan(const Rule& rule, const ConditionCheck& check) {
    const Findings findings{check.variables(), check.last_match()};
    decision_.rule = index_;
    for (const Action& action : rule.actions) {
      auto planned = plan_action(profile_, rule, action, findings, analyses_);
      if (auto* parts = std::get_if<PlannedParts>(&planned)) {
        decision_.actions.push_back(std::move(*parts));
        continue;
      }
      decision_.actions.clear();
      if (const auto* question = std::get_if<Question>(&planned)) {
        question_ = *question;
        return Outcome::kPending;
      }
      problem_ = std::get<Error>(planned).message;
      return Outcome::kError;
    }
    decision_.variables = check.variables();
    decision_.last_match = check.last_match();
    return Outcome::kHolds;
  }

  const Profile& profile_;
  std::size_t index_;
  const Analyses& analyses_;
  const Variables& given_;
  Decision decision_;
  std::optional<Question> question_;
  std::string problem_;
};

}  // namespace

std::vector<RegionNeeds> region_needs(const Profile& profile) {
  std::vector<RegionNeeds> needs(profile.regions.size());
  const auto clusters = static_cast<std::uint32_t>(profile.settings.analysis_dominant_colors_k.value);
  for (const Rule& rule : profile.rules) {
    add_needs(rule.condition, clusters, needs);
    for (const Action& action : rule.actions) {
      const auto* click = std::get_if<Click>(&action);
      if (click == nullptr) continue;
      const RegionRef& region = click->target_region.index ? click->target_region : rule.region;
      if (region.index) needs[*region.index].used = true;
    }
  }
  return needs;
}

void mark_acted(RunState& state, std::size_t rule, MonoTime now) { state[rule].acted = now; }

Cycle Engine::evaluate(const Analyses& analyses, const Variables& given, const RunState& state, MonoTime now,
                       Reports reports, std::size_t from) const {
  Cycle cycle;
  for (std::size_t i = from; i < profile_.rules.size(); ++i) {
    const Rule& rule = profile_.rules[i];
    if (const auto reason = rests(rule, state[i], now)) {
      if (reports == Reports::kAll) cycle.reports.push_back({rule.name, Outcome::kNotEvaluated, *reason, {}, {}});
      continue;
    }
    RuleEvaluation evaluation(profile_, i, analyses, given);
    RuleReport report;
    // Most rules do not act, so the words of a report are made afterwards, for those that do.
    const Outcome outcome = evaluation.evaluate(reports == Reports::kAll ? &report : nullptr);
    if (outcome == Outcome::kHolds) {
      cycle.decisions.push_back(evaluation.take_decision());
      if (reports == Reports::kOfDecisions) RuleEvaluation(profile_, i, analyses, given).evaluate(&report);
      cycle.decisions.back().report = report;
    }
    if (outcome == Outcome::kError)
      cycle.errors.push_back({i, "rule " + quote_foreign(rule.name) + ": " + evaluation.problem()});
    if (outcome == Outcome::kPending) {
      cycle.questions.push_back(*evaluation.question());
      cycle.questions.back().rule = i;
    }
    if (reports == Reports::kAll) cycle.reports.push_back(std::move(report));
    const bool may_stop = outcome == Outcome::kHolds || outcome == Outcome::kPending;
    if (rule.stop && may_stop) {
      cycle.stop = outcome == Outcome::kHolds;
      break;
    }
  }
  return cycle;
}

}  // namespace da::planner::rules
