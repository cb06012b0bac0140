// The command lines with which people control a run: `approve`, `deny` and `answer`, the write lock, `halt`, `pause`
// and `resume`. Main thread.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

#include "services/console/add_command.h"
#include "services/console/commands/commands.h"

namespace da::console {

// The parsed flags of all these commands; only one command runs.
struct ControlFlags {
  ApproveOptions approve;
  DenyOptions deny;
  std::string question_id;
  std::string answer;
  std::int64_t unlock_ms = 0;  // 0: not given.
  std::uint32_t unlock_steps = 0;
  std::string stop_reason;
};

// `flags` must outlive the app.
void add_control_commands(CLI::App& app, ControlFlags& flags, const AddCommand& add);

}  // namespace da::console
