#include "services/planner/rules/run/task/allowed_tools.h"

#include <set>
#include <utility>

#include "lib/contract/catalogue.h"

namespace da::planner::rules {
namespace {

const contract::Tool* find_tool(const std::string& name) {
  const contract::Tool* tool = contract::find_tool(name, v1::DIALECT_SUGGESTION);
  return tool != nullptr ? tool : contract::find_tool(name, v1::DIALECT_STEPS);
}

class RestrictedDialect final : public model::Dialect {
 public:
  RestrictedDialect(std::unique_ptr<model::Dialect> dialect, const std::vector<std::string>& names)
      : dialect_(std::move(dialect)) {
    for (const std::string& name : names) {
      if (const contract::Tool* tool = find_tool(name)) names_.insert(tool->name());
    }
  }

  std::string system_prompt() const override {
    return dialect_->system_prompt() + "\nIn this task you may use these tools only: " + list() +
           ". Every other one is refused.\n";
  }

  std::string repair_prompt(const std::string& error) const override { return dialect_->repair_prompt(error); }

  void ask_for(model::Request& request, const v1::Observation& seen) const override {
    dialect_->ask_for(request, seen);
  }

  Result<contract::ParsedPlan> read(const model::Reply& reply, const v1::Observation& seen) const override {
    ASSIGN_OR_RETURN(auto parsed, dialect_->read(reply, seen));
    for (const v1::Step& step : parsed.plan.steps()) {
      const contract::Tool* tool = contract::tool_of(step.action());
      if (tool != nullptr && names_.contains(tool->name())) continue;
      return Error{Code::kInvalidArgument, "it uses the tool " + (tool == nullptr ? "(none)" : tool->name()) +
                                               ", which this task does not allow; allowed: " + list()};
    }
    return parsed;
  }

 private:
  std::string list() const {
    std::string all;
    for (const std::string& name : names_) all += (all.empty() ? "" : ", ") + name;
    return all;
  }

  const std::unique_ptr<model::Dialect> dialect_;
  std::set<std::string> names_;
};

}  // namespace

std::unique_ptr<model::Dialect> allow_only(std::unique_ptr<model::Dialect> dialect,
                                           const std::vector<std::string>& names) {
  if (names.empty()) return dialect;
  return std::make_unique<RestrictedDialect>(std::move(dialect), names);
}

}  // namespace da::planner::rules
