// A task's story for scripts. Pure; any thread.
#pragma once

#include <nlohmann/json.hpp>

#include "services/console/report/task_story.h"

namespace da::console {

nlohmann::ordered_json approvals_json(const ApprovalCounts& counts);

nlohmann::ordered_json story_json(const TaskStory& story);

}  // namespace da::console
