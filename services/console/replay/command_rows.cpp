// The command lines of `replay` and `recording to-test`.
#include <algorithm>
#include <cmath>
#include <iostream>

#include "services/console/command_line/command_table.h"
#include "services/console/exit_codes.h"
#include "services/console/recordings/find_recording.h"
#include "services/console/replay/commands.h"

namespace da::console {
namespace {

struct ReplayFlags {
  std::vector<std::string> files;
  std::string as;
  std::string policy;
  std::string speed;
  std::int64_t wait_ms = 2'000;
  ShowReplayOptions show;
  ReplayTaskOptions task;
};

constexpr double kSlowestSpeed = 0.1;
constexpr double kFastestSpeed = 1'000;
constexpr const char* kStandIns = "observer,actuator";

constexpr const char* kReplayHelp =
    "Without further flags: shows the recording in the terminal, as it was. FILE is as for `recording`.\n\n"
    "  da-console replay last --speed 4                      # space pauses, s steps, n and p jump, q ends\n"
    "  da-console replay last --publish                      # on a bus of its own, for `watch` and other readers\n"
    "  da-console replay last --as observer,actuator         # a live planner and policy decide again: a diff\n"
    "  da-console replay last --as observer,actuator --rules new.toml\n"
    "  da-console replay *.mcap --policy new.toml            # only judge every step again, thousands a second\n\n"
    "A replay has a desktop id \"replay:...\", keys and second factors of its own, and touches no desktop.\n"
    "Exit codes: 0 done, or with --as and --policy nothing differs; 1 something differs or a file cannot be read;\n"
    "2 bad usage; 5 a service could not be started.";

int bad(const std::string& why) {
  std::cerr << "da-console replay: " << why << "\n";
  return kBadUsage;
}

constexpr const char* kToTestHelp =
    "Writes task.mcap, goal.txt, rules.toml, calls.jsonl (if a model decided) and expected.jsonl, and prints the "
    "command\n"
    "that runs the test. It needs no desktop, no key and no network. What is on the screenshots is in it.\n"
    "Exit codes: 0 done, 1 failed, 2 bad usage.";

// nullopt: not a speed.
std::optional<double> parse_speed(const std::string& word) {
  if (word.empty()) return 1;
  if (word == "max") return 0;
  char* end = nullptr;
  const double speed = std::strtod(word.c_str(), &end);
  if (*end != '\0' || !std::isfinite(speed) || speed < kSlowestSpeed || speed > kFastestSpeed) return std::nullopt;
  return speed;
}

int judge_again(const ReplayFlags& flags, bool json) {
  std::vector<std::string> arguments = {"--rules", flags.policy};
  if (json) arguments.emplace_back("--json");
  for (const std::string& file : flags.files) {
    ASSIGN_OR_REPORT(const auto found, find_recording(file));
    arguments.push_back(found.string());
  }
  return run_service_command("policy", "judge", arguments);
}

int run_replay(ReplayFlags& flags, Format format) {
  const bool shows = flags.as.empty() && flags.policy.empty();
  if (!flags.as.empty() && !flags.policy.empty()) return bad("give --as or --policy, not both");
  if (!shows &&
      (flags.show.publish || !flags.speed.empty() || !flags.show.topics.empty() || flags.show.from_step > 0)) {
    return bad("--publish, --speed, --topic and --step are for showing a recording, without --as and --policy");
  }
  if (flags.as.empty() && !(flags.task.rules.empty() && flags.task.expected.empty())) {
    return bad("--rules and --expect need --as observer,actuator");
  }
  if (flags.task.update && flags.task.expected.empty()) return bad("--update needs --expect");
  if (!flags.policy.empty()) return judge_again(flags, format == Format::kJson);
  if (flags.files.size() != 1) return bad("give one recording; only --policy takes several");
  if (!shows) {
    flags.task.file = flags.files.front();
    flags.task.format = format;
    return replay_task(flags.task);
  }
  const auto speed = parse_speed(flags.speed);
  if (!speed) return bad("--speed: use a number from 0.1 to 1000, or max");
  flags.show.file = flags.files.front();
  flags.show.speed = *speed;
  flags.show.wait = Milliseconds(flags.wait_ms);
  flags.show.format = format;
  return show_replay(flags.show);
}

Command::Run add_to_test(CLI::App& command, CommonFlags&) {
  auto file = std::make_shared<std::string>();
  auto directory = std::make_shared<std::filesystem::path>();
  command.add_option("FILE", *file, "a recording: a path, a name, a task's id, or `last`")->required();
  command.add_option("-o,--output", *directory, "the directory, which is made")->required();
  return [file, directory] { return make_test(*file, *directory); };
}

Command::Run add_replay(CLI::App& command, CommonFlags& common) {
  auto flags = std::make_shared<ReplayFlags>();
  command.add_option("FILE", flags->files, "a recording: a path, a name, a task's id, or `last`")->required();
  command.add_option("--as", flags->as, "stand in for these services: observer,actuator")
      ->check(CLI::IsMember({kStandIns}));
  command.add_option("--rules", flags->task.rules, "with --as: rule file (default: that of the recording)");
  command.add_option("--expect", flags->task.expected,
                     "with --as: compare with this file of `recording to-test`, not with the recording");
  command.add_flag("--update", flags->task.update, "with --expect: write the file");
  command.add_option("--policy", flags->policy, "judge every step again by this rule file")->check(CLI::ExistingFile);
  command.add_option("--speed", flags->speed, "0.1 to 1000, or max (default: 1)");
  command.add_option("--step", flags->show.from_step, "begin at this plan, from 1")->check(at_least_one());
  command.add_option("--topic", flags->show.topics, "only this topic; may be repeated")->allow_extra_args(false);
  command.add_flag("--publish", flags->show.publish, "publish the facts again, on a bus of their own");
  command.add_option("--wait", flags->wait_ms, "with --publish: time for subscribers to connect (default: 2s)")
      ->transform(milliseconds())
      ->type_name(kTimeValue);
  add_json(command, common, "JSON lines for scripts");
  return [&common, flags] { return run_replay(*flags, common.format()); };
}

}  // namespace

std::vector<Command> replay_commands() {
  using enum CommandGroup;
  return {{"replay", kRecords, "show a recording again, or decide it again", kReplayHelp, add_replay},
          {"recording to-test", kRecords, "make a regression test of a recording", kToTestHelp, add_to_test}};
}

}  // namespace da::console
