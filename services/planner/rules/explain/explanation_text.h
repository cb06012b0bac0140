// An explanation for people and for scripts: each rule at each evaluation, with measured beside expected values, what
// happened live, and the differences. Foreign text is escaped. One thread.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <ostream>
#include <string>

#include "services/planner/rules/explain/explanation.h"

namespace da::planner::rules {

enum class Shown { kAll, kChanges };
enum class ExplanationAs { kText, kJson };

struct ExplanationWish {
  ExplanationAs as = ExplanationAs::kText;
  // kChanges: a rule only where its outcome or a measurement changed, where it fired, and where there is a difference.
  Shown shown = Shown::kAll;
};

class ExplanationText {
 public:
  ExplanationText(ExplanationWish wish, std::ostream& out) : wish_(wish), out_(out) {}

  void add(const ExplainedEvaluation& evaluation);
  void finish(const ExplainTotals& totals);

 private:
  bool wants(const ExplainedRule& rule);
  void print_text(const ExplainedEvaluation& evaluation, const std::vector<const ExplainedRule*>& rules);
  void print_json(const ExplainedEvaluation& evaluation, const std::vector<const ExplainedRule*>& rules);

  const ExplanationWish wish_;
  std::ostream& out_;
  std::map<std::size_t, std::string> last_;  // What was said of a rule.
};

}  // namespace da::planner::rules
