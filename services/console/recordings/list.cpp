#include <iomanip>
#include <iostream>

#include "lib/base/text.h"
#include "lib/recording/recording_directory.h"
#include "services/console/exit_codes.h"
#include "services/console/recordings/commands.h"
#include "services/console/recordings/find_recording.h"
#include "services/console/recordings/summary_text.h"
#include "services/console/terminal/stream/json_line.h"

namespace da::console {
namespace {

using recording::RecordingState;
using recording::RecordingSummary;

// Bytes of a recording without a summary that are read for the list.
constexpr std::uint64_t kMaxScan = 16u << 20;
constexpr std::size_t kGoalWidth = 60;

// How the task ended, or why that is not known.
std::string outcome_text(const RecordingSummary& summary) {
  if (summary.state != RecordingState::kComplete) {
    return summary.state == RecordingState::kCut ? "CUT" : std::string(to_string(summary.state));
  }
  if (!summary.about.contains("task")) return "bus";
  const std::string result = result_word(summary);
  return result.empty() ? "ended early" : result;
}

void print_row(const std::filesystem::path& file, const RecordingSummary& summary) {
  const std::string goal = value_of(summary.about, "goal");
  std::cout << std::left << std::setw(34) << escape_foreign(file.filename().string(), 60) << std::setw(15)
            << outcome_text(summary) << std::right << std::setw(10) << duration_text(summary.seconds()) << std::setw(9)
            << size_text(summary.reader->file().size()) << std::setw(8) << summary.facts << " facts  "
            << (goal.empty() ? "(no task)" : quote_foreign(goal, kGoalWidth));
  if (const std::uint64_t lost = summary.lost_facts(); lost > 0) std::cout << "  LOST: " << lost << " facts";
  std::cout << "\n";
}

void print(const std::filesystem::path& file, const Result<RecordingSummary>& summary, Format format) {
  if (format == Format::kLines) {
    if (summary) return print_row(file, *summary);
    std::cout << std::left << std::setw(34) << escape_foreign(file.filename().string(), 60)
              << "CANNOT BE READ: " << escape_foreign(summary.error().message) << "\n";
    return;
  }
  std::cout << ordered_json_line(summary ? summary_json(*summary)
                                         : nlohmann::ordered_json{{"file", file.string()},
                                                                  {"state", "not readable"},
                                                                  {"problem", summary.error().message}})
            << "\n";
}

}  // namespace

int list_recordings(const ListRecordingsOptions& options) {
  const auto directory = options.directory.empty() ? recordings_directory() : options.directory;
  std::error_code error;
  if (!options.directory.empty() && !std::filesystem::is_directory(directory, error)) {
    return report({Code::kNotFound, directory.string() + " is not a directory that can be read"});
  }
  const auto files = recording::recordings_in(directory);
  if (options.format == Format::kLines) {
    std::cout << (files.empty() ? "there are no recordings in " : "in ") << directory.string()
              << (files.empty() ? "" : ":") << "\n";
  }
  for (const auto& file : files) {
    // The recorder may have deleted it since.
    const auto summary = recording::summarize(file, kMaxScan);
    if (summary || summary.error().code != Code::kNotFound) print(file, summary, options.format);
  }
  return kDone;
}

}  // namespace da::console
