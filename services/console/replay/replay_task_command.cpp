#include <iostream>
#include <nlohmann/json.hpp>

#include "lib/base/text.h"
#include "lib/os/files/files.h"
#include "services/console/exit_codes.h"
#include "services/console/recordings/find_recording.h"
#include "services/console/replay/commands.h"
#include "services/console/replay/replay_diff.h"
#include "services/console/replay/replay_task.h"

namespace da::console {
namespace {

using nlohmann::json;

std::string dump(const json& object) { return object.dump(-1, ' ', false, json::error_handler_t::replace); }

void print_lines(const StepTrace& recorded, const StepTrace& replayed, const std::vector<Difference>& differences) {
  for (const Difference& difference : differences) {
    std::cout << (difference.step == 0 ? "the end" : "step " + std::to_string(difference.step)) << ", "
              << difference.what << "\n  recorded: " << difference.recorded << "\n  replayed: " << difference.replayed
              << "\n";
  }
  std::cout << recorded.steps().size() << " recorded steps, " << replayed.steps().size() << " replayed; "
            << (differences.empty() ? "no difference" : std::to_string(differences.size()) + " differences") << "\n";
}

void print_json(const StepTrace& replayed, const std::vector<Difference>& differences) {
  std::cout << trace_lines(replayed);
  for (const Difference& difference : differences) {
    std::cout << dump({{"difference", difference.what},
                       {"step", difference.step},
                       {"recorded", difference.recorded},
                       {"replayed", difference.replayed}})
              << "\n";
  }
}

int compare_with_file(const ReplayTaskOptions& options, const StepTrace& replayed) {
  if (options.update) {
    if (const auto written = os::write_private_file(options.expected, trace_lines(replayed)); !written) {
      return report(written.error());
    }
    return kDone;
  }
  ASSIGN_OR_REPORT(const auto expected, os::read_file(options.expected, kLargestTest));
  const std::string difference = first_difference(expected, replayed);
  if (difference.empty()) {
    std::cout << "as expected\n" << std::flush;
    return kDone;
  }
  std::cout << "not as expected, " << difference << "\n" << std::flush;
  return kTaskFailed;
}

}  // namespace

int replay_task(const ReplayTaskOptions& options) {
  ASSIGN_OR_REPORT(const auto file, find_recording(options.file));
  ASSIGN_OR_REPORT(auto recording, recording::RecordingReader::open(file));
  if (!recording->file().problem().empty()) std::cerr << escape_foreign(recording->file().problem()) << "\n";
  ASSIGN_OR_REPORT(const auto task, RecordedTask::load(std::move(recording)));
  ASSIGN_OR_REPORT(const StepTrace replayed,
                   replay(task, {.rules = options.rules.string(), .log_level = options.log_level}));
  if (!options.expected.empty()) return compare_with_file(options, replayed);
  const auto differences = compare(task.trace(), replayed);
  if (options.format == Format::kJson) {
    print_json(replayed, differences);
  } else {
    print_lines(task.trace(), replayed, differences);
  }
  std::cout << std::flush;
  return differences.empty() ? kDone : kTaskFailed;
}

}  // namespace da::console
