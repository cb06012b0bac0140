// One small question to a model, to see whether it answers, and keeps to a schema. Costs what some hundred tokens cost.
#pragma once

#include "lib/base/clock.h"
#include "lib/service/doctor.h"
#include "services/planner/model/model.h"

namespace da::planner::model {

service::Check ask_question(Model& model, const Clock& clock);

}  // namespace da::planner::model
