// The commands that tell what tasks did, from their recordings (docs/RECORDING.md, "Report"). They need no services.
// Each prints its errors on stderr and returns the exit code. Main thread.
#pragma once

#include <filesystem>
#include <string>

#include "services/console/commands/commands.h"
#include "services/console/report/page/report_images.h"

namespace da::console {

struct ListTasksOptions {
  std::filesystem::path directory;  // Empty: that of embedded runs.
  Format format = Format::kLines;
};
int list_tasks(const ListTasksOptions& options);

// `recording`: a path, or names a recording of embedded runs (recordings/find_recording.h).
int show_task(const std::string& recording, Format format);

struct ReportOptions {
  std::string recording;
  std::filesystem::path output;
  ReportImages images = ReportImages::kSteps;
  bool force = false;  // Replace an existing file.
};
int write_report(const ReportOptions& options);

}  // namespace da::console
