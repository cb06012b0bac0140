// The ways in which a model is asked for steps and writes them. Whatever it writes comes out as a plan of the contract.
// Immutable; any thread.
#pragma once

#include <memory>
#include <string>

#include "da/v1/observation.pb.h"
#include "da/v1/planner_rpc.pb.h"
#include "lib/base/result.h"
#include "lib/contract/parse.h"
#include "services/planner/model/dialects/computer/actions.h"
#include "services/planner/model/dialogue.h"
#include "services/planner/model/prompt.h"

namespace da::planner::model {

class Dialect {
 public:
  virtual ~Dialect() = default;

  virtual std::string system_prompt() const = 0;

  // What is told back to a model whose reply could not be used.
  virtual std::string repair_prompt(const std::string& error) const = 0;

  // Sets what a request says of the answer's form.
  virtual void ask_for(Request& request, const v1::Observation& seen) const = 0;

  // Reads a whole reply: its form, and what the contract demands of each call. Places are pixels of the image. Errors
  // are for the model.
  virtual Result<contract::ParsedPlan> read(const Reply& reply, const v1::Observation& seen) const = 0;
};

// {"steps":[...],"done":...}, by the contract.
std::unique_ptr<Dialect> steps_dialect(Drawn drawn);

// The provider's own computer tool. A text without a call is the end.
std::unique_ptr<Dialect> computer_dialect(Vocabulary vocabulary);

// kInvalidArgument: an action that the dialect does not have, a region without a name or an area, too many of either or
// of steps.
Result<void> check_decision(const v1::Decision& decision);

// One suggestion at a time, {"action_type","parameters","reasoning"}: Mark-I's.
std::unique_ptr<Dialect> suggestion_dialect(const v1::Decision& decision);

}  // namespace da::planner::model
