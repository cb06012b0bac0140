#include "services/planner/commands/command_task.h"

#include "services/planner/commands/command_inbox.h"
#include "services/planner/commands/command_proposer.h"

namespace da::planner {
namespace {

constexpr std::chrono::hours kTimeLimitOfCommands{4};  // The policy has the same default for a session.

class CommandTask final : public PreparedTask {
 public:
  CommandTask(const Clock& clock, TaskCancel& cancel) : commands_(clock, cancel) {}

  std::string planner() const override { return kCommands; }
  std::chrono::seconds time_limit() const override { return kTimeLimitOfCommands; }

  v1::TaskResult run(const TaskRun& task) override {
    CommandProposer proposer(commands_, task.view);
    return task.carry_out(proposer, kOnlyTimeLimits);
  }
  Result<v1::RunCommandReply> run_command(const v1::RunCommandRequest& request, Milliseconds max_wait) override {
    return commands_.run(request, max_wait);
  }
  void end(const v1::TaskResult& result) override { close(commands_, result); }

 private:
  CommandInbox commands_;
};

}  // namespace

Result<std::unique_ptr<PreparedTask>> prepare_command_task(const Preparation& preparation) {
  if (preparation.request.dry_run()) {
    return Error{Code::kInvalidArgument, "commands have no dry run, because each depends on the answer before"};
  }
  RETURN_IF_ERROR(check_free_goal(preparation.request.goal()));
  return std::unique_ptr<PreparedTask>(std::make_unique<CommandTask>(preparation.clock, preparation.cancel));
}

}  // namespace da::planner
