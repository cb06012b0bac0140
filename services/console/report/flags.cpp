#include "services/console/report/flags.h"

namespace da::console {
namespace {

constexpr const char* kTasksHelp =
    "Each recording of the directory that is the recording of a task, the newest last: the beginning of the task's "
    "id,\n"
    "when it began, how long it took, its result, the steps that were carried out, the approvals (asked/approved/\n"
    "denied) and its goal. Next: `da-console show ID`, or `da-console report ID -o FILE`.\n"
    "Exit codes: 0 done, 1 the directory cannot be read, 2 bad usage.";

constexpr const char* kShowHelp =
    "TASK is the beginning of a task's id (at least four characters, from `da-console tasks`), `last`, or the path of "
    "a\n"
    "recording. What a model or a window said is quoted and escaped, and marked as untrusted.\n"
    "Exit codes: 0 done, 1 there is no such recording, or it cannot be read, 2 bad usage.";

constexpr const char* kReportHelp =
    "TASK is as for `show`. The page needs no network, no other file and no JavaScript, and can be printed:\n\n"
    "  da-console report last -o report.html\n\n"
    "It contains screenshots, typed text and window titles, so that the file is readable for you alone (mode 0600).\n"
    "Masked areas are black in the screenshots, and secrets are placeholders, as in the recording.\n"
    "A cut recording gives a report of what can be read, which says so.\n"
    "Exit codes: 0 done, 1 failed, such as an existing file without --force, 2 bad usage.";

ReportImages images_of(const std::string& word) {
  if (word == "none") return ReportImages::kNone;
  return word == "all" ? ReportImages::kAll : ReportImages::kSteps;
}

}  // namespace

void add_report_commands(CLI::App& app, ReportFlags& flags, const AddCommand& add) {
  const auto format = [&flags] { return flags.json ? Format::kJson : Format::kLines; };
  const auto task = [&flags](CLI::App& command, std::string& into) {
    command.add_option("TASK", into, "beginning of a task's id, `last`, or a recording's path")->required();
  };
  add(
      app, "tasks", "list what was done: the recorded tasks, the newest last: `tasks --help`",
      [&flags, format](const auto&) {
        flags.list.format = format();
        return list_tasks(flags.list);
      },
      [&](CLI::App& command) {
        command.footer(kTasksHelp);
        command.add_option("--directory", flags.list.directory, "where to look (default: the recordings of your runs)");
        command.add_flag("--json", flags.json, "one JSON object a line");
      });
  add(
      app, "show", "show a recorded task step by step: `show --help`",
      [&flags, format](const auto&) { return show_task(flags.task, format()); },
      [&](CLI::App& command) {
        command.footer(kShowHelp);
        task(command, flags.task);
        command.add_flag("--json", flags.json, "one JSON object");
      });
  add(
      app, "report", "make an HTML page of a recorded task, with its screenshots: `report --help`",
      [&flags](const auto&) {
        flags.report.images = images_of(flags.images);
        return write_report(flags.report);
      },
      [&](CLI::App& command) {
        command.footer(kReportHelp);
        task(command, flags.report.recording);
        command.add_option("-o,--output", flags.report.output, "the HTML file to write")->required();
        command
            .add_option("--images", flags.images,
                        "steps: the screenshots that steps were decided on (default); all: every image; none")
            ->check(CLI::IsMember({"steps", "all", "none"}))
            ->type_name("WHICH");
        command.add_flag("--force", flags.report.force, "replace an existing file");
      });
}

}  // namespace da::console
