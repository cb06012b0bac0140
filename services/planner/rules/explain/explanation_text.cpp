#include "services/planner/rules/explain/explanation_text.h"

#include <nlohmann/json.hpp>

#include "lib/base/clock.h"
#include "lib/base/text.h"

namespace da::planner::rules {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kShown = 200;

std::string live_text(const ExplainedRule& rule) {
  switch (rule.live) {
    case Live::kDidNotFire: return "did not fire";
    case Live::kFired: return "fired";
    case Live::kWithdrawn: return "was to fire, but the screen was looked at again first";
    case Live::kFailed: return "failed";
    case Live::kNoSuchRule: return "the recorded profile has no such rule";
  }
  return "?";
}

std::string time_of(const v1::RulesEvaluated& fact) {
  return format_wall(WallTime(Nanoseconds(fact.header().wall_ns())));
}

void print(std::ostream& out, const Json& json) {
  out << json.dump(-1, ' ', false, Json::error_handler_t::replace) << "\n";
}

}  // namespace

bool ExplanationText::wants(const ExplainedRule& rule) {
  if (wish_.shown == Shown::kAll) return true;
  // How long a rule still rests always changes.
  const bool rests = rule.report.outcome == Outcome::kNotEvaluated;
  std::string now = rests ? std::string("rests") : to_text(rule.report);
  std::string& last = last_[rule.rule];
  const bool changed = now != last;
  last = std::move(now);
  return changed || rule.live != Live::kDidNotFire || !rule.difference.empty();
}

void ExplanationText::add(const ExplainedEvaluation& evaluation) {
  std::vector<const ExplainedRule*> rules;
  for (const ExplainedRule& rule : evaluation.rules) {
    if (wants(rule)) rules.push_back(&rule);
  }
  if (rules.empty() && evaluation.differences.empty() && evaluation.lacks.empty()) return;
  wish_.as == ExplanationAs::kJson ? print_json(evaluation, rules) : print_text(evaluation, rules);
}

void ExplanationText::print_text(const ExplainedEvaluation& evaluation,
                                 const std::vector<const ExplainedRule*>& rules) {
  const v1::RulesEvaluated& fact = evaluation.recorded.fact;
  out_ << time_of(fact) << "  cycle " << fact.cycle();
  if (fact.first_rule() > 0) out_ << ", again from its rule " << fact.first_rule() + 1;
  out_ << "\n";
  if (!evaluation.lacks.empty()) out_ << "  INCOMPLETE: " << escape_foreign(evaluation.lacks, kShown) << "\n";
  for (const std::string& difference : evaluation.differences) out_ << "  DIFFERENCE: " << difference << "\n";
  for (const ExplainedRule* rule : rules) {
    out_ << to_text(rule->report) << "  live: " << live_text(*rule);
    if (!rule->live_problem.empty()) out_ << ": " << escape_foreign(rule->live_problem, kShown);
    out_ << "\n";
    if (!rule->difference.empty()) out_ << "  DIFFERENCE: " << rule->difference << "\n";
  }
}

void ExplanationText::print_json(const ExplainedEvaluation& evaluation,
                                 const std::vector<const ExplainedRule*>& rules) {
  const v1::RulesEvaluated& fact = evaluation.recorded.fact;
  const auto begun = [&] {
    return Json{{"cycle", fact.cycle()}, {"evaluation", fact.evaluation()}, {"time", time_of(fact)}};
  };
  if (!evaluation.lacks.empty()) {
    Json line = begun();
    line["incomplete"] = evaluation.lacks;
    print(out_, line);
  }
  for (const std::string& difference : evaluation.differences) {
    Json line = begun();
    line["difference"] = difference;
    print(out_, line);
  }
  for (const ExplainedRule* rule : rules) {
    Json line = begun();
    line.update(to_json(rule->report));
    line["live"] = live_text(*rule);
    if (!rule->live_problem.empty()) line["live_problem"] = rule->live_problem;
    if (!rule->difference.empty()) line["difference"] = rule->difference;
    print(out_, line);
  }
}

void ExplanationText::finish(const ExplainTotals& totals) {
  if (wish_.as == ExplanationAs::kJson) {
    print(out_, {{"evaluations", totals.evaluations},
                 {"cycles", totals.cycles},
                 {"fired_live", totals.fired_live},
                 {"fires", totals.fires},
                 {"differences", totals.differences},
                 {"not_known", totals.not_known}});
    return;
  }
  out_ << "evaluations: " << totals.evaluations << " in " << totals.cycles
       << " cycles; rules fired live: " << totals.fired_live << ", here: " << totals.fires
       << "\ndifferences: " << totals.differences << "; not known: " << totals.not_known << "\n";
}

}  // namespace da::planner::rules
