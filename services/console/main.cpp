// The program with which people start goals, watch, approve and stop. Has no policy, no planner and no input device.
#include <signal.h>

#include <CLI/CLI.hpp>
#include <functional>
#include <iostream>

#include "lib/base/plain_output.h"
#include "lib/base/text.h"
#include "lib/rpc/process.h"
#include "lib/service/version.h"
#include "services/console/analysis/analyze.h"
#include "services/console/analysis/flags.h"
#include "services/console/commands/commands.h"
#include "services/console/commands/control_flags.h"
#include "services/console/deployment/flags.h"
#include "services/console/exit_codes.h"
#include "services/console/goal_flags.h"
#include "services/console/goal_text.h"
#include "services/console/profiles/flags.h"
#include "services/console/recordings/flags.h"
#include "services/console/replay/flags.h"
#include "services/console/report/flags.h"
#include "services/console/settings/run_settings.h"
#include "services/console/settings/settings_command.h"

namespace {

using namespace da;
using console::Format;

// The parsed flags of all commands; only one command runs.
struct Arguments {
  console::GoalFlags goal;
  std::filesystem::path config;
  bool json = false;
  bool markdown = false;
  console::ControlFlags control;
  console::ElementsOptions elements;
  console::AnalyzeOptions analyze;
  console::DeploymentFlags deployment;
  console::ProfileFlags profiles;
  std::vector<std::string> passed_arguments;
  console::DoctorOptions doctor;
  console::RecordingFlags recordings;
  console::ReportFlags reports;
  console::ReplayFlags replays;
  console::SettingsFlags settings;
  console::RunOptions run;
  std::int64_t run_for_ms = 0;  // 0: not given.
  Format format() const { return json ? Format::kJson : Format::kLines; }
};

using Command = std::function<int(const Arguments&)>;

void add_command(
    CLI::App& app, std::map<CLI::App*, Command>& commands, const std::string& name, const std::string& help,
    Command run, const std::function<void(CLI::App&)>& flags = [](CLI::App&) {}) {
  CLI::App* command = app.add_subcommand(name, help);
  command->fallthrough();  // Allows --config after the command, too.
  flags(*command);
  commands[command] = std::move(run);
}

void add_json(CLI::App& command, Arguments& arguments) {
  command.add_flag("--json", arguments.json, "print JSON for scripts");
}

void add_views(CLI::App& app, Arguments& arguments, std::map<CLI::App*, Command>& commands) {
  using Show = int (*)(const std::filesystem::path&, Format);
  const auto add_view = [&](const char* name, const char* help, Show show) {
    add_command(
        app, commands, name, help, [show](const Arguments& a) { return show(a.config, a.format()); },
        [&](CLI::App& command) { add_json(command, arguments); });
  };
  add_view("status", "show the services of a run", console::show_status);
  add_view("watch", "show the facts of a run, live", console::watch);
  add_view("attach", "watch a run, and answer its approvals and questions", console::attach);
  add_view("pending", "list open approvals and questions", console::list_pending);
}

void add_commands(CLI::App& app, Arguments& arguments, std::map<CLI::App*, Command>& commands) {
  // The service's program parses the arguments.
  const auto passed_on = [&](CLI::App& command) {
    command.set_help_flag();
    command.fallthrough(false);
    command.prefix_command();
    command.final_callback([&command, &arguments] { arguments.passed_arguments = command.remaining(); });
  };
  add_command(
      app, commands, "tools", "list the tools that a plan can use",
      [](const Arguments& a) {
        return console::list_tools(a.json       ? console::ToolsFormat::kJson
                                   : a.markdown ? console::ToolsFormat::kMarkdown
                                                : console::ToolsFormat::kTable);
      },
      [&](CLI::App& command) {
        add_json(command, arguments);
        command.add_flag("--markdown", arguments.markdown, "as docs/TOOL_INTERFACE.md");
      });
  add_command(
      app, commands, "sentences", "list the sentences that a goal can have",
      [](const Arguments& a) { return console::list_sentences(a.markdown); },
      [&](CLI::App& command) { command.add_flag("--markdown", arguments.markdown, "as the tables in docs/GOALS.md"); });
  add_command(
      app, commands, "elements",
      "list the elements that a goal can name: each line begins with the target for a sentence",
      [](const Arguments& a) {
        console::ElementsOptions options = a.elements;
        options.config = a.config;
        options.backend = a.goal.options.embedded.backend;
        options.format = a.format();
        return console::show_elements(options);
      },
      [&](CLI::App& command) {
        add_json(command, arguments);
        auto* title = command.add_option("TITLE", arguments.elements.title, "only windows whose title contains this")
                          ->check(console::utf8_text());
        command.add_flag("--pick", arguments.elements.pick, "only the element under the pointer")->excludes(title);
      });
  add_command(
      app, commands, "analyze", "analyse colours, templates and text of a region: `analyze --help`",
      [](const Arguments& a) {
        console::AnalyzeOptions options = a.analyze;
        options.config = a.config;
        options.backend = a.goal.options.embedded.backend;
        options.format = a.format();
        return console::analyze(options);
      },
      [&](CLI::App& command) {
        add_json(command, arguments);
        console::add_analyze_flags(command, arguments.analyze);
      });
  add_command(
      app, commands, "doctor", "check this machine, and say how to fix problems",
      [](const Arguments& a) -> int {
        console::DoctorOptions options = a.doctor;
        options.format = a.format();
        if (options.planner_config.empty()) {
          ASSIGN_OR_REPORT(const auto task, console::doctor_task_options(a.goal, options));
          options.settings = task.embedded;
        }
        return console::run_doctor(options);
      },
      [&](CLI::App& command) {
        add_json(command, arguments);
        command.add_option("--planner", arguments.doctor.planner, "check the model of this planner, as for a goal");
        command.add_option("--model", arguments.doctor.model, "model name (default: the provider's default model)");
        command.add_option("--base-url", arguments.doctor.base_url, "address of the model's server");
        command.add_option("--planner-config", arguments.doctor.planner_config, "read all this from a planner.toml");
        command.add_flag("--ask", arguments.doctor.ask, "ask the model one small question, which may cost money");
      });
  const auto add_service_command = [&](const char* name, const char* service, const char* word, const char* help) {
    const auto run = [service, word](const Arguments& a) {
      return console::run_service_command(service, word, a.passed_arguments);
    };
    add_command(app, commands, name, help, run, passed_on);
  };
  add_service_command("policy", "policy", "rules", "check, explain and test a rule file: `policy --help`");
  add_service_command("enroll", "policy", "enroll", "give a person a second factor: `enroll --help`");
  add_service_command("audit", "policy", "audit", "show, verify and export the policy's audit log: `audit --help`");
  add_command(
      app, commands, "profile", "check, explain and test a rule profile: `profile --help`",
      [](const Arguments& a) {
        return console::profile(a.config, a.goal.options.embedded.backend, a.passed_arguments);
      },
      passed_on);
}

int bad_usage(const std::string& problem) {
  std::cerr << "da-console: " << problem << "\n";
  return console::kBadUsage;
}

constexpr const char* kStdioHelp =
    "Each line on stdin is a command, {\"id\":\"1\",\"action\":\"ui.click\",\"payload\":{\"element_id\":\"...\"}}, and "
    "each\n"
    "line on stdout the answer to one, {\"request_id\":\"1\",\"status\":\"success\",\"data\":{...},\"error\":null}, in "
    "order.\n"
    "Actions: the tools (`da-console tools`), with their arguments in the payload, and terminate, which ends the\n"
    "session, as the end of stdin does. Takes the flags of a goal, such as --unlock-writes and --desktop. Questions\n"
    "about steps are on stderr; answer them with `da-console approve`. docs/SPEC.md says more.";

void add_stdio(CLI::App& app, std::map<CLI::App*, Command>& commands) {
  const auto run = [&app](const Arguments& a) -> int {
    if (const auto problem = console::stdio_contradiction(app, a.goal)) return bad_usage(*problem);
    ASSIGN_OR_REPORT(const auto options, console::task_options(a.goal, a.config));
    return console::run_stdio(options);
  };
  add_command(app, commands, "stdio", "carry out the commands of a script: JSON lines on stdin and stdout", run,
              [](CLI::App& command) { command.footer(kStdioHelp); });
}

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

void add_run(CLI::App& app, Arguments& arguments, std::map<CLI::App*, Command>& commands) {
  const auto run = [&app](const Arguments& a) -> int {
    if (const auto problem = console::run_contradiction(app, a.goal)) return bad_usage(*problem);
    console::RunOptions options = a.run;
    ASSIGN_OR_REPORT(options.task, console::task_options(a.goal, a.config, a.run.profile));
    options.task.format = a.format();
    options.run_for = Milliseconds(a.run_for_ms);
    ASSIGN_OR_REPORT(options.task.variables, console::parse_variables(a.goal.variables));
    return console::run_profile(options);
  };
  add_command(app, commands, "run", "run a rule profile: `run --help`", run, [&](CLI::App& command) {
    command.footer(kRunHelp);
    command.add_option("PROFILE", arguments.run.profile, "the profile (JSON), with the folder templates/ beside it")
        ->required()
        ->check(console::utf8_text());
    auto* once = command.add_flag("--once", arguments.run.once, "one cycle; exit 0 if it ended without an error");
    command.add_option("--for", arguments.run_for_ms, "end as done after this long")
        ->transform(console::milliseconds())
        ->type_name(console::kTimeValue)
        ->excludes(once);
    command.add_flag("--strict", arguments.run.strict, "unknown keys of the profile are errors");
    command.add_flag("--no-pictures", arguments.run.without_pictures,
                     "do not record what the regions showed, only what was measured");
  });
}

int run_goal(const CLI::App& app, Arguments& arguments) {
  if (const auto problem = console::contradiction(app, arguments.goal)) return bad_usage(*problem);
  ASSIGN_OR_REPORT(auto options, console::task_options(arguments.goal, arguments.config));
  ASSIGN_OR_REPORT(const auto goal, console::read_goal_text(options.goal, arguments.goal.goal_file));
  ASSIGN_OR_REPORT(auto variables, console::parse_variables(arguments.goal.variables));
  // A check before services start. The planner, and so the kind of the goal, is only known later.
  ASSIGN_OR_REPORT(const auto text, console::expand_goal(goal, variables, console::GoalKind::kFreeText));
  options.goal = goal;
  options.variables = std::move(variables);
  if (trim(text).empty()) {
    return bad_usage("the goal is empty; write what to do, such as --goal 'open mousepad; type \"hello\"'");
  }
  options.format = arguments.format();
  return console::run_goal(options);
}

void block_stop_signals() {
  const sigset_t signals = console::stop_signals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  signal(SIGPIPE, SIG_IGN);
}

int run(int argc, char** argv) {
  CLI::App app("Drives a desktop for a goal, under the control of a policy and of you.", "da-console");
  app.footer(
      "Exit codes: 0 done, 1 task failed, 2 bad usage or goal, 3 denied or approval expired, 4 halted,\n"
      "5 a service could not be reached, 6 an outcome is unknown, 130 interrupted.");
  app.set_version_flag("--version", std::string(service::kVersion));
  Arguments arguments;
  app.add_option("--config", arguments.config,
                 "configuration that names the services (default: --goal starts its own\n"
                 "services, other commands use the newest live run here, `halt` all of them)");
  console::add_goal_flags(app, arguments.goal);
  app.add_flag("--json", arguments.json, "print one JSON line for each fact on stdout, and nothing else")
      ->group("Output");
  std::map<CLI::App*, Command> commands;
  const auto add = [&](CLI::App& parent, const std::string& name, const std::string& help, auto run,
                       const std::function<void(CLI::App&)>& flags) {
    add_command(
        parent, commands, name, help, [run](const Arguments& a) { return run(a.config); }, flags);
  };
  add_stdio(app, commands);
  add_run(app, arguments, commands);
  add_views(app, arguments, commands);
  console::add_control_commands(app, arguments.control, add);
  add_commands(app, arguments, commands);
  console::add_deployment_commands(app, arguments.deployment, arguments.json, add);
  console::add_profile_commands(arguments.profiles, [&](const std::string& name, const std::string& help,
                                                        const console::RunProfileCommand& run, const auto& flags) {
    add_command(
        app, commands, name, help,
        [run](const Arguments& a) {
          return run({a.config, a.goal.options.embedded.backend});
        },
        flags);
  });
  console::add_recording_commands(app, arguments.recordings, add);
  console::add_report_commands(app, arguments.reports, add);
  console::add_replay_command(app, arguments.replays, add);
  console::add_settings_command(app, arguments.settings, arguments.goal, add);
  app.require_subcommand(0, 1);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error) == 0 ? console::kDone : console::kBadUsage;
    return bad_usage(console::usage_problem(app, error));
  }
  const auto chosen = app.get_subcommands();
  if (!chosen.empty() && console::has_goal(app)) {
    return bad_usage("give a goal or the command `" + chosen.front()->get_name() + "`, not both");
  }
  block_stop_signals();  // Before the first thread, which inherits the mask.
  // Drops gRPC's log: its errors also come back from the calls.
  rpc::prepare_process([](const char*) {});
  for (const auto& [command, run_command] : commands) {
    if (command->parsed()) return run_command(arguments);
  }
  if (!console::has_goal(app)) {
    std::cerr << app.help();
    return console::kBadUsage;
  }
  return run_goal(app, arguments);
}

}  // namespace

int main(int argc, char** argv) {
  const PlainOutput output;
  return console::after_output(run(argc, argv));
}
