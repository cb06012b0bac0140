#include <iostream>

#include "lib/base/text.h"
#include "lib/os/process/confinement.h"
#include "services/console/commands/commands.h"
#include "services/console/commands/suggestions.h"
#include "services/console/commands/task_run.h"
#include "services/console/exit_codes.h"
#include "services/console/session/embedded_services.h"
#include "services/console/session/session.h"
#include "services/console/terminal/stream/event_stream.h"
#include "services/console/terminal/stream/progress_view.h"
#include "services/console/terminal/stream/stream_view.h"

namespace da::console {
namespace {

Result<v1::ChoosePlannerReply> choose_planner(const Session& session, const GoalOptions& options) {
  v1::ChoosePlannerRequest request;
  request.set_planner(options.planner);
  request.set_model(options.model);
  return session.planner().choose(request);
}

// "recorded", and "openai, gpt-5".
std::string planner_text(const v1::ChoosePlannerReply& planner) {
  const bool has_model = !planner.model().empty() && planner.model() != planner.planner();
  return escape_foreign(planner.planner()) + (has_model ? ", " + escape_foreign(planner.model()) : "");
}

Result<v1::StartTaskReply> start_task(const Session& session, const GoalOptions& options,
                                      const v1::ChoosePlannerReply& planner, const v1::OpenTaskReply& task) {
  v1::StartTaskRequest request;
  request.set_task_id(task.task_id());
  request.set_task_token(task.task_token());
  request.set_goal(options.goal);
  request.set_dry_run(options.dry_run);
  request.set_require_proof(options.require_proof);
  request.set_time_limit_s(time_limit_s(options));
  request.set_planner(planner.planner());
  request.set_model(planner.model());
  ASSIGN_OR_RETURN(auto decision, decision_of(options));
  if (decision) *request.mutable_decision() = *std::move(decision);
  return session.planner().start(request);
}

// A dry run shows each fact, because people want its verdicts.
bool shows_progress(const GoalOptions& options) {
  return !options.dry_run && options.format == Format::kLines && options.detail == Detail::kUsual &&
         ProgressView::can_draw();
}

std::unique_ptr<FactView> goal_view(const GoalOptions& options, const std::string& task_id, StatusLine& line) {
  if (options.format == Format::kJson) return std::make_unique<JsonView>();
  if (options.detail == Detail::kQuiet) return std::make_unique<NoView>();
  if (shows_progress(options)) return std::make_unique<ProgressView>(task_id, ProgressView::wanted_colours(), line);
  return std::make_unique<LineView>(system_clock().now());
}

}  // namespace

int run_goal(const GoalOptions& given) {
  GoalOptions options = given;
  if (const auto decision = decision_of(options); !decision) return report(decision.error());
  ASSIGN_OR_REPORT(auto embedded, start_embedded(options));
  ASSIGN_OR_REPORT(auto session, Session::open(embedded ? embedded->console_config() : options.config));
  ASSIGN_OR_REPORT(auto subscriber, session.subscribe(bus::Images::kWith));
  ASSIGN_OR_REPORT(const auto planner, choose_planner(session, options));
  const GoalKind kind = planner.planner() == "plain" ? GoalKind::kSentences : GoalKind::kFreeText;
  ASSIGN_OR_REPORT(options.goal, expand_goal(given.goal, given.variables, kind));
  std::ostream& people = options.format == Format::kJson ? std::cerr : std::cout;
  if (embedded && os::landlock_version() == 0) {
    people << "this kernel has no Landlock: planner and observer can read all your files" << std::endl;
  }
  if (options.detail != Detail::kQuiet)
    people << "planner: " << planner_text(planner) << " (" << escape_foreign(planner.why()) << ")" << std::endl;
  ASSIGN_OR_REPORT(const auto task, open_task(session, options, planner.planner()));

  StatusLine status;
  EventStream events(std::move(subscriber), goal_view(options, task.task_id(), status));
  ASSIGN_OR_REPORT(const auto started, start_task(session, options, planner, task));
  if (const std::string wait = turn_text(started); !wait.empty()) people << wait << std::endl;
  const TaskRun run{session, task, embedded, events, status};
  return finish_task(run, follow_task(run, Terminal::kAsks), options, people);
}

}  // namespace da::console
