#include "services/console/deployment/flags.h"

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

}  // namespace

void add_deployment_commands(CLI::App& app, DeploymentFlags& flags, bool& json, const AddCommand& add) {
  add(
      app, "init", "make keys and configurations for several machines: `init --help`",
      [&flags](const auto&) { return init_deployment(flags.init); },
      [&](CLI::App& command) {
        command.footer(kInitHelp);
        command.add_option("DIR", flags.init.directory, "new directory, or your own with mode 0700")->required();
        command
            .add_option("--host", flags.init.hosts,
                        "a machine and its processes; once for each machine. An IPv4 address or a DNS name")
            ->type_name("ROLE[,ROLE...]=ADDRESS")
            ->allow_extra_args(false);
        command
            .add_option("--desktop", flags.init.backend,
                        "the actuator's desktop: x11, win32 (on a Windows machine of its own), or fake, in memory")
            ->check(CLI::IsMember({"x11", "win32", "fake"}));
        command.add_option("--rules", flags.init.rules, "the policy's rule file (default: the shipped one)");
        command.add_flag("--force", flags.init.force,
                         "replace existing files: a new authority and new keys for all machines");
      });
  CLI::App* keys = app.add_subcommand("keys", "list, renew and revoke keys of a deployment: `keys --help`");
  keys->fallthrough();
  keys->footer(kKeysHelp);
  keys->require_subcommand(1);
  const auto directory = [&](CLI::App& command) {
    command.add_option("DIR", flags.directory, "directory of `da-console init`")->required();
  };
  const auto name = [&](CLI::App& command) {
    directory(command);
    command.add_option("NAME", flags.key_name, "name from `keys list`, such as policy@policy-observer")->required();
  };
  add(
      *keys, "list", "list all keys and when they expire",
      [&flags, &json](const auto&) { return list_keys(flags.directory, json ? Format::kJson : Format::kLines); },
      [&](CLI::App& command) {
        directory(command);
        command.add_flag("--json", json, "one JSON object a line");
      });
  add(
      *keys, "rotate", "make a new certificate and key for NAME, and revoke the old ones",
      [&flags](const auto&) { return rotate_keys(flags.directory, flags.key_name); }, name);
  add(
      *keys, "revoke", "revoke the keys of NAME: no service accepts them any more",
      [&flags](const auto&) { return revoke_keys(flags.directory, flags.key_name); }, name);
}

}  // namespace da::console
