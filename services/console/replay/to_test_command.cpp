#include <iostream>

#include "lib/os/files/files.h"
#include "services/console/exit_codes.h"
#include "services/console/recordings/find_recording.h"
#include "services/console/recordings/new_files.h"
#include "services/console/replay/commands.h"
#include "services/console/replay/recorded_task.h"
#include "services/console/replay/replay_diff.h"
#include "services/console/replay/saved_calls.h"

namespace da::console {

int make_test(const std::string& given, const std::filesystem::path& directory) {
  ASSIGN_OR_REPORT(const auto file, find_recording(given));
  ASSIGN_OR_REPORT(auto recording, recording::RecordingReader::open(file));
  if (!recording->file().problem().empty()) {
    return report({Code::kDataLoss, file.string() + ": " + recording->file().problem()});
  }
  ASSIGN_OR_REPORT(const auto content, os::read_file(file, kLargestTest));
  ASSIGN_OR_REPORT(const auto task, RecordedTask::load(std::move(recording)));
  ASSIGN_OR_REPORT(const auto calls, saved_calls(task.model_calls()));
  ASSIGN_OR_REPORT(auto files, NewFiles::open(directory));
  const std::pair<const char*, std::string> written[] = {{"task.mcap", content},
                                                         {"goal.txt", task.opened().request().goal() + "\n"},
                                                         {"rules.toml", task.rules_toml()},
                                                         {"calls.jsonl", calls},
                                                         {"expected.jsonl", trace_lines(task.trace())}};
  for (const auto& [name, text] : written) {
    if (name == std::string("calls.jsonl") && text.empty()) continue;  // No model decided.
    ASSIGN_OR_REPORT(const auto path, files.write(name, text));
    std::cout << path.string() << "\n";
  }
  std::cout << "to run it: da-console replay " << (directory / "task.mcap").string()
            << " --as observer,actuator --rules " << (directory / "rules.toml").string() << " --expect "
            << (directory / "expected.jsonl").string() << "\n";
  return kDone;
}

}  // namespace da::console
