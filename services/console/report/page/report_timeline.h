// The strip at the top of a report that shows when the task did what: calls of a model, steps, approvals. Pure.
#pragma once

#include "services/console/report/page/html_writer.h"
#include "services/console/report/task_story.h"

namespace da::console {

// Nothing if the task took no time.
void write_timeline(const TaskStory& story, HtmlWriter& html);

}  // namespace da::console
