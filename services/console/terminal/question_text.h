// What a person has to see of a model's question before answering. Pure; any thread.
#pragma once

#include <string>

#include "da/v1/task.pb.h"
#include "lib/base/clock.h"
#include "services/console/terminal/foreign_lines.h"

namespace da::console {

// Over several lines, without the last line break, for a terminal of this width. The question is quoted, escaped and,
// where it is long, marked (foreign_lines.h), so that it cannot look like anything that this program says.
std::string question_text(const v1::UserQuestion& question, WallTime now, std::size_t columns = kUsualColumns);

}  // namespace da::console
