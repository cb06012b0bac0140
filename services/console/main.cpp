// Where people start goals, watch, approve and stop. Holds no policy, no plan and no input device.
#include <signal.h>

#include <CLI/CLI.hpp>
#include <functional>
#include <iostream>

#include "lib/base/text.h"
#include "lib/rpc/process.h"
#include "lib/service/version.h"
#include "services/console/commands/commands.h"
#include "services/console/exit_codes.h"
#include "services/console/flags.h"
#include "services/console/goal_flags.h"
#include "services/console/goal_text.h"
#include "services/console/standard_output.h"
#include "services/console/usage.h"

namespace {

using namespace da;
using console::Format;

// What the flags fill in. One set for all commands, because only one command runs.
struct Arguments {
  console::GoalFlags goal;
  std::filesystem::path config;
  bool json = false;
  bool markdown = false;
  console::ApproveOptions approve;
  console::DenyOptions deny;
  console::ElementsOptions elements;
  console::InitOptions init;
  std::filesystem::path deployment;
  std::string key_name;
  std::string question_id;
  std::string answer;
  std::string stop_reason;
  std::string edit_tool;
  std::string edit_arguments;
  std::vector<std::string> policy_arguments;
  console::DoctorOptions doctor;
  std::int64_t unlock_ms = 0;  // 0: not given.
  std::uint32_t unlock_steps = 0;
  Format format() const { return json ? Format::kJson : Format::kLines; }
};

using Command = std::function<int(const Arguments&)>;

constexpr const char* kTime = "TIME (5s, 10m, 1h)";

void add_command(
    CLI::App& app, std::map<CLI::App*, Command>& commands, const std::string& name, const std::string& help,
    Command run, const std::function<void(CLI::App&)>& flags = [](CLI::App&) {}) {
  CLI::App* command = app.add_subcommand(name, help);
  command->fallthrough();  // --config stands after the command too.
  flags(*command);
  commands[command] = std::move(run);
}

void add_commands(CLI::App& app, Arguments& arguments, std::map<CLI::App*, Command>& commands) {
  const auto json = [&](CLI::App& command) { command.add_flag("--json", arguments.json, "for scripts"); };
  const auto id = [](CLI::App& command, std::string& into) {
    command.add_option("ID", into, "as `pending` shows it")->required()->check(console::utf8_text());
  };
  const auto reason = [](CLI::App& command, std::string& into) {
    command.add_option("--reason", into, "for the record");
  };
  // Another program reads the arguments.
  const auto passed_on = [&](CLI::App& command) {
    command.set_help_flag();
    command.fallthrough(false);
    command.prefix_command();
    command.final_callback([&command, &arguments] { arguments.policy_arguments = command.remaining(); });
  };
  add_command(
      app, commands, "status", "show the services of a run",
      [](const Arguments& a) { return console::show_status(a.config, a.format()); }, json);
  add_command(
      app, commands, "watch", "show a run's facts as they come",
      [](const Arguments& a) { return console::watch(a.config, a.format()); }, json);
  add_command(
      app, commands, "attach", "watch a run, and answer its approvals and questions",
      [](const Arguments& a) { return console::attach(a.config, a.format()); }, json);
  add_command(
      app, commands, "pending", "list what waits for an approval or an answer",
      [](const Arguments& a) { return console::list_pending(a.config, a.format()); }, json);
  add_command(
      app, commands, "approve", "approve a pending step",
      [](const Arguments& a) { return console::approve(a.config, a.approve); },
      [&](CLI::App& command) {
        id(command, arguments.approve.approval_id);
        command.add_option("--code", arguments.approve.code, "of your authenticator, where the step needs it")
            ->check(console::utf8_text());
        command.add_flag("--for-task", arguments.approve.for_task,
                         "the same step at the same place too, until the task ends");
        command.add_flag("--propose-rule", arguments.approve.propose_rule,
                         "also write an allow rule, for people to review");
      });
  add_command(
      app, commands, "deny", "deny a pending step", [](const Arguments& a) { return console::deny(a.config, a.deny); },
      [&](CLI::App& command) {
        id(command, arguments.deny.approval_id);
        reason(command, arguments.deny.reason);
        auto* skip = command.add_flag("--skip", arguments.deny.skip, "and let the task go on without it");
        command.add_flag("--stop-task", arguments.deny.stop_task, "and end the task")->excludes(skip);
      });
  add_command(
      app, commands, "answer", "answer a model's question; do not tell it secrets",
      [](const Arguments& a) { return console::answer(a.config, a.question_id, a.answer); },
      [&](CLI::App& command) {
        id(command, arguments.question_id);
        command.add_option("TEXT", arguments.answer, "the model is told it word for word; at most 4000 characters")
            ->required()
            ->check(console::utf8_text())
            ->type_name("");
      });
  add_command(
      app, commands, "edit", "change a pending step; it is judged again",
      [](const Arguments& a) { return console::edit(a.config, a.approve.approval_id, a.edit_tool, a.edit_arguments); },
      [&](CLI::App& command) {
        id(command, arguments.approve.approval_id);
        command.add_option("--args", arguments.edit_arguments, "its arguments, as JSON in desktop pixels")
            ->required()
            ->check(console::utf8_text());
        command.add_option("--tool", arguments.edit_tool, "another tool")->check(console::known_tool());
      });
  add_command(
      app, commands, "unlock", "open the write lock",
      [](const Arguments& a) { return console::unlock(a.config, Milliseconds(a.unlock_ms), a.unlock_steps); },
      [&](CLI::App& command) {
        command.add_option("--steps", arguments.unlock_steps, "for how many steps that change something")
            ->check(console::at_least_one());
        command.add_option("--for", arguments.unlock_ms, "for how long; until `lock` unless given")
            ->transform(console::milliseconds())
            ->type_name(kTime);
      });
  add_command(app, commands, "lock", "close the write lock",
              [](const Arguments& a) { return console::lock(a.config); });
  add_command(
      app, commands, "halt", "stop granting and stop acting, at once; the task ends",
      [](const Arguments& a) { return console::halt(a.config, a.stop_reason); },
      [&](CLI::App& command) { reason(command, arguments.stop_reason); });
  add_command(
      app, commands, "pause", "do nothing more until `resume`; the task waits",
      [](const Arguments& a) { return console::pause(a.config, a.stop_reason); },
      [&](CLI::App& command) { reason(command, arguments.stop_reason); });
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
      app, commands, "elements", "list what of the screen a goal can name: role, name, place, state, window",
      [](const Arguments& a) {
        console::ElementsOptions options = a.elements;
        options.config = a.config;
        options.backend = a.goal.options.backend;
        options.format = a.format();
        return console::show_elements(options);
      },
      [&](CLI::App& command) {
        json(command);
        auto* title = command.add_option("TITLE", arguments.elements.title, "only of windows whose title contains it")
                          ->check(console::utf8_text());
        command.add_flag("--pick", arguments.elements.pick, "only what is under the pointer")->excludes(title);
      });
  add_command(
      app, commands, "doctor", "check what this machine lacks, and say what to do",
      [](const Arguments& a) {
        console::DoctorOptions options = a.doctor;
        options.format = a.format();
        return console::run_doctor(options);
      },
      [&](CLI::App& command) {
        json(command);
        command.add_option("--planner", arguments.doctor.planner, "whose model is looked at, as for a goal");
        command.add_option("--model", arguments.doctor.model, "of that provider");
        command.add_option("--base-url", arguments.doctor.base_url, "of the model's server");
        command.add_option("--planner-config", arguments.doctor.planner_config, "a planner.toml to take all that from");
        command.add_flag("--ask", arguments.doctor.ask, "ask the model one small question, which may cost something");
      });
  add_command(
      app, commands, "policy", "check, explain and test a rule file: `policy --help`",
      [](const Arguments& a) { return console::run_policy_command("rules", a.policy_arguments); }, passed_on);
  add_command(
      app, commands, "enroll", "give a person a second factor: `enroll --help`",
      [](const Arguments& a) { return console::run_policy_command("enroll", a.policy_arguments); }, passed_on);
  add_command(
      app, commands, "audit", "show, verify and export what the policy decided: `audit --help`",
      [](const Arguments& a) { return console::run_policy_command("audit", a.policy_arguments); }, passed_on);
}

constexpr const char* kInitHelp =
    "Makes what the processes of a deployment prove themselves with, and a configuration for each:\n"
    "an authority (a small CA) in DIR/ca, and for each machine a directory to copy to it as it is.\n"
    "Without --host everything is for this machine alone, on unix sockets. With --host:\n\n"
    "  da-console init deployment --host planner=10.0.0.2 --host policy,observer=10.0.0.3 \\\n"
    "                             --host actuator=10.0.0.4 --host console=10.0.0.5\n\n"
    "DIR/ca/ stays here: whoever has the authority's key can be anyone. docs/DEPLOY.md goes on from there.\n"
    "Exit codes: 0 done, 1 DIR has such files already or cannot be written, 2 bad usage.";

constexpr const char* kKeysHelp =
    "Lists, renews and revokes the keys of a deployment that `da-console init DIR` made. Nothing is sent\n"
    "anywhere: rotate and revoke write files into DIR and say which of them to copy to which machine.\n"
    "Exit codes: 0 done, 1 it could not be done, 2 bad usage.";

// What makes and changes a deployment on disk.
void add_deployment_commands(CLI::App& app, Arguments& arguments, std::map<CLI::App*, Command>& commands) {
  add_command(
      app, commands, "init", "make keys and configurations for several machines: `init --help`",
      [](const Arguments& a) { return console::init_deployment(a.init); },
      [&](CLI::App& command) {
        command.footer(kInitHelp);
        command.add_option("DIR", arguments.init.directory, "where to; it is made, or is yours with mode 0700")
            ->required();
        command
            .add_option("--host", arguments.init.hosts,
                        "a machine and what runs on it; once for each machine. An IPv4 address or a DNS name")
            ->type_name("ROLE[,ROLE...]=ADDRESS")
            ->allow_extra_args(false);
        command.add_option("--desktop", arguments.init.backend, "of the actuator: x11, or fake: a small one in memory")
            ->check(CLI::IsMember({"x11", "fake"}));
        command.add_option("--rules", arguments.init.rules, "the policy's rule file; the shipped one unless given");
        command.add_flag("--force", arguments.init.force,
                         "replace what is there: a new authority, and new keys everywhere");
      });
  CLI::App* keys = app.add_subcommand("keys", "list, renew and revoke such keys: `keys --help`");
  keys->fallthrough();
  keys->footer(kKeysHelp);
  keys->require_subcommand(1);
  const auto directory = [&](CLI::App& command) {
    command.add_option("DIR", arguments.deployment, "of `da-console init`")->required();
  };
  const auto name = [&](CLI::App& command) {
    directory(command);
    command.add_option("NAME", arguments.key_name, "as `keys list` shows it, such as policy@policy-observer")
        ->required();
  };
  add_command(
      *keys, commands, "list", "show whose keys there are, and when they end",
      [](const Arguments& a) { return console::list_keys(a.deployment, a.format()); },
      [&](CLI::App& command) {
        directory(command);
        command.add_flag("--json", arguments.json, "one JSON object a line");
      });
  add_command(
      *keys, commands, "rotate", "make a new certificate and key for one of them, and revoke the old",
      [](const Arguments& a) { return console::rotate_keys(a.deployment, a.key_name); }, name);
  add_command(
      *keys, commands, "revoke", "take one of them out: nobody believes its keys any more",
      [](const Arguments& a) { return console::revoke_keys(a.deployment, a.key_name); }, name);
}

int bad_usage(const std::string& problem) {
  std::cerr << "da-console: " << problem << "\n";
  return console::kBadUsage;
}

int run_goal(const CLI::App& app, Arguments& arguments) {
  if (const auto problem = console::contradiction(app, arguments.goal)) return bad_usage(*problem);
  console::GoalOptions options = arguments.goal.options;
  const auto goal = console::read_goal_text(options.goal, arguments.goal.goal_file);
  if (!goal) return console::report(goal.error());
  auto variables = console::parse_variables(arguments.goal.variables);
  if (!variables) return console::report(variables.error());
  // Before any service is started; which planner reads it is known later.
  const auto text = console::expand_goal(*goal, *variables, console::GoalKind::kFreeText);
  if (!text) return console::report(text.error());
  options.goal = *goal;
  options.variables = *std::move(variables);
  if (trim(*text).empty()) {
    return bad_usage("the goal is empty; say what to do, such as --goal 'open mousepad; type \"hello\"'");
  }
  options.config = arguments.config;
  options.format = arguments.format();
  options.detail = console::detail_of(arguments.goal.quiet, arguments.goal.verbose);
  options.approval_expiry = Milliseconds(arguments.goal.approval_expiry_ms);
  options.time_limit = Milliseconds(arguments.goal.time_limit_ms);
  return console::run_goal(options);
}

void block_stop_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals, signal);
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
                 "configuration that names the services; without it, --goal starts its\n"
                 "own, and the other commands find the newest run that lives here, `halt` every one");
  console::add_goal_flags(app, arguments.goal);
  app.add_flag("--json", arguments.json, "one JSON line for each fact on stdout, and nothing else there")
      ->group("Output");
  std::map<CLI::App*, Command> commands;
  add_commands(app, arguments, commands);
  add_deployment_commands(app, arguments, commands);
  app.require_subcommand(0, 1);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error) == 0 ? console::kDone : console::kBadUsage;
    return bad_usage(console::usage_problem(app, error));
  }
  const auto chosen = app.get_subcommands();
  if (!chosen.empty() && console::has_goal(app)) {
    return bad_usage("a goal, or `" + chosen.front()->get_name() + "`: not both at once");
  }
  block_stop_signals();  // Before the first thread.
  // What matters of gRPC's log comes back as an error of the call.
  rpc::prepare_process(rpc::Use::kCalls, [](const char*) {});
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
