#include "services/planner/rules/engine/needed_models.h"

#include <algorithm>

#include "lib/base/text.h"

namespace da::planner::rules {
namespace {

class ModelList {
 public:
  ModelList(const Profile& profile, const Variables& given) : profile_(profile), given_(given) {}

  Result<void> add(const Condition& condition, const Rule& rule) {
    if (const auto* compound = std::get_if<Compound>(&condition.test)) {
      for (const Condition& part : compound->sub_conditions) RETURN_IF_ERROR(add(part, rule));
    }
    const auto* query = std::get_if<VisionQuery>(&condition.test);
    if (query == nullptr) return ok();
    const auto name = query->model_name.fill(given_);
    if (!name) {
      return Error{Code::kInvalidArgument, "rule " + quote_foreign(rule.name, 100) + ": the model_name " +
                                               quote_foreign(query->model_name.text(), 100) +
                                               " must not depend on what the rule captures"};
    }
    add_name(*name, rule);
    return ok();
  }

  void add_name(const std::string& name, const Rule& rule) {
    const std::string& meant = model_named(profile_, name);
    auto known = std::ranges::find(models_, meant, &NeededModel::name);
    if (known == models_.end()) known = models_.insert(known, {meant, {}});
    if (known->rules.empty() || known->rules.back() != rule.name) known->rules.push_back(rule.name);
  }

  std::vector<NeededModel> take() && { return std::move(models_); }

 private:
  const Profile& profile_;
  const Variables& given_;
  std::vector<NeededModel> models_;
};

}  // namespace

const std::string& model_named(const Profile& profile, const std::string& name) {
  return name.empty() ? profile.settings.gemini_default_model_name.text() : name;
}

Result<std::vector<NeededModel>> needed_models(const Profile& profile, const Variables& given) {
  ModelList models(profile, given);
  for (const Rule& rule : profile.rules) {
    RETURN_IF_ERROR(models.add(rule.condition, rule));
    for (const Action& action : rule.actions) {
      if (std::holds_alternative<PerformTask>(action)) models.add_name("", rule);
    }
  }
  return std::move(models).take();
}

}  // namespace da::planner::rules
