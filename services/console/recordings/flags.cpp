#include "services/console/recordings/flags.h"

#include "services/console/goal_flags.h"

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

void add_file(CLI::App& command, std::string& file) {
  command.add_option("FILE", file, "a recording: a path, a name, a task's id, or `last`")->required();
}

void add_list(CLI::App& app, RecordingFlags& flags, const AddCommand& add) {
  add(
      app, "recordings", "list recordings, the newest last: `recordings --help`",
      [&](const auto&) {
        flags.list.format = flags.json ? Format::kJson : Format::kLines;
        return list_recordings(flags.list);
      },
      [&](CLI::App& command) {
        command.footer(
            "A recording is complete, being written, or CUT: its writer was killed. See `recording --help`.\n"
            "Exit codes: 0 done, 1 the directory cannot be read, 2 bad usage.");
        command.add_option("--directory", flags.list.directory, "where to look (default: the recordings of your runs)");
        command.add_flag("--json", flags.json, "one JSON object a line");
      });
}

void add_reading(CLI::App& recording, RecordingFlags& flags, const AddCommand& add) {
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

void add_cat(CLI::App& recording, RecordingFlags& flags, const AddCommand& add) {
  constexpr const char* kMoment = "TIME|+SECONDS";
  CatOptions& options = flags.cat;
  add(
      recording, "cat", "print the messages as JSON lines: `recording cat --help`",
      [&](const auto&) {
        options.bytes = flags.base64 ? Bytes::kBase64 : Bytes::kHash;
        return cat_recording(options);
      },
      [&](CLI::App& command) {
        command.footer(kCatHelp);
        add_file(command, options.file);
        command.add_option("--topic", options.topics, "only this topic; may be repeated (default: all)")
            ->allow_extra_args(false);
        command.add_option("--from", options.from, "only from then on: UTC, or seconds after the beginning")
            ->type_name(kMoment);
        command.add_option("--to", options.to, "only up to then")->type_name(kMoment);
        command.add_option("--task", options.task_id, "only facts of the task with this id");
        command.add_flag("--bytes", flags.base64, "print images and other long bytes as base64, not size and hash");
      });
}

void add_extract(CLI::App& recording, RecordingFlags& flags, const AddCommand& add) {
  ExtractOptions& options = flags.extract;
  add(
      recording, "extract", "write images and attachments as files, or show what led to a step",
      [&](const auto&) { return extract_recording(options); },
      [&](CLI::App& command) {
        command.footer(kExtractHelp);
        add_file(command, options.file);
        command.add_option("-o,--output", options.directory, "directory for the files")->type_name("DIR");
        command.add_option("--step", options.step_id, "only this step and what led to it")->type_name("ID");
      });
}

void add_record(CLI::App& app, RecordingFlags& flags, const AddCommand& add) {
  constexpr std::uint64_t kMegabyte = 1'000'000;
  RecordOptions& options = flags.record;
  add(
      app, "record", "record the bus of a running deployment: `record --help`",
      [&](const std::filesystem::path& config) {
        options.config = config;
        options.duration = Milliseconds(flags.duration_ms);
        options.rotate_every = Milliseconds(flags.rotate_every_ms);
        options.rotate_bytes = flags.rotate_mb * kMegabyte;
        return record_bus(options);
      },
      [&](CLI::App& command) {
        command.footer(kRecordHelp);
        command.add_option("-o,--output", options.file, "the recording, which must not exist")
            ->required()
            ->type_name("FILE");
        command.add_option("--for", flags.duration_ms, "stop after this time (default: at Ctrl+C)")
            ->transform(milliseconds())
            ->type_name(kTimeValue);
        auto* size = command.add_option("--rotate-mb", flags.rotate_mb, "begin a new file after so many megabytes")
                         ->check(at_least_one())
                         ->type_name("MB");
        auto* time = command.add_option("--rotate-every", flags.rotate_every_ms, "begin a new file after this time")
                         ->transform(milliseconds())
                         ->type_name(kTimeValue);
        command
            .add_option_function<std::uint32_t>(
                "--keep",
                [&options, size, time](const std::uint32_t& files) {
                  if (size->empty() && time->empty()) {
                    throw CLI::ValidationError("--keep", "needs --rotate-mb or --rotate-every");
                  }
                  options.keep = files;
                },
                "delete older files of this run beyond so many")
            ->check(at_least_one())
            ->type_name("FILES");
      });
}

}  // namespace

void add_recording_commands(CLI::App& app, RecordingFlags& flags, const AddCommand& add) {
  add_list(app, flags, add);
  add_record(app, flags, add);
  CLI::App* recording =
      app.add_subcommand("recording", "show, check, recover and unpack a recording: `recording --help`");
  recording->fallthrough();
  recording->footer(kRecordingHelp);
  recording->require_subcommand(1);
  add_reading(*recording, flags, add);
  add_cat(*recording, flags, add);
  add_extract(*recording, flags, add);
}

}  // namespace da::console
