#include "services/console/commands/control_flags.h"

#include "services/console/goal_flags.h"

namespace da::console {
namespace {

void add_id(CLI::App& command, std::string& into) {
  command.add_option("ID", into, "id from `pending`")->required()->check(utf8_text());
}

void add_reason(CLI::App& command, std::string& into) {
  command.add_option("--reason", into, "reason for the audit log");
}

void add_answers(CLI::App& app, ControlFlags& flags, const AddCommand& add) {
  add(
      app, "approve", "approve a pending step", [&flags](const auto& config) { return approve(config, flags.approve); },
      [&flags](CLI::App& command) {
        add_id(command, flags.approve.approval_id);
        command.add_option("--code", flags.approve.code, "code of your authenticator, if the step needs one")
            ->check(utf8_text());
        command.add_flag("--for-task", flags.approve.for_task,
                         "also approve the same step at the same place until the task ends");
        command.add_flag("--propose-rule", flags.approve.propose_rule, "also write an allow rule for review");
      });
  add(
      app, "deny", "deny a pending step", [&flags](const auto& config) { return deny(config, flags.deny); },
      [&flags](CLI::App& command) {
        add_id(command, flags.deny.approval_id);
        add_reason(command, flags.deny.reason);
        auto* skip = command.add_flag("--skip", flags.deny.skip, "continue the task without this step");
        command.add_flag("--stop-task", flags.deny.stop_task, "also end the task")->excludes(skip);
      });
  add(
      app, "answer", "answer a model's question; never tell it secrets",
      [&flags](const auto& config) { return answer(config, flags.question_id, flags.answer); },
      [&flags](CLI::App& command) {
        add_id(command, flags.question_id);
        command.add_option("TEXT", flags.answer, "the answer, sent to the model unchanged; at most 4000 characters")
            ->required()
            ->check(utf8_text())
            ->type_name("");
      });
}

void add_write_lock(CLI::App& app, ControlFlags& flags, const AddCommand& add) {
  add(
      app, "unlock", "open the write lock",
      [&flags](const auto& config) { return unlock(config, Milliseconds(flags.unlock_ms), flags.unlock_steps); },
      [&flags](CLI::App& command) {
        command.add_option("--steps", flags.unlock_steps, "for this many steps that change something")
            ->check(at_least_one());
        command.add_option("--for", flags.unlock_ms, "for this long (default: until `lock`)")
            ->transform(milliseconds())
            ->type_name(kTimeValue);
      });
  add(app, "lock", "close the write lock", lock, [](CLI::App&) {});
}

void add_stopping(CLI::App& app, ControlFlags& flags, const AddCommand& add) {
  using Stop = int (*)(const std::filesystem::path&, const std::string&);
  const auto add_stop = [&](const char* name, const char* help, Stop stop) {
    add(
        app, name, help, [&flags, stop](const auto& config) { return stop(config, flags.stop_reason); },
        [&flags](CLI::App& command) { add_reason(command, flags.stop_reason); });
  };
  add_stop("halt", "stop all actions at once and end the task", halt);
  add_stop("pause", "stop all actions until `resume`; the task waits", pause);
  add(app, "resume", "end a halt and a pause", resume, [](CLI::App&) {});
}

}  // namespace

void add_control_commands(CLI::App& app, ControlFlags& flags, const AddCommand& add) {
  add_answers(app, flags, add);
  add_write_lock(app, flags, add);
  add_stopping(app, flags, add);
}

}  // namespace da::console
