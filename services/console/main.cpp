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
#include "services/console/standard_output.h"

namespace {

using namespace da;
using console::Format;

// What the flags fill in. One set for all commands, because only one command runs.
struct Arguments {
  console::GoalOptions goal;
  std::filesystem::path config;
  bool json = false;
  bool markdown = false;
  console::ApproveOptions approve;
  console::DenyOptions deny;
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
  std::int64_t approval_expiry_ms = 0;  // These: 0: not given.
  std::int64_t time_limit_ms = 0;
  std::int64_t unlock_ms = 0;
  std::uint32_t unlock_steps = 0;
  Format format() const { return json ? Format::kJson : Format::kLines; }
};

using Command = std::function<int(const Arguments&)>;

constexpr const char* kTime = "TIME (5s, 10m, 1h)";

void add_suggestion_flags(CLI::App& app, Arguments& arguments) {
  auto* suggest = app.add_option("--suggest", arguments.goal.suggestions,
                                 "ask a model for so many single, small actions instead of plans; each is confirmed");
  suggest->check(CLI::Range(1U, 50U))->type_name("N");
  app.add_option("--region", arguments.goal.regions,
                 "with --suggest: a part of the desktop that is shown, instead of all of it; may be given again")
      ->type_name("NAME=X,Y,WIDTH,HEIGHT")
      ->needs(suggest);
  app.add_option("--actions", arguments.goal.suggestible_actions,
                 "with --suggest: the only ones that may be suggested: CLICK_DESCRIBED_ELEMENT,\n"
                 "TYPE_IN_DESCRIBED_FIELD, PRESS_KEY_SIMPLE, WAIT_SHORT, CHECK_ELEMENT_PROPERTY")
      ->delimiter(',')
      ->type_name("ACTION,...")
      ->needs(suggest);
  app.add_flag("!--unconfirmed", arguments.goal.confirm_suggestions,
               "with --suggest: ask about a step only where the policy does")
      ->needs(suggest);
}

void add_goal_flags(CLI::App& app, Arguments& arguments) {
  app.add_option("--goal", arguments.goal.goal,
                 "what to do, as sentences separated by ';': open APP; type \"TEXT\" [into \"FIELD\"]; press ctrl+s;\n"
                 "click \"TARGET\"; check \"TEXT\" is visible; close \"TITLE\" ...")
      ->check(console::utf8_text());
  app.add_option("--desktop", arguments.goal.backend, "x11, or fake: a small desktop in memory")
      ->check(CLI::IsMember({"x11", "fake"}));
  app.add_option("--planner", arguments.goal.planner,
                 "who decides: plain (the goal's sentences), openai, openai-responses, anthropic, gemini,\n"
                 "ollama, llamacpp, vllm, lmstudio or recorded; openai-computer, anthropic-computer and\n"
                 "gemini-computer use the provider's own computer tool; without it: the provider whose\n"
                 "key is in the environment (OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY), or plain")
      ->check(console::utf8_text());
  app.add_option("--model", arguments.goal.model, "of that provider; its usual one unless given")
      ->check(console::utf8_text());
  app.add_option("--base-url", arguments.goal.base_url, "of the model's server; the provider's own unless given");
  app.add_option("--save-model-calls", arguments.goal.save_calls, "a file to which the model's answers are added");
  app.add_option("--model-calls", arguments.goal.saved_calls, "the file that --planner recorded answers from");
  app.add_option("--overlay", arguments.goal.overlay,
                 "what is drawn over a model's screenshots: grid, marks (numbers on elements), both or none")
      ->check(CLI::IsMember({"grid", "marks", "both", "none"}));
  app.add_flag("--text-only", arguments.goal.text_only, "a model gets the list of elements instead of screenshots");
  add_suggestion_flags(app, arguments);
  app.add_option("--journal", arguments.goal.journal, "a file to which the fake desktop adds what it receives");
  app.add_option("--rules", arguments.goal.rules, "the policy's rule file; the shipped one unless given");
  app.add_option("--secrets", arguments.goal.secrets,
                 "the actuator's secrets file, for {{secret:NAME}} in what is typed");
  app.add_option("--masks", arguments.goal.masks, "the actuator's masks file: what of the screen nobody is shown");
  app.add_option("--log-level", arguments.goal.log_level, "of the services' logs (info)")
      ->check(CLI::IsMember({"trace", "debug", "info", "warning", "error", "critical", "off"}));
  app.add_flag("--dry-run", arguments.goal.dry_run, "show plan, targets and verdicts; execute nothing");
  app.add_flag("--unlock-writes", arguments.goal.unlock_writes,
               "open the write lock for this task; critical steps are asked about all the same");
  app.add_option("--approval-expiry", arguments.approval_expiry_ms,
                 "how long an approval waits (2m); with services of its own, a model's question too")
      ->transform(console::milliseconds())
      ->type_name(kTime);
  app.add_option("--time-limit", arguments.time_limit_ms, "how long the task may take (1h)")
      ->transform(console::milliseconds())
      ->type_name(kTime);
  app.add_option("--allow-tools", arguments.goal.allowed_tools, "the only tools that the task may use (all)")
      ->check(console::utf8_text())
      ->delimiter(',')
      ->type_name("TOOL,...");
  app.add_option("--max-steps", arguments.goal.max_steps, "how many steps may act (1000)")
      ->check(console::at_least_one());
  app.add_option("--max-rate", arguments.goal.max_steps_per_second, "how many steps a second may be tried (200)")
      ->check(console::at_least_one());
  app.add_option("--max-characters", arguments.goal.max_characters, "how much may be typed and pasted (1000000)")
      ->check(console::at_least_one());
  app.add_option("--max-launches", arguments.goal.max_launches, "how many programs may be started (50)")
      ->check(console::at_least_one());
  app.add_option("--notify", arguments.goal.notify,
                 "a program that is run for each question; it finds the question in the\n"
                 "environment, as DESKTOPASSIST_QUESTION");
}

void add_command(
    CLI::App& app, std::map<CLI::App*, Command>& commands, const std::string& name, const std::string& help,
    Command run, const std::function<void(CLI::App&)>& flags = [](CLI::App&) {}) {
  CLI::App* command = app.add_subcommand(name, help);
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
        command.add_option("--tool", arguments.edit_tool, "another tool")->check(console::utf8_text());
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

int run_goal(Arguments& arguments) {
  arguments.goal.config = arguments.config;
  arguments.goal.format = arguments.format();
  arguments.goal.approval_expiry = Milliseconds(arguments.approval_expiry_ms);
  arguments.goal.time_limit = Milliseconds(arguments.time_limit_ms);
  return console::run_goal(arguments.goal);
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
  app.add_flag("--json", arguments.json, "one JSON line for each fact on stdout, and nothing else there");
  add_goal_flags(app, arguments);
  std::map<CLI::App*, Command> commands;
  add_commands(app, arguments, commands);
  add_deployment_commands(app, arguments, commands);
  app.require_subcommand(0, 1);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? console::kDone : console::kBadUsage;
  }
  const auto chosen = app.get_subcommands();
  if (!chosen.empty() && app.count("--goal") > 0) {
    std::cerr << "da-console: a goal, or `" << chosen.front()->get_name() << "`: not both at once\n";
    return console::kBadUsage;
  }
  block_stop_signals();  // Before the first thread.
  // What matters of gRPC's log comes back as an error of the call.
  rpc::prepare_process(rpc::Use::kCalls, [](const char*) {});
  for (const auto& [command, run_command] : commands) {
    if (command->parsed()) return run_command(arguments);
  }
  if (app.count("--goal") == 0) {
    std::cerr << app.help();
    return console::kBadUsage;
  }
  if (trim(arguments.goal.goal).empty()) {
    std::cerr << "da-console: the goal is empty; say what to do, such as --goal 'open mousepad; type \"hello\"'\n";
    return console::kBadUsage;
  }
  return run_goal(arguments);
}

}  // namespace

int main(int argc, char** argv) { return console::after_output(run(argc, argv)); }
