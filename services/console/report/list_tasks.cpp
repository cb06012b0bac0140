#include <iomanip>
#include <iostream>

#include "da/v1/outcome.pb.h"
#include "da/v1/verdict.pb.h"
#include "lib/base/text.h"
#include "lib/bus/topics.h"
#include "lib/recording/recording_directory.h"
#include "services/console/exit_codes.h"
#include "services/console/recordings/find_recording.h"
#include "services/console/recordings/summary_text.h"
#include "services/console/report/commands.h"
#include "services/console/report/story_json.h"
#include "services/console/terminal/stream/json_line.h"

namespace da::console {
namespace {

using recording::RecordingSummary;

constexpr std::uint64_t kMostScanned = 16u << 20;  // Bytes of a recording without a summary.
constexpr std::size_t kShownOfId = 8;
constexpr std::size_t kShownOfTaskGoal = 60;

struct TaskRow {
  std::string id;
  std::string result;  // Result in words; without one, "ended early" or the recording's state.
  std::string steps;   // A number; empty if it is not known.
  ApprovalCounts approvals;
};

// Reads only the chunks that hold approvals. Of a damaged recording it counts those that can be read.
ApprovalCounts count_approvals(const recording::McapReader& reader) {
  const std::string requests = bus::topic_name<v1::ApprovalRequest>();
  ApprovalCounts counts;
  static_cast<void>(reader.read(
      {.topics = {requests, bus::topic_name<v1::ApprovalDecision>()}}, [&](const recording::McapMessage& message) {
        if (reader.channels().at(message.channel_id).topic == requests) {
          ++counts.asked;
        } else if (v1::ApprovalDecision decision;
                   decision.ParseFromArray(message.data.data(), static_cast<int>(message.data.size()))) {
          counts.add(decision);
        }
        return ok();
      }));
  return counts;
}

TaskRow row_of(const RecordingSummary& summary) {
  const std::string result = result_word(summary);
  const bool complete = summary.state == recording::RecordingState::kComplete;
  return {.id = value_of(summary.about, "task"),
          .result = !result.empty() ? result
                    : complete      ? "ended early"
                                    : std::string(to_string(summary.state)),
          .steps = value_of(summary.end, "steps"),
          .approvals = count_approvals(*summary.reader)};
}

void print_task(const RecordingSummary& summary, const TaskRow& row) {
  const ApprovalCounts& approvals = row.approvals;
  const std::string counts = std::to_string(approvals.asked) + "/" + std::to_string(approvals.approved) + "/" +
                             std::to_string(approvals.denied);
  std::cout << std::left << std::setw(10) << escape_foreign(row.id.substr(0, kShownOfId)) << std::setw(21)
            << time_text(summary.reader->statistics().start_ns).substr(0, 19) << std::right << std::setw(9)
            << duration_text(summary.seconds()) << "  " << std::left << std::setw(16) << row.result << std::right
            << std::setw(6) << (row.steps.empty() ? "?" : escape_foreign(row.steps, 10)) << std::setw(11)
            << (approvals.asked == 0 ? "-" : counts) << "  "
            << quote_foreign(value_of(summary.about, "goal"), kShownOfTaskGoal) << "\n";
}

nlohmann::ordered_json task_json(const RecordingSummary& summary, const TaskRow& row) {
  nlohmann::ordered_json json = summary_json(summary);
  if (!row.steps.empty()) json["steps"] = std::atoll(row.steps.c_str());
  json["approvals"] = approvals_json(row.approvals);
  return json;
}

}  // namespace

int list_tasks(const ListTasksOptions& options) {
  const auto directory = options.directory.empty() ? recordings_directory() : options.directory;
  std::error_code error;
  if (!options.directory.empty() && !std::filesystem::is_directory(directory, error)) {
    return report({Code::kNotFound, directory.string() + " is not a directory that can be read"});
  }
  bool any = false;
  for (const auto& file : recording::recordings_in(directory)) {
    const auto summary = recording::summarize(file, kMostScanned);
    if (!summary && summary.error().code != Code::kNotFound) {  // The recorder may have deleted it since.
      std::cerr << "da-console: " << escape_foreign(summary.error().message) << "\n";
    }
    if (!summary || !summary->about.contains("task")) continue;
    const TaskRow row = row_of(*summary);
    if (options.format == Format::kJson) {
      std::cout << ordered_json_line(task_json(*summary, row)) << "\n";
      continue;
    }
    if (!any) std::cout << "task      began (UTC)               took  result           steps  approvals  goal\n";
    any = true;
    print_task(*summary, row);
  }
  if (!any && options.format == Format::kLines) {
    std::cout << "there are no recorded tasks in " << directory.string() << "\n";
  }
  return kDone;
}

}  // namespace da::console
