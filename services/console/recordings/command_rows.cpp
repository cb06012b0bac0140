// The command lines of the commands for recordings.
#include "services/console/command_line/command_table.h"
#include "services/console/recordings/commands.h"

namespace da::console {
namespace {

constexpr const char* kCatHelp =
    "Prints {\"topic\",\"log_time\",\"log_time_ns\",\"type\",\"message\"} for each message, with the fields' names in\n"
    "proto/da/v1 and the header as message.header. Messages are decoded by the file's own schemas. For example:\n\n"
    "  da-console recording cat last --topic actuator.outcome --from +2 | jq .message\n\n"
    "Of a recording that is not complete, what can be read is printed, and on stderr what is missing.\n"
    "Exit codes: 0 done, 1 damaged, 2 bad usage.";

constexpr const char* kExtractHelp =
    "Without --step: writes each image once, as TIME-HASH.png or .jpg, and all attachments (rules, configurations,\n"
    "versions) into DIR, and prints their paths. With --step: the step's plan, judgements, grant and outcome,\n"
    "and what led to it by cause back to the task: JSON lines on stdout, or with -o as files with the images.\n"
    "Files have mode 0600; existing files are never overwritten. Step ids: `recording cat FILE --topic planner.plan`.\n"
    "Exit codes: 0 done, 1 failed or damaged, 2 bad usage.";

constexpr const char* kRecordingHelp =
    "FILE is a path, or in the directory of `da-console recordings`: a file's name, the beginning of a task's id,\n"
    "or `last`. These commands need no running services, and read recordings of other versions and cut ones, too.\n"
    "Exit codes: 0 done, 1 failed or not intact, 2 bad usage.";

constexpr const char* kRecordHelp =
    "Records all facts and images of a running deployment, whether a task runs or not, until Ctrl+C or --for.\n"
    "da-recorder records each task anyway (`da-console recordings`); this records everything else, too.\n"
    "With --rotate-mb or --rotate-every, FILE.mcap is followed by FILE-2.mcap, FILE-3.mcap and so on. For example:\n\n"
    "  da-console record -o day.mcap --rotate-mb 500 --keep 10\n\n"
    "Exit codes: 0 done, 1 a file exists or cannot be written, 2 bad usage, 5 a service could not be reached.";

constexpr const char* kListHelp =
    "A recording is complete, being written, or CUT: its writer was killed. See `recording --help`.\n"
    "Exit codes: 0 done, 1 the directory cannot be read, 2 bad usage.";

void add_file(CLI::App& command, std::string& file) {
  command.add_option("FILE", file, "a recording: a path, a name, a task's id, or `last`")->required();
}

Command::Run add_recordings(CLI::App& command, CommonFlags& common) {
  auto options = std::make_shared<ListRecordingsOptions>();
  command.add_option("--directory", options->directory, "where to look (default: the recordings of your runs)");
  add_json(command, common, "one JSON object a line");
  return [&common, options] {
    options->format = common.format();
    return list_recordings(*options);
  };
}

Command::Run add_info(CLI::App& command, CommonFlags& common) {
  auto file = std::make_shared<std::string>();
  add_file(command, *file);
  add_json(command, common, "one JSON object");
  return [&common, file] { return show_recording(*file, common.format()); };
}

Command::Run add_check(CLI::App& command, CommonFlags&) {
  auto file = std::make_shared<std::string>();
  add_file(command, *file);
  return [file] { return check_recording(*file); };
}

Command::Run add_recover(CLI::App& command, CommonFlags&) {
  auto file = std::make_shared<std::string>();
  auto output = std::make_shared<std::filesystem::path>();
  add_file(command, *file);
  command.add_option("-o,--output", *output, "the new recording, which must not exist")->required();
  return [file, output] { return recover_recording(*file, *output); };
}

Command::Run add_cat(CLI::App& command, CommonFlags&) {
  constexpr const char* kMoment = "TIME|+SECONDS";
  auto options = std::make_shared<CatOptions>();
  add_file(command, options->file);
  command.add_option("--topic", options->topics, "only this topic; may be repeated (default: all)")
      ->allow_extra_args(false);
  command.add_option("--from", options->from, "only from then on: UTC, or seconds after the beginning")
      ->type_name(kMoment);
  command.add_option("--to", options->to, "only up to then")->type_name(kMoment);
  command.add_option("--task", options->task_id, "only facts of the task with this id");
  command.add_flag_callback(
      "--bytes", [options] { options->bytes = Bytes::kBase64; },
      "print images and other long bytes as base64, not size and hash");
  return [options] { return cat_recording(*options); };
}

Command::Run add_extract(CLI::App& command, CommonFlags&) {
  auto options = std::make_shared<ExtractOptions>();
  add_file(command, options->file);
  command.add_option("-o,--output", options->directory, "directory for the files")->type_name("DIR");
  command.add_option("--step", options->step_id, "only this step and what led to it")->type_name("ID");
  return [options] { return extract_recording(*options); };
}

Command::Run add_record(CLI::App& command, CommonFlags& common) {
  struct Record {
    RecordOptions options;
    std::int64_t duration_ms = 0;  // 0: not given.
    std::int64_t rotate_every_ms = 0;
    std::uint32_t rotate_mb = 0;
  };
  auto given = std::make_shared<Record>();
  command.add_option("-o,--output", given->options.file, "the recording, which must not exist")
      ->required()
      ->type_name("FILE");
  command.add_option("--for", given->duration_ms, "stop after this time (default: at Ctrl+C)")
      ->transform(milliseconds())
      ->type_name(kTimeValue);
  auto* size = command.add_option("--rotate-mb", given->rotate_mb, "begin a new file after so many megabytes")
                   ->check(at_least_one())
                   ->type_name("MB");
  auto* time = command.add_option("--rotate-every", given->rotate_every_ms, "begin a new file after this time")
                   ->transform(milliseconds())
                   ->type_name(kTimeValue);
  command
      .add_option_function<std::uint32_t>(
          "--keep",
          [given, size, time](const std::uint32_t& files) {
            if (size->empty() && time->empty()) {
              throw CLI::ValidationError("--keep", "needs --rotate-mb or --rotate-every");
            }
            given->options.keep = files;
          },
          "delete older files of this run beyond so many")
      ->check(at_least_one())
      ->type_name("FILES");
  return [&common, given] {
    constexpr std::uint64_t kMegabyte = 1'000'000;
    given->options.config = common.config;
    given->options.duration = Milliseconds(given->duration_ms);
    given->options.rotate_every = Milliseconds(given->rotate_every_ms);
    given->options.rotate_bytes = given->rotate_mb * kMegabyte;
    return record_bus(given->options);
  };
}

}  // namespace

std::vector<Command> recording_commands() {
  using enum CommandGroup;
  return {{"recordings", kRecords, "list recordings, the newest last", kListHelp, add_recordings},
          {"record", kRecords, "record the bus of a running deployment", kRecordHelp, add_record},
          {"recording", kRecords, "show, check, recover and unpack a recording", kRecordingHelp, needs_command},
          {"recording info", kRecords, "what a recording holds: goal, result, times, topics, attachments, lost facts",
           "", add_info},
          {"recording check", kRecords,
           "check everything: checksums, indexes, types, numbers of facts; exit code 0 if intact", "", add_check},
          {"recording recover", kRecords, "write what can be read of a damaged or cut recording into a new one", "",
           add_recover},
          {"recording cat", kRecords, "print the messages as JSON lines", kCatHelp, add_cat},
          {"recording extract", kRecords, "write images and attachments as files, or show what led to a step",
           kExtractHelp, add_extract}};
}

}  // namespace da::console
