#include "lib/contract/json/schema.h"
#include "services/planner/model/dialects/dialect.h"

namespace da::planner::model {
namespace {

class StepsDialect final : public Dialect {
 public:
  explicit StepsDialect(Drawn drawn) : drawn_(drawn) {}

  std::string system_prompt() const override { return model::system_prompt(drawn_); }
  std::string repair_prompt(const std::string& error) const override { return model::repair_prompt(error); }

  void ask_for(Request& request, const v1::Observation&) const override {
    request.schema_name = "plan";
    request.schema = contract::reply_schema();
  }

  Result<contract::ParsedPlan> read(const Reply& reply, const v1::Observation&) const override {
    return contract::parse_steps(reply.text);
  }

 private:
  const Drawn drawn_;
};

}  // namespace

std::unique_ptr<Dialect> steps_dialect(Drawn drawn) { return std::make_unique<StepsDialect>(drawn); }

}  // namespace da::planner::model
