// The command lines of `init` and `keys`.
#include "services/console/command_line/command_table.h"

namespace da::console {
namespace {

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

Command::Run add_init(CLI::App& command, CommonFlags&) {
  auto options = std::make_shared<InitOptions>();
  command.add_option("DIR", options->directory, "new directory, or your own with mode 0700")->required();
  command
      .add_option("--host", options->hosts,
                  "a machine and its processes; once for each machine. An IPv4 address or a DNS name")
      ->type_name("ROLE[,ROLE...]=ADDRESS")
      ->allow_extra_args(false);
  command
      .add_option("--desktop", options->backend,
                  "the actuator's desktop: x11, win32 (on a Windows machine of its own), or fake, in memory")
      ->check(CLI::IsMember({"x11", "win32", "fake"}));
  command.add_option("--rules", options->rules, "the policy's rule file (default: the shipped one)");
  command.add_flag("--force", options->force, "replace existing files: a new authority and new keys for all machines");
  return [options] { return init_deployment(*options); };
}

void add_directory(CLI::App& command, std::filesystem::path& into) {
  command.add_option("DIR", into, "directory of `da-console init`")->required();
}

Command::Run add_keys_list(CLI::App& command, CommonFlags& common) {
  auto directory = std::make_shared<std::filesystem::path>();
  add_directory(command, *directory);
  add_json(command, common, "one JSON object a line");
  return [&common, directory] { return list_keys(*directory, common.format()); };
}

Command::Add change_of_keys(int (*change)(const std::filesystem::path&, const std::string&)) {
  return [change](CLI::App& command, CommonFlags&) -> Command::Run {
    auto directory = std::make_shared<std::filesystem::path>();
    auto name = std::make_shared<std::string>();
    add_directory(command, *directory);
    command.add_option("NAME", *name, "name from `keys list`, such as policy@policy-observer")->required();
    return [change, directory, name] { return change(*directory, *name); };
  };
}

}  // namespace

std::vector<Command> deployment_commands() {
  using enum CommandGroup;
  return {{"init", kDeployment, "make keys and configurations for several machines", kInitHelp, add_init},
          {"keys", kDeployment, "list, renew and revoke keys of a deployment", kKeysHelp, needs_command},
          {"keys list", kDeployment, "list all keys and when they expire", "", add_keys_list},
          {"keys rotate", kDeployment, "make a new certificate and key for NAME, and revoke the old ones", "",
           change_of_keys(rotate_keys)},
          {"keys revoke", kDeployment, "revoke the keys of NAME: no service accepts them any more", "",
           change_of_keys(revoke_keys)}};
}

}  // namespace da::console
