// What a person has to see of a model's question before answering. Pure; any thread.
#pragma once

#include <string>

#include "da/v1/task.pb.h"
#include "lib/base/clock.h"

namespace da::console {

// Over several lines, without the last line break. The question is quoted and escaped, so that it cannot look like
// anything that this program says.
std::string question_text(const v1::UserQuestion& question, WallTime now);

}  // namespace da::console
