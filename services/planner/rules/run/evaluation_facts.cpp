#include "services/planner/rules/run/evaluation_facts.h"

#include <utility>

namespace da::planner::rules {

v1::RulesEvaluated EvaluationFacts::next(Evaluation evaluation) {
  v1::RulesEvaluated fact;
  fact.set_evaluation(++count_);
  fact.set_cycle(evaluation.number);
  fact.set_first_rule(static_cast<std::uint32_t>(evaluation.first_rule));
  fact.set_monotonic_ns(evaluation.at.time_since_epoch().count());
  for (auto& answer : evaluation.used) *fact.add_answers() = std::move(answer);
  add_states(evaluation.state, fact);
  add_models(evaluation.analyses, fact);
  for (const Decision& decision : evaluation.cycle.decisions) {
    if (decision.rule >= evaluation.first_rule) fact.add_fires(static_cast<std::uint32_t>(decision.rule));
  }
  for (const RuleError& error : evaluation.cycle.errors) {
    if (error.rule < evaluation.first_rule) continue;
    auto& failure = *fact.add_failed();
    failure.set_rule(static_cast<std::uint32_t>(error.rule));
    failure.set_message(error.message);
  }
  return fact;
}

void EvaluationFacts::add_states(const RunState& state, v1::RulesEvaluated& fact) {
  for (std::size_t i = 0; i < state.size(); ++i) {
    if (state[i] == told_[i]) continue;
    auto& changed = *fact.add_changed();
    changed.set_rule(static_cast<std::uint32_t>(i));
    if (state[i].acted) changed.set_acted_ns(state[i].acted->time_since_epoch().count());
    changed.set_rests_until_ns(state[i].rests_until.time_since_epoch().count());
  }
  told_ = state;
}

void EvaluationFacts::add_models(const Analyses& analyses, v1::RulesEvaluated& fact) {
  std::map<ModelKey, std::string> told;
  for (std::uint32_t i = 0; i < analyses.regions.size(); ++i) {
    if (analyses.regions[i].models_aged) fact.add_aged_regions(i);
    for (const auto& [question, answer] : analyses.regions[i].models) {
      v1::RulesEvaluated::ModelAnswer made;
      if (const auto* text = std::get_if<std::string>(&answer)) made.set_text(*text);
      if (const auto* error = std::get_if<Error>(&answer)) made.set_error(error->message);
      const ModelKey key(i, question.first, question.second);
      const std::string content = made.SerializeAsString();
      const auto before = told_models_.find(key);
      if (before != told_models_.end() && before->second == content) {
        made = {};
        made.set_as_before(true);
      }
      made.set_region(i);
      made.set_prompt(question.first);
      made.set_model(question.second);
      *fact.add_models() = std::move(made);
      told.emplace(key, content);
    }
  }
  told_models_ = std::move(told);
}

}  // namespace da::planner::rules
