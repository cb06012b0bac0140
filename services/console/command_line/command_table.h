// The commands of da-console. Each folder has its own rows; command_table() joins them. Main thread.
#pragma once

#include <string>
#include <vector>

#include "services/console/command_line/command.h"

namespace da::console {

std::vector<Command> start_commands();        // commands/start_rows.cpp
std::vector<Command> run_control_commands();  // commands/control_rows.cpp
std::vector<Command> look_commands();         // commands/look_rows.cpp
std::vector<Command> analysis_commands();     // analysis/command_rows.cpp
std::vector<Command> service_commands();      // commands/service_rows.cpp
std::vector<Command> report_commands();       // report/command_rows.cpp
std::vector<Command> recording_commands();    // recordings/command_rows.cpp
std::vector<Command> replay_commands();       // replay/command_rows.cpp
std::vector<Command> profile_commands();      // profiles/command_rows.cpp
std::vector<Command> deployment_commands();   // deployment/command_rows.cpp
std::vector<Command> settings_commands();     // settings/command_rows.cpp

// All rows by group; within a group, in the order in which people meet them.
std::vector<Command> command_table();

// The table of docs/CONSOLE.md: a row for each command.
std::string commands_markdown();

}  // namespace da::console
