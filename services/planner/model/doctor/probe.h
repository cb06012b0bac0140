// What `da-console doctor` says about models: which planner would be chosen, whether its server is reached and takes
// the key, and whether the model is there and fit for the task. Asks the model itself only where that is wanted,
// because it costs money. One thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lib/base/clock.h"
#include "lib/service/doctor.h"
#include "services/planner/model/choice.h"
#include "services/planner/model/settings.h"

namespace da::planner::model {

struct ProbeOptions {
  std::string planner;  // As a task names them; may be empty.
  std::string model;
  bool ask = false;  // Ask the model one small question too.
  // Told what is about to cost money.
  std::function<void(const std::string& notice)> notify = [](const std::string&) {};
};

// Takes 20 s at most, and a minute more to ask.
std::vector<service::Check> probe(const Settings& settings, const Environment& environment, const ProbeOptions& options,
                                  const Clock& clock);

}  // namespace da::planner::model
