// The model checks of `da-console doctor`: the chosen planner, whether its server is reachable and accepts the key, and
// whether the model exists and suits a task. Asks the model only on request, because that costs money. One thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lib/base/clock.h"
#include "lib/service/doctor.h"
#include "services/planner/model/settings/choice.h"
#include "services/planner/model/settings/settings.h"

namespace da::planner::model {

struct ProbeOptions {
  std::string planner;  // Named as in a task; may be empty.
  std::string model;    // Named as in a task; may be empty.
  bool ask = false;     // Also ask the model one small question.
  // Called before a call that costs money.
  std::function<void(const std::string& notice)> notify = [](const std::string&) {};
};

// Takes at most 20 s, and a minute more if it asks the model.
std::vector<service::Check> probe(const Settings& settings, const Environment& environment, const ProbeOptions& options,
                                  const Clock& clock);

}  // namespace da::planner::model
