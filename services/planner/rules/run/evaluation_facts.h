// Makes the fact of each evaluation of a run, from which the decision can be made again (v1::RulesEvaluated). Tells
// only what is new since the evaluation before. One thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "da/v1/history.pb.h"
#include "services/planner/rules/engine/engine.h"

namespace da::planner::rules {

class EvaluationFacts {
 public:
  explicit EvaluationFacts(std::size_t rules) : told_(rules) {}

  struct Evaluation {
    std::uint64_t number = 0;  // The cycle's number.
    std::size_t first_rule = 0;
    MonoTime at{};
    const Cycle& cycle;
    const RunState& state;
    const Analyses& analyses;
    std::vector<v1::RulesEvaluated::UsedAnswer> used;
  };
  v1::RulesEvaluated next(Evaluation evaluation);
  // Evaluations so far.
  std::uint64_t count() const { return count_; }

 private:
  using ModelKey = std::tuple<std::uint32_t, std::string, std::string>;  // Region, prompt, model.

  void add_states(const RunState& state, v1::RulesEvaluated& fact);
  void add_models(const Analyses& analyses, v1::RulesEvaluated& fact);

  std::uint64_t count_ = 0;
  RunState told_;                                // State at the last evaluation.
  std::map<ModelKey, std::string> told_models_;  // Their answers at the last evaluation, serialized.
};

}  // namespace da::planner::rules
