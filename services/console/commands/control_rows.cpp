// The command lines with which people watch and control a run.
#include "services/console/command_line/command_table.h"

namespace da::console {
namespace {

void add_id(CLI::App& command, std::string& into) {
  command.add_option("ID", into, "id from `pending`")->required()->check(utf8_text());
}

void add_reason(CLI::App& command, std::string& into) {
  command.add_option("--reason", into, "reason for the audit log");
}

Command view(const char* name, const char* summary, int (*show)(const std::filesystem::path&, Format)) {
  return {name, CommandGroup::kAnswer, summary, "", [show](CLI::App& command, CommonFlags& common) -> Command::Run {
            add_json(command, common, "print JSON for scripts");
            return [&common, show] { return show(common.config, common.format()); };
          }};
}

Command::Run add_approve(CLI::App& command, CommonFlags& common) {
  auto options = std::make_shared<ApproveOptions>();
  add_id(command, options->approval_id);
  command.add_option("--code", options->code, "code of your authenticator, if the step needs one")->check(utf8_text());
  command.add_flag("--for-task", options->for_task, "also approve the same step at the same place until the task ends");
  command.add_flag("--propose-rule", options->propose_rule, "also write an allow rule for review");
  return [&common, options] { return approve(common.config, *options); };
}

Command::Run add_deny(CLI::App& command, CommonFlags& common) {
  auto options = std::make_shared<DenyOptions>();
  add_id(command, options->approval_id);
  add_reason(command, options->reason);
  auto* skip = command.add_flag("--skip", options->skip, "continue the task without this step");
  command.add_flag("--stop-task", options->stop_task, "also end the task")->excludes(skip);
  return [&common, options] { return deny(common.config, *options); };
}

Command::Run add_answer(CLI::App& command, CommonFlags& common) {
  struct Answer {
    std::string id;
    std::string text;
  };
  auto given = std::make_shared<Answer>();
  add_id(command, given->id);
  command.add_option("TEXT", given->text, "the answer, sent to the model unchanged; at most 4000 characters")
      ->required()
      ->check(utf8_text())
      ->type_name("");
  return [&common, given] { return answer(common.config, given->id, given->text); };
}

Command::Run add_unlock(CLI::App& command, CommonFlags& common) {
  struct Limits {
    std::int64_t ms = 0;  // 0: not given.
    std::uint32_t steps = 0;
  };
  auto limits = std::make_shared<Limits>();
  command.add_option("--steps", limits->steps, "for this many steps that change something")->check(at_least_one());
  command.add_option("--for", limits->ms, "for this long (default: until `lock`)")
      ->transform(milliseconds())
      ->type_name(kTimeValue);
  return [&common, limits] { return unlock(common.config, Milliseconds(limits->ms), limits->steps); };
}

Command::Run add_lock(CLI::App&, CommonFlags& common) {
  return [&common] { return lock(common.config); };
}

Command stop(const char* name, const char* summary, int (*stop_all)(const std::filesystem::path&, const std::string&)) {
  return {name, CommandGroup::kStop, summary, "", [stop_all](CLI::App& command, CommonFlags& common) -> Command::Run {
            auto reason = std::make_shared<std::string>();
            add_reason(command, *reason);
            return [&common, reason, stop_all] { return stop_all(common.config, *reason); };
          }};
}

Command::Run add_resume(CLI::App&, CommonFlags& common) {
  return [&common] { return resume(common.config); };
}

}  // namespace

std::vector<Command> run_control_commands() {
  using enum CommandGroup;
  return {view("status", "show the services of a run", show_status),
          view("watch", "show the facts of a run, live", watch),
          view("attach", "watch a run, and answer its approvals and questions", attach),
          view("pending", "list open approvals and questions", list_pending),
          {"approve", kAnswer, "approve a pending step", "", add_approve},
          {"deny", kAnswer, "deny a pending step", "", add_deny},
          {"answer", kAnswer, "answer a model's question; never tell it secrets", "", add_answer},
          {"unlock", kAnswer, "open the write lock", "", add_unlock},
          {"lock", kAnswer, "close the write lock", "", add_lock},
          stop("halt", "stop all actions at once and end the task", halt),
          stop("pause", "stop all actions until `resume`; the task waits", pause),
          {"resume", kStop, "end a halt and a pause", "", add_resume}};
}

}  // namespace da::console
