#include "services/console/command_line/command_table.h"

#include <algorithm>
#include <iterator>

namespace da::console {

const char* title_of(CommandGroup group) {
  switch (group) {
    case CommandGroup::kStart: return "Start";
    case CommandGroup::kAnswer: return "Watch and answer";
    case CommandGroup::kStop: return "Stop";
    case CommandGroup::kLook: return "Look";
    case CommandGroup::kRecords: return "Records";
    case CommandGroup::kProfiles: return "Rule profiles";
    case CommandGroup::kPolicy: return "Policy";
    case CommandGroup::kDeployment: return "Deployment";
    case CommandGroup::kMachine: return "Settings and this machine";
  }
  return "";
}

std::vector<Command> command_table() {
  std::vector<Command> table;
  for (const auto& rows :
       {start_commands, run_control_commands, look_commands, analysis_commands, service_commands, report_commands,
        recording_commands, replay_commands, profile_commands, deployment_commands, settings_commands}) {
    std::ranges::move(rows(), std::back_inserter(table));
  }
  std::ranges::stable_sort(table, {}, &Command::group);
  return table;
}

std::string commands_markdown() {
  std::string text;
  const char* title = nullptr;
  for (const Command& command : command_table()) {
    if (title != title_of(command.group)) {
      title = title_of(command.group);
      text += std::string(text.empty() ? "" : "\n") + "**" + title + "**\n\n| command | |\n|---|---|\n";
    }
    text += "| `" + command.name + "` | " + command.summary + " |\n";
  }
  return text;
}

}  // namespace da::console
