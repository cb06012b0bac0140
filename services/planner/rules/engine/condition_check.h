// Evaluates the conditions of one rule, in order and only as far as needed. Pure; one thread, for one rule and cycle.
//
// AND stops at the first part that does not hold, OR at the first that holds. A region that is not on the screen makes
// a condition neither hold nor fail, under NOT too: only another part of an OR can then make the rule act. An error
// ends the evaluation of the rule.
#pragma once

#include <optional>
#include <string>

#include "services/planner/rules/engine/analyses.h"
#include "services/planner/rules/engine/report.h"

namespace da::planner::rules {

// The last template that was found.
struct FoundTemplate {
  std::size_t region = 0;
  Rect area;  // Pixels of the region.
};

// What the conditions of the rule found.
struct Findings {
  const Variables& variables;
  const std::optional<FoundTemplate>& last_match;
};

class ConditionCheck {
 public:
  // All must outlive it. `variables` are those from outside of the profile.
  ConditionCheck(const Profile& profile, const Analyses& analyses, const Variables& variables)
      : profile_(profile), analyses_(analyses), variables_(variables) {}

  // `report` may be null, which is faster.
  Outcome check(const Condition& condition, ConditionReport* report);

  const Variables& variables() const { return variables_; }
  const std::optional<FoundTemplate>& last_match() const { return last_match_; }
  const std::optional<Question>& question() const { return question_; }  // Set after kPending.
  const std::string& problem() const { return problem_; }                // Set after kError and kUnavailable.

 private:
  Outcome check_compound(const Compound& compound, ConditionReport* report);
  Outcome check_parts(const Compound& compound, ConditionReport* report, Outcome decisive, Outcome otherwise);

  Outcome test(const AlwaysTrue&, const RegionRef&, ConditionReport*) { return Outcome::kHolds; }
  Outcome test(const PixelColor& condition, const RegionRef& region, ConditionReport* report);
  Outcome test(const AverageColor& condition, const RegionRef& region, ConditionReport* report);
  Outcome test(const TemplateMatch& condition, const RegionRef& region, ConditionReport* report);
  Outcome test(const OcrContains& condition, const RegionRef& region, ConditionReport* report);
  Outcome test(const DominantColor& condition, const RegionRef& region, ConditionReport* report);
  Outcome test(const VisionQuery& condition, const RegionRef& region, ConditionReport* report);
  Outcome test(const UiElement& condition, const RegionRef& region, ConditionReport* report);
  Outcome test(const Compound& compound, const RegionRef&, ConditionReport* report) {
    return check_compound(compound, report);
  }
  Outcome test_answer(const VisionQuery& condition, const RegionRef& region, const std::string& answer,
                      ConditionReport* report);

  // The answer; nullptr after setting `outcome_` to what its lack means.
  template <class T>
  const T* use(const Answer<T>* answer, const Question& question);
  const RegionAnalyses* region(const RegionRef& region);
  const Rect* area(const RegionRef& region);
  template <class T>
  std::optional<T> filled(Result<T> value);
  Outcome fail(std::string problem);
  void capture(const CaptureName& name, nlohmann::json value, const RegionRef& region);

  const Profile& profile_;
  const Analyses& analyses_;
  Variables variables_;
  std::optional<FoundTemplate> last_match_;
  std::optional<Question> question_;
  std::string problem_;
  Outcome outcome_ = Outcome::kNotEvaluated;
};

}  // namespace da::planner::rules
