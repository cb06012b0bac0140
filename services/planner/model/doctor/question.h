// Asks a model one small question, to check that it answers and follows a schema. Costs a few hundred tokens.
#pragma once

#include "lib/base/clock.h"
#include "lib/service/doctor.h"
#include "services/planner/model/model.h"

namespace da::planner::model {

service::Check ask_question(Model& model, const Clock& clock);

}  // namespace da::planner::model
