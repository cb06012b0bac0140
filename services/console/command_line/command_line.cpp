#include "services/console/command_line/command_line.h"

#include <signal.h>

#include <iostream>
#include <map>

#include "lib/base/text.h"
#include "lib/rpc/process.h"
#include "lib/service/version.h"
#include "services/console/command_line/command_table.h"
#include "services/console/exit_codes.h"
#include "services/console/goal_text.h"
#include "services/console/settings/run_settings.h"

namespace da::console {
namespace {

int carry_out_goal(const CLI::App& app, const CommonFlags& flags) {
  if (const auto problem = contradiction(app, flags.goal)) return bad_usage(*problem);
  ASSIGN_OR_REPORT(auto options, task_options(flags.goal, flags.config));
  ASSIGN_OR_REPORT(const auto goal, read_goal_text(options.goal, flags.goal.goal_file));
  ASSIGN_OR_REPORT(auto variables, parse_variables(flags.goal.variables));
  // A check before services start. The planner, and so the kind of the goal, is only known later.
  ASSIGN_OR_REPORT(const auto text, expand_goal(goal, variables, GoalKind::kFreeText));
  options.goal = goal;
  options.variables = std::move(variables);
  if (trim(text).empty()) {
    return bad_usage("the goal is empty; write what to do, such as --goal 'open mousepad; type \"hello\"'");
  }
  options.format = flags.format();
  return run_goal(options);
}

void prepare_process() {
  const sigset_t signals = stop_signals();  // Before the first thread, which inherits the mask.
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  signal(SIGPIPE, SIG_IGN);
  // Drops gRPC's log: its errors also come back from the calls.
  rpc::prepare_process([](const char*) {});
}

using Runs = std::map<const CLI::App*, Command::Run>;

// The row "keys list" is added to the row "keys".
void add_command(CLI::App& app, const Command& row, CommonFlags& common, Runs& runs) {
  const std::size_t blank = row.name.find(' ');
  CLI::App& parent = blank == std::string::npos ? app : *app.get_subcommand(row.name.substr(0, blank));
  CLI::App* command = parent.add_subcommand(row.name.substr(blank + 1), row.summary);
  command->group(&parent == &app ? title_of(row.group) : "Subcommands");
  if (&parent != &app) parent.require_subcommand(runs[&parent] ? 0 : 1, 1);
  if (!row.details.empty()) command->footer(row.details);  // Else it has the parent's.
  command->fallthrough();                                  // Allows --config after the command, too.
  runs[command] = row.add(*command, common);
}

// The innermost command that was named, or nullptr.
const CLI::App* named_command(const CLI::App& app) {
  const CLI::App* at = &app;
  while (!at->get_subcommands().empty()) at = at->get_subcommands().front();
  return at == &app ? nullptr : at;
}

}  // namespace

void add_json(CLI::App& command, CommonFlags& common, const std::string& meaning) {
  command.add_flag("--json", common.json, meaning);
}

int bad_usage(const std::string& problem) {
  std::cerr << "da-console: " << problem << "\n";
  return kBadUsage;
}

int run_command_line(int argc, char** argv) {
  CLI::App app("Drives a desktop for a goal, under the control of a policy and of you.", "da-console");
  app.footer(
      "`da-console COMMAND --help` says more of a command.\n"
      "Exit codes: 0 done, 1 task failed, 2 bad usage or goal, 3 denied or approval expired, 4 halted,\n"
      "5 a service could not be reached, 6 an outcome is unknown, 130 interrupted.");
  app.set_version_flag("--version", std::string(service::kVersion));
  CommonFlags flags;
  app.add_option("--config", flags.config,
                 "configuration that names the services (default: --goal starts its own\n"
                 "services, other commands use the newest live run here, `halt` all of them)");
  add_goal_flags(app, flags.goal);
  app.add_flag("--json", flags.json, "print one JSON line for each fact on stdout, and nothing else")->group("Output");
  Runs runs;
  for (const Command& row : command_table()) add_command(app, row, flags, runs);
  app.require_subcommand(0, 1);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error) == 0 ? kDone : kBadUsage;
    return bad_usage(usage_problem(app, error));
  }
  const CLI::App* command = named_command(app);
  if (command != nullptr && has_goal(app)) {
    return bad_usage("give a goal or the command `" + app.get_subcommands().front()->get_name() + "`, not both");
  }
  prepare_process();
  if (command != nullptr) return runs.at(command)();
  if (!has_goal(app)) {
    std::cerr << app.help();
    return kBadUsage;
  }
  return carry_out_goal(app, flags);
}

}  // namespace da::console
