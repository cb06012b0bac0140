// The report of a recording: one HTML page without scripts that loads nothing. Not thread-safe.
#pragma once

#include "lib/recording/reading/recording_reader.h"
#include "services/console/report/page/html_writer.h"
#include "services/console/report/page/report_images.h"
#include "services/console/report/task_story.h"

namespace da::console {

// `story` was read from `recording`; with images, unless `images` is kNone. Reads the recording's images again.
Result<void> write_report(const recording::RecordingReader& recording, const TaskStory& story, ReportImages images,
                          const HtmlWriter::Sink& sink);

}  // namespace da::console
