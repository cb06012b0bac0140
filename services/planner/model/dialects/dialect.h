// A dialect asks a model for steps in one form, and reads its replies as plans of the contract. Immutable; any thread.
#pragma once

#include <memory>
#include <string>

#include "da/v1/observation.pb.h"
#include "da/v1/planner_rpc.pb.h"
#include "lib/base/result.h"
#include "lib/contract/json/parse.h"
#include "services/planner/model/dialects/computer/actions.h"
#include "services/planner/model/dialogue.h"
#include "services/planner/model/prompt.h"

namespace da::planner::model {

class Dialect {
 public:
  virtual ~Dialect() = default;

  virtual std::string system_prompt() const = 0;

  // Tells a model why its reply could not be used.
  virtual std::string repair_prompt(const std::string& error) const = 0;

  // Sets the form of the answer in a request.
  virtual void ask_for(Request& request, const v1::Observation& seen) const = 0;

  // Reads a whole reply and checks each call against the contract. Places are pixels of the image. Errors are for the
  // model.
  virtual Result<contract::ParsedPlan> read(const Reply& reply, const v1::Observation& seen) const = 0;
};

// {"steps":[...],"done":...}, by the contract.
std::unique_ptr<Dialect> steps_dialect(Drawn drawn);

// The provider's own computer tool. A text without a call ends the task.
std::unique_ptr<Dialect> computer_dialect(Vocabulary vocabulary);

// kInvalidArgument: an action that is not in the dialect, a region without name or area, too many regions or steps.
Result<void> check_decision(const v1::Decision& decision);

// One suggestion at a time, {"action_type","parameters","reasoning"}. Source: Mark-I.
std::unique_ptr<Dialect> suggestion_dialect(const v1::Decision& decision);

}  // namespace da::planner::model
