// The command line of `tasks`, `show` and `report`. Main thread.
#pragma once

#include <CLI/CLI.hpp>

#include "services/console/add_command.h"
#include "services/console/report/commands.h"

namespace da::console {

// The parsed flags of these commands; only one command runs.
struct ReportFlags {
  ListTasksOptions list;
  std::string task;
  ReportOptions report;
  std::string images;
  bool json = false;
};

// `flags` must outlive the app.
void add_report_commands(CLI::App& app, ReportFlags& flags, const AddCommand& add);

}  // namespace da::console
