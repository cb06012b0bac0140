// The command lines of `stdio` and `run`, which take the flags of a goal.
#include "services/console/command_line/command_table.h"
#include "services/console/exit_codes.h"
#include "services/console/goal_text.h"
#include "services/console/settings/run_settings.h"

namespace da::console {
namespace {

constexpr const char* kStdioHelp =
    "Each line on stdin is a command, {\"id\":\"1\",\"action\":\"ui.click\",\"payload\":{\"element_id\":\"...\"}}, and "
    "each\n"
    "line on stdout the answer to one, {\"request_id\":\"1\",\"status\":\"success\",\"data\":{...},\"error\":null}, in "
    "order.\n"
    "Actions: the tools (`da-console tools`), with their arguments in the payload, and terminate, which ends the\n"
    "session, as the end of stdin does. Takes the flags of a goal, such as --unlock-writes and --desktop. Questions\n"
    "about steps are on stderr; answer them with `da-console approve`. docs/SPEC.md says more.";

constexpr const char* kRunHelp =
    "Looks at the regions of the profile again and again, and carries out the actions of the rules whose condition\n"
    "holds. Every action is a step that the policy judges, so it needs --unlock-writes or your approvals. Takes the "
    "flags\n"
    "of a goal: --dry-run says what would fire and acts never (one cycle unless --for is given), --set NAME=VALUE sets "
    "a\n"
    "variable {NAME}. --model MODEL (and --planner PROVIDER) asks this model instead of those that the profile names.\n"
    "Ends by a rule's `stop`, --once, --for, the time limit (default: 4h), Ctrl+C or a rule that "
    "failed\n"
    "three times in a row. docs/PROFILES.md says more.";

Command::Run add_stdio(CLI::App& command, CommonFlags& common) {
  return [&app = *command.get_parent(), &common]() -> int {
    if (const auto problem = stdio_contradiction(app, common.goal)) return bad_usage(*problem);
    ASSIGN_OR_REPORT(const auto options, task_options(common.goal, common.config));
    return run_stdio(options);
  };
}

Command::Run add_run(CLI::App& command, CommonFlags& common) {
  auto options = std::make_shared<RunOptions>();
  auto run_for_ms = std::make_shared<std::int64_t>(0);  // 0: not given.
  command.add_option("PROFILE", options->profile, "the profile (JSON), with the folder templates/ beside it")
      ->required()
      ->check(utf8_text());
  auto* once = command.add_flag("--once", options->once, "one cycle; exit 0 if it ended without an error");
  command.add_option("--for", *run_for_ms, "end as done after this long")
      ->transform(milliseconds())
      ->type_name(kTimeValue)
      ->excludes(once);
  command.add_flag("--strict", options->strict, "unknown keys of the profile are errors");
  command.add_flag("--no-pictures", options->without_pictures,
                   "do not record what the regions showed, only what was measured");
  return [&app = *command.get_parent(), &common, options, run_for_ms]() -> int {
    if (const auto problem = run_contradiction(app, common.goal)) return bad_usage(*problem);
    ASSIGN_OR_REPORT(options->task, task_options(common.goal, common.config, options->profile));
    options->task.format = common.format();
    options->run_for = Milliseconds(*run_for_ms);
    ASSIGN_OR_REPORT(options->task.variables, parse_variables(common.goal.variables));
    return run_profile(*options);
  };
}

}  // namespace

std::vector<Command> start_commands() {
  return {{"run", CommandGroup::kStart, "run a rule profile", kRunHelp, add_run},
          {"stdio", CommandGroup::kStart, "carry out the commands of a script: JSON lines on stdin and stdout",
           kStdioHelp, add_stdio}};
}

}  // namespace da::console
