#include <algorithm>
#include <nlohmann/json.hpp>

#include "lib/base/text.h"
#include "lib/contract/catalogue.h"
#include "lib/contract/json/schema.h"
#include "services/planner/model/dialects/dialect.h"
#include "services/planner/model/prompt.h"

namespace da::planner::model {
namespace {

class SuggestionDialect final : public Dialect {
 public:
  explicit SuggestionDialect(const v1::Decision& decision)
      : allowed_(decision.allowed_actions().begin(), decision.allowed_actions().end()),
        confirm_(decision.confirm_each_step()) {}

  std::string system_prompt() const override { return decision_prompt(allowed_); }
  std::string repair_prompt(const std::string& error) const override { return model::repair_prompt(error); }

  void ask_for(Request& request, const v1::Observation&) const override {
    request.schema_name = "suggestion";
    request.schema = contract::suggestion_schema(allowed_);
  }

  Result<contract::ParsedPlan> read(const Reply& reply, const v1::Observation&) const override {
    ASSIGN_OR_RETURN(auto suggestion, contract::parse_suggestion(reply.text));
    contract::ParsedPlan parsed;
    if (!suggestion.step) {
      parsed.plan.set_done(suggestion.reasoning);
      return parsed;
    }
    if (!allowed_.empty() && std::ranges::find(allowed_, suggestion.action_type) == allowed_.end()) {
      return Error{Code::kInvalidArgument, "action_type is \"" + escape_foreign(suggestion.action_type, 60) +
                                               "\", which this task does not allow"};
    }
    if (confirm_) suggestion.step->add_concerns("each step of this task must be confirmed");
    *parsed.plan.add_steps() = *std::move(suggestion.step);
    return parsed;
  }

 private:
  const std::vector<std::string> allowed_;
  const bool confirm_;
};

constexpr int kMostRegions = 8;
constexpr std::size_t kMostNameBytes = 100;
constexpr std::uint32_t kMostSteps = 50;

}  // namespace

Result<void> check_decision(const v1::Decision& decision) {
  const auto invalid = [](std::string why) { return Error{Code::kInvalidArgument, std::move(why)}; };
  const auto known = contract::names_in(v1::DIALECT_SUGGESTION);
  std::string names;
  for (const std::string& name : known) names += (names.empty() ? "" : ", ") + name;
  for (const std::string& action : decision.allowed_actions()) {
    if (std::ranges::find(known, action) == known.end()) {
      return invalid("there is no action " + quote_foreign(action, 60) + "; known: " + names);
    }
  }
  if (decision.regions_size() > kMostRegions) {
    return invalid("at most " + std::to_string(kMostRegions) + " regions can be shown");
  }
  for (const v1::Decision::Region& region : decision.regions()) {
    if (shows_nothing(region.name()) || region.name().size() > kMostNameBytes) {
      return invalid("a region needs a name of at most " + std::to_string(kMostNameBytes) + " bytes");
    }
    if (region.area().width() == 0 || region.area().height() == 0) {
      return invalid("the region " + quote_foreign(region.name(), 60) + " is empty");
    }
  }
  if (decision.max_steps() > kMostSteps) {
    return invalid("at most " + std::to_string(kMostSteps) + " steps can be suggested");
  }
  return ok();
}

std::unique_ptr<Dialect> suggestion_dialect(const v1::Decision& decision) {
  return std::make_unique<SuggestionDialect>(decision);
}

}  // namespace da::planner::model
