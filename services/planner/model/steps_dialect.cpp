#include "lib/contract/schema.h"
#include "services/planner/model/dialect.h"
#include "services/planner/model/prompt.h"

namespace da::planner::model {
namespace {

class StepsDialect final : public Dialect {
 public:
  std::string system_prompt() const override { return model::system_prompt(); }
  std::string repair_prompt(const std::string& error) const override { return model::repair_prompt(error); }

  void ask_for(Request& request, const v1::Observation&) const override {
    request.schema_name = "plan";
    request.schema = contract::reply_schema();
  }

  Result<contract::ParsedPlan> read(const Reply& reply, const v1::Observation&) const override {
    return contract::parse_steps(reply.text);
  }
};

}  // namespace

std::unique_ptr<Dialect> steps_dialect() { return std::make_unique<StepsDialect>(); }

}  // namespace da::planner::model
