// The files under services/planner/prompts, as they are built in. Constants.
#pragma once

namespace da::planner::model {

extern const char kSystemPrompt[];
extern const char kRepairPrompt[];

}  // namespace da::planner::model
