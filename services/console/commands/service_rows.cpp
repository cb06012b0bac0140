// The command lines of `doctor`, and of the commands whose arguments a service's program parses.
#include "services/console/command_line/command_table.h"
#include "services/console/exit_codes.h"
#include "services/console/settings/run_settings.h"

namespace da::console {
namespace {

Command::Run add_doctor(CLI::App& command, CommonFlags& common) {
  auto options = std::make_shared<DoctorOptions>();
  add_json(command, common, "print JSON for scripts");
  command.add_option("--planner", options->planner, "check the model of this planner, as for a goal");
  command.add_option("--model", options->model, "model name (default: the provider's default model)");
  command.add_option("--base-url", options->base_url, "address of the model's server");
  command.add_option("--planner-config", options->planner_config, "read all this from a planner.toml");
  command.add_flag("--ask", options->ask, "ask the model one small question, which may cost money");
  return [&common, options]() -> int {
    options->format = common.format();
    if (options->planner_config.empty()) {
      ASSIGN_OR_REPORT(const auto task, doctor_task_options(common.goal, *options));
      options->settings = task.embedded;
    }
    return run_doctor(*options);
  };
}

// Leaves all words after the command, --help too, to the service's program.
std::shared_ptr<std::vector<std::string>> pass_arguments_on(CLI::App& command) {
  auto arguments = std::make_shared<std::vector<std::string>>();
  command.set_help_flag();
  command.fallthrough(false);
  command.prefix_command();
  command.final_callback([&command, arguments] { *arguments = command.remaining(); });
  return arguments;
}

Command::Add of_policy(const char* word) {
  return [word](CLI::App& command, CommonFlags&) -> Command::Run {
    return [word, arguments = pass_arguments_on(command)] { return run_service_command("policy", word, *arguments); };
  };
}

Command::Run add_profile(CLI::App& command, CommonFlags& common) {
  return [&common, arguments = pass_arguments_on(command)] {
    return profile(common.config, common.backend(), *arguments);
  };
}

}  // namespace

std::vector<Command> service_commands() {
  using enum CommandGroup;
  // The service's program prints the details.
  return {{"doctor", kMachine, "check this machine, and say how to fix problems", "", add_doctor},
          {"policy", kPolicy, "check, explain and test a rule file: `policy --help`", "", of_policy("rules")},
          {"enroll", kPolicy, "give a person a second factor: `enroll --help`", "", of_policy("enroll")},
          {"audit", kPolicy, "show, verify and export the policy's audit log: `audit --help`", "", of_policy("audit")},
          {"profile", kProfiles, "check, explain and test a rule profile: `profile --help`", "", add_profile}};
}

}  // namespace da::console
