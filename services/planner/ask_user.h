// The tool ask_user: puts a model's question to a person, and puts the answer into words for the model. One thread, the
// task's, which waits meanwhile; a halt, a pause and a cancel end the wait.
// Errors: kCancelled. That nobody answered is an answer, not an error.
#pragma once

#include <string>

#include "da/v1/plan.pb.h"
#include "lib/base/result.h"
#include "services/planner/planner_tools.h"
#include "services/planner/questions.h"
#include "services/planner/sight.h"

namespace da::planner {

// The step's action is an ask_user that the policy has allowed.
Result<Answer> ask_user(const v1::Step& step, const std::string& task_id, Sight& sight, Questions& questions);

// "2 minutes", "90 s"; begun seconds count.
std::string in_words(Milliseconds duration);

}  // namespace da::planner
