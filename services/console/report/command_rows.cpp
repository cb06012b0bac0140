// The command lines of `tasks`, `show` and `report`.
#include "services/console/command_line/command_table.h"
#include "services/console/report/commands.h"

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

void add_task(CLI::App& command, std::string& into) {
  command.add_option("TASK", into, "beginning of a task's id, `last`, or a recording's path")->required();
}

Command::Run add_tasks(CLI::App& command, CommonFlags& common) {
  auto options = std::make_shared<ListTasksOptions>();
  command.add_option("--directory", options->directory, "where to look (default: the recordings of your runs)");
  add_json(command, common, "one JSON object a line");
  return [&common, options] {
    options->format = common.format();
    return list_tasks(*options);
  };
}

Command::Run add_show(CLI::App& command, CommonFlags& common) {
  auto task = std::make_shared<std::string>();
  add_task(command, *task);
  add_json(command, common, "one JSON object");
  return [&common, task] { return show_task(*task, common.format()); };
}

Command::Run add_report(CLI::App& command, CommonFlags&) {
  auto options = std::make_shared<ReportOptions>();
  add_task(command, options->recording);
  command.add_option("-o,--output", options->output, "the HTML file to write")->required();
  command
      .add_option_function<std::string>(
          "--images", [options](const std::string& word) { options->images = images_of(word); },
          "steps: the screenshots that steps were decided on (default); all: every image; none")
      ->check(CLI::IsMember({"steps", "all", "none"}))
      ->type_name("WHICH");
  command.add_flag("--force", options->force, "replace an existing file");
  return [options] { return write_report(*options); };
}

}  // namespace

std::vector<Command> report_commands() {
  using enum CommandGroup;
  return {{"tasks", kRecords, "list what was done: the recorded tasks, the newest last", kTasksHelp, add_tasks},
          {"show", kRecords, "show a recorded task step by step", kShowHelp, add_show},
          {"report", kRecords, "make an HTML page of a recorded task, with its screenshots", kReportHelp, add_report}};
}

}  // namespace da::console
