// stdio: a script sends commands on stdin and reads answers on stdout.
#include <unistd.h>

#include <iostream>

#include "lib/base/text.h"
#include "services/console/commands/task_run.h"
#include "services/console/exit_codes.h"
#include "services/console/stdio/command_pump.h"

namespace da::console {
namespace {

Result<v1::StartTaskReply> start_task(const Session& session, const GoalOptions& options,
                                      const v1::OpenTaskReply& task) {
  v1::StartTaskRequest request;
  request.set_task_id(task.task_id());
  request.set_task_token(task.task_token());
  request.set_goal(options.goal);
  request.set_time_limit_s(time_limit_s(options));
  request.set_planner(kCommandsPlanner);
  request.set_require_proof(options.require_proof);
  return session.planner().start(request);
}

std::unique_ptr<FactView> facts_view(const GoalOptions& options) {
  if (options.detail != Detail::kVerbose) return std::make_unique<NoView>();
  return std::make_unique<LineView>(system_clock().now(), std::cerr);
}

}  // namespace

int run_stdio(const GoalOptions& given) {
  GoalOptions options = given;
  options.goal = "the commands of a script";
  ASSIGN_OR_REPORT(auto embedded, start_embedded(options));
  ASSIGN_OR_REPORT(const auto session, Session::open(embedded ? embedded->console_config() : options.config));
  ASSIGN_OR_REPORT(auto subscriber, session.subscribe(bus::Images::kWith));
  ASSIGN_OR_REPORT(const auto task, open_task(session, options, kCommandsPlanner));
  StatusLine status;
  EventStream events(std::move(subscriber), facts_view(options));
  ASSIGN_OR_REPORT(const auto started, start_task(session, options, task));
  if (const std::string wait = turn_text(started); !wait.empty()) std::cerr << wait << std::endl;
  const TaskRun run{session, task, embedded, events, status};
  CommandPump pump(session.planner(), task.task_id(), STDIN_FILENO, STDOUT_FILENO);
  Followed followed = follow_task(run, Terminal::kShows);
  pump.stop();
  if (pump.reader_is_gone()) followed.exit_code = kTaskFailed;
  return finish_task(run, std::move(followed), options, std::cerr);
}

}  // namespace da::console
