#include "services/console/recordings/flags.h"

#include "services/console/goal_flags.h"

namespace da::console {
namespace {

constexpr const char* kRecordingHelp =
    "FILE is a path, or in the directory of `da-console recordings`: a file's name, the beginning of a task's id,\n"
    "or `last`. These commands need no running services, and read recordings of other versions and cut ones, too.\n"
    "Exit codes: 0 done, 1 failed or not intact, 2 bad usage.";


void add_file(CLI::App& command, std::string& file) {
  command.add_option("FILE", file, "a recording: a path, a name, a task's id, or `last`")->required();
}

void add_list(CLI::App& app, RecordingFlags& flags, const AddRecordingCommand& add) {
  add(
      app, "recordings", "list recordings, the newest last: `recordings --help`",
      [&](const auto&) {
        flags.list.format = flags.json ? Format::kJson : Format::kLines;
        return list_recordings(flags.list);
      },
      [&](CLI::App& command) {
        command.footer("A recording is complete, being written, or CUT: its writer was killed. See `recording --help`.\n"
                       "Exit codes: 0 done, 1 the directory cannot be read, 2 bad usage.");
        command.add_option("--directory", flags.list.directory, "where to look (default: the recordings of your runs)");
        command.add_flag("--json", flags.json, "one JSON object a line");
      });
}

void add_reading(CLI::App& recording, RecordingFlags& flags, const AddRecordingCommand& add) {
  add(
      recording, "info", "what a recording holds: goal, result, times, topics, attachments, lost facts",
      [&](const auto&) { return show_recording(flags.file, flags.json ? Format::kJson : Format::kLines); },
      [&](CLI::App& command) {
        add_file(command, flags.file);
        command.add_flag("--json", flags.json, "one JSON object");
      });
  add(
      recording, "check", "check everything: checksums, indexes, types, numbers of facts; exit code 0 if intact",
      [&](const auto&) { return check_recording(flags.file); },
      [&](CLI::App& command) { add_file(command, flags.file); });
  add(
      recording, "recover", "write what can be read of a damaged or cut recording into a new one",
      [&](const auto&) { return recover_recording(flags.file, flags.output); },
      [&](CLI::App& command) {
        add_file(command, flags.file);
        command.add_option("-o,--output", flags.output, "the new recording, which must not exist")->required();
      });
}

}  // namespace

void add_recording_commands(CLI::App& app, RecordingFlags& flags, const AddRecordingCommand& add) {
  add_list(app, flags, add);
  CLI::App* recording = app.add_subcommand("recording", "show, check, recover and unpack a recording: `recording --help`");
  recording->fallthrough();
  recording->footer(kRecordingHelp);
  recording->require_subcommand(1);
  add_reading(*recording, flags, add);
}

}  // namespace da::console
