// The program with which people start goals, watch, approve and stop. Has no policy, no planner and no input device.
#include <signal.h>

#include <CLI/CLI.hpp>
#include <functional>
#include <iostream>

#include "lib/base/text.h"
#include "lib/rpc/process.h"
#include "lib/service/version.h"
#include "services/console/analysis/analyze.h"
#include "services/console/analysis/flags.h"
#include "services/console/commands/commands.h"
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
  console::ApproveOptions approve;
  console::DenyOptions deny;
  console::ElementsOptions elements;
  console::AnalyzeOptions analyze;
  console::InitOptions init;
  std::filesystem::path deployment;
  std::string key_name;
  std::string question_id;
  std::string answer;
  std::string stop_reason;
  console::ProfileFlags profiles;
  std::vector<std::string> passed_arguments;
  console::DoctorOptions doctor;
  console::RecordingFlags recordings;
  console::ReportFlags reports;
  console::ReplayFlags replays;
  console::SettingsFlags settings;
  console::RunOptions run;
  std::int64_t run_for_ms = 0;  // 0: not given.
  std::int64_t unlock_ms = 0;   // 0: not given.
  std::uint32_t unlock_steps = 0;
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

void add_commands(CLI::App& app, Arguments& arguments, std::map<CLI::App*, Command>& commands) {
  const auto json = [&](CLI::App& command) { command.add_flag("--json", arguments.json, "print JSON for scripts"); };
  const auto id = [](CLI::App& command, std::string& into) {
    command.add_option("ID", into, "id from `pending`")->required()->check(console::utf8_text());
  };
  const auto reason = [](CLI::App& command, std::string& into) {
    command.add_option("--reason", into, "reason for the audit log");
  };
  // The service's program parses the arguments.
  const auto passed_on = [&](CLI::App& command) {
    command.set_help_flag();
    command.fallthrough(false);
    command.prefix_command();
    command.final_callback([&command, &arguments] { arguments.passed_arguments = command.remaining(); });
  };
  using Show = int (*)(const std::filesystem::path&, Format);
  const auto add_view = [&](const char* name, const char* help, Show show) {
    add_command(
        app, commands, name, help, [show](const Arguments& a) { return show(a.config, a.format()); }, json);
  };
  add_view("status", "show the services of a run", console::show_status);
  add_view("watch", "show the facts of a run, live", console::watch);
  add_view("attach", "watch a run, and answer its approvals and questions", console::attach);
  add_view("pending", "list open approvals and questions", console::list_pending);
  add_command(
      app, commands, "approve", "approve a pending step",
      [](const Arguments& a) { return console::approve(a.config, a.approve); },
      [&](CLI::App& command) {
        id(command, arguments.approve.approval_id);
        command.add_option("--code", arguments.approve.code, "code of your authenticator, if the step needs one")
            ->check(console::utf8_text());
        command.add_flag("--for-task", arguments.approve.for_task,
                         "also approve the same step at the same place until the task ends");
        command.add_flag("--propose-rule", arguments.approve.propose_rule, "also write an allow rule for review");
      });
  add_command(
      app, commands, "deny", "deny a pending step", [](const Arguments& a) { return console::deny(a.config, a.deny); },
      [&](CLI::App& command) {
        id(command, arguments.deny.approval_id);
        reason(command, arguments.deny.reason);
        auto* skip = command.add_flag("--skip", arguments.deny.skip, "continue the task without this step");
        command.add_flag("--stop-task", arguments.deny.stop_task, "also end the task")->excludes(skip);
      });
  add_command(
      app, commands, "answer", "answer a model's question; never tell it secrets",
      [](const Arguments& a) { return console::answer(a.config, a.question_id, a.answer); },
      [&](CLI::App& command) {
        id(command, arguments.question_id);
        command
            .add_option("TEXT", arguments.answer, "the answer, sent to the model unchanged; at most 4000 characters")
            ->required()
            ->check(console::utf8_text())
            ->type_name("");
      });
  add_command(
      app, commands, "unlock", "open the write lock",
      [](const Arguments& a) { return console::unlock(a.config, Milliseconds(a.unlock_ms), a.unlock_steps); },
      [&](CLI::App& command) {
        command.add_option("--steps", arguments.unlock_steps, "for this many steps that change something")
            ->check(console::at_least_one());
        command.add_option("--for", arguments.unlock_ms, "for this long (default: until `lock`)")
            ->transform(console::milliseconds())
            ->type_name(console::kTimeValue);
      });
  add_command(app, commands, "lock", "close the write lock",
              [](const Arguments& a) { return console::lock(a.config); });
  using Stop = int (*)(const std::filesystem::path&, const std::string&);
  const auto add_stop = [&](const char* name, const char* help, Stop stop) {
    add_command(
        app, commands, name, help, [stop](const Arguments& a) { return stop(a.config, a.stop_reason); },
        [&](CLI::App& command) { reason(command, arguments.stop_reason); });
  };
  add_stop("halt", "stop all actions at once and end the task", console::halt);
  add_stop("pause", "stop all actions until `resume`; the task waits", console::pause);
  add_command(app, commands, "resume", "end a halt and a pause",
              [](const Arguments& a) { return console::resume(a.config); });
  add_command(
      app, commands, "tools", "list the tools that a plan can use",
      [](const Arguments& a) {
        return console::list_tools(a.json       ? console::ToolsFormat::kJson
                                   : a.markdown ? console::ToolsFormat::kMarkdown
                                                : console::ToolsFormat::kTable);
      },
      [&](CLI::App& command) {
        json(command);
        command.add_flag("--markdown", arguments.markdown, "as docs/TOOL_INTERFACE.md");
      });
  add_command(
      app, commands, "elements", "list the elements that a goal can name: role, name, place, state, window",
      [](const Arguments& a) {
        console::ElementsOptions options = a.elements;
        options.config = a.config;
        options.backend = a.goal.options.embedded.backend;
        options.format = a.format();
        return console::show_elements(options);
      },
      [&](CLI::App& command) {
        json(command);
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
        json(command);
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
        json(command);
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

constexpr const char* kInitHelp =
    "Makes an authority (a small CA) in DIR/ca, and for each machine a directory with the keys and the\n"
    "configurations of its processes, which you copy to that machine unchanged.\n"
    "Without --host everything is for this machine, on unix sockets. With --host:\n\n"
    "  da-console init deployment --host planner=10.0.0.2 --host policy,observer=10.0.0.3 \\\n"
    "                             --host actuator=10.0.0.4 --host console=10.0.0.5\n\n"
    "Do not copy DIR/ca: with the authority's key, anyone can pose as any service. Next: docs/DEPLOY.md.\n"
    "Exit codes: 0 done, 1 DIR already has such files or cannot be written, 2 bad usage.";

constexpr const char* kKeysHelp =
    "Lists, renews and revokes the keys of a deployment that `da-console init DIR` made. Sends nothing:\n"
    "rotate and revoke write files into DIR and print which of them to copy to which machine.\n"
    "Exit codes: 0 done, 1 failed, 2 bad usage.";

void add_deployment_commands(CLI::App& app, Arguments& arguments, std::map<CLI::App*, Command>& commands) {
  add_command(
      app, commands, "init", "make keys and configurations for several machines: `init --help`",
      [](const Arguments& a) { return console::init_deployment(a.init); },
      [&](CLI::App& command) {
        command.footer(kInitHelp);
        command.add_option("DIR", arguments.init.directory, "new directory, or your own with mode 0700")->required();
        command
            .add_option("--host", arguments.init.hosts,
                        "a machine and its processes; once for each machine. An IPv4 address or a DNS name")
            ->type_name("ROLE[,ROLE...]=ADDRESS")
            ->allow_extra_args(false);
        command
            .add_option("--desktop", arguments.init.backend,
                        "the actuator's desktop: x11, win32 (on a Windows machine of its own), or fake, in memory")
            ->check(CLI::IsMember({"x11", "win32", "fake"}));
        command.add_option("--rules", arguments.init.rules, "the policy's rule file (default: the shipped one)");
        command.add_flag("--force", arguments.init.force,
                         "replace existing files: a new authority and new keys for all machines");
      });
  CLI::App* keys = app.add_subcommand("keys", "list, renew and revoke keys of a deployment: `keys --help`");
  keys->fallthrough();
  keys->footer(kKeysHelp);
  keys->require_subcommand(1);
  const auto directory = [&](CLI::App& command) {
    command.add_option("DIR", arguments.deployment, "directory of `da-console init`")->required();
  };
  const auto name = [&](CLI::App& command) {
    directory(command);
    command.add_option("NAME", arguments.key_name, "name from `keys list`, such as policy@policy-observer")->required();
  };
  add_command(
      *keys, commands, "list", "list all keys and when they expire",
      [](const Arguments& a) { return console::list_keys(a.deployment, a.format()); },
      [&](CLI::App& command) {
        directory(command);
        command.add_flag("--json", arguments.json, "one JSON object a line");
      });
  add_command(
      *keys, commands, "rotate", "make a new certificate and key for NAME, and revoke the old ones",
      [](const Arguments& a) { return console::rotate_keys(a.deployment, a.key_name); }, name);
  add_command(
      *keys, commands, "revoke", "revoke the keys of NAME: no service accepts them any more",
      [](const Arguments& a) { return console::revoke_keys(a.deployment, a.key_name); }, name);
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
  add_stdio(app, commands);
  add_run(app, arguments, commands);
  add_commands(app, arguments, commands);
  add_deployment_commands(app, arguments, commands);
  console::add_profile_commands(arguments.profiles, [&](const std::string& name, const std::string& help,
                                                        const console::RunProfileCommand& run, const auto& flags) {
    add_command(
        app, commands, name, help,
        [run](const Arguments& a) {
          return run({a.config, a.goal.options.embedded.backend});
        },
        flags);
  });
  const auto add_recording_command = [&](CLI::App& parent, const std::string& name, const std::string& help, auto run,
                                         const std::function<void(CLI::App&)>& flags) {
    add_command(
        parent, commands, name, help, [run](const Arguments& a) { return run(a.config); }, flags);
  };
  console::add_recording_commands(app, arguments.recordings, add_recording_command);
  console::add_report_commands(app, arguments.reports, add_recording_command);
  console::add_replay_command(app, arguments.replays, add_recording_command);
  console::add_settings_command(app, arguments.settings, arguments.goal, add_recording_command);
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

int main(int argc, char** argv) { return console::after_output(run(argc, argv)); }
