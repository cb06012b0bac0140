// run: carries out a rule profile.
#include <iostream>

#include "lib/base/text.h"
#include "lib/contract/profile_goal.h"
#include "services/console/commands/task_run.h"
#include "services/console/exit_codes.h"
#include "services/console/profile_files.h"
#include "services/console/profiles/service_programs.h"

namespace da::console {
namespace {

// Time for the tasks before it and for the last step, so that a run that ends by itself is not cut off.
constexpr Milliseconds kGrace{60'000};

Result<v1::ProfileRun> profile_run(const RunOptions& given) {
  ASSIGN_OR_RETURN(auto run, read_profile_files(given.profile));
  for (const auto& [name, value] : given.task.variables) (*run.mutable_variables())[name] = value;
  run.set_strict(given.strict);
  run.set_provider(given.task.planner);
  run.set_model(given.task.model);
  run.set_without_pictures(given.without_pictures);
  run.set_for_ms(static_cast<std::uint32_t>(given.run_for.count()));
  // Nothing changes in a dry run, so its cycles would all be the same unless people wait for something.
  run.set_once(given.once || (given.task.dry_run && given.run_for == Milliseconds(0)));
  return run;
}

Result<v1::StartTaskReply> start_profile(const Session& session, const GoalOptions& options, const v1::ProfileRun& run,
                                         const v1::OpenTaskReply& task) {
  v1::StartTaskRequest request;
  request.set_task_id(task.task_id());
  request.set_task_token(task.task_token());
  request.set_goal(options.goal);
  request.set_dry_run(options.dry_run);
  request.set_require_proof(options.require_proof);
  request.set_time_limit_s(time_limit_s(options));
  request.set_planner(kProfilePlanner);
  *request.mutable_profile() = run;
  return session.planner().start(request);
}

std::unique_ptr<FactView> profile_view(const GoalOptions& options) {
  if (options.format == Format::kJson) return std::make_unique<JsonView>();
  if (options.detail == Detail::kQuiet) return std::make_unique<NoView>();
  return std::make_unique<LineView>(system_clock().now());
}

// People see what a profile does before it does anything. An invalid one is refused when it starts, with its errors.
void print_summary(const v1::ProfileRun& run, std::ostream& people) {
  std::vector<std::string> variables;
  for (const auto& [name, value] : run.variables()) variables.push_back(name);
  const auto summary = profile_summary(run.text(), variables);
  if (!summary) {
    std::cerr << "da-console: there is no summary of the profile: " << summary.error().message << std::endl;
    return;
  }
  people << escape_foreign(run.name(), 300) << ":\n" << *summary << std::endl;
}

}  // namespace

int run_profile(const RunOptions& given) {
  GoalOptions options = given.task;
  ASSIGN_OR_REPORT(const auto run, profile_run(given));
  options.goal = contract::profile_goal(run);
  if (options.time_limit == Milliseconds(0) && given.run_for > Milliseconds(0)) {
    options.time_limit = given.run_for + kGrace;
  }
  if (options.time_limit > Milliseconds(0) && options.time_limit < given.run_for) {
    return report({Code::kInvalidArgument,
                   "--for is longer than the time limit of the task, which would end the run as failed: give a "
                   "--time-limit that is longer than --for, or a longer setting time_limit (`da-console settings`)"});
  }
  std::ostream& people = options.format == Format::kJson ? std::cerr : std::cout;
  if (options.detail != Detail::kQuiet) print_summary(run, people);
  ASSIGN_OR_REPORT(auto embedded, start_embedded(options));
  ASSIGN_OR_REPORT(const auto session, Session::open(embedded ? embedded->console_config() : options.config));
  ASSIGN_OR_REPORT(auto subscriber, session.subscribe(bus::Images::kWith));
  ASSIGN_OR_REPORT(const auto task, open_task(session, options, kProfilePlanner));
  StatusLine status;
  EventStream events(std::move(subscriber), profile_view(options));
  const auto started = start_profile(session, options, run, task);
  if (!started) {
    static_cast<void>(session.policy().close_task(task.task_token()));
    return report(started.error());
  }
  for (const std::string& warning : started->warnings()) std::cerr << escape_foreign(warning, 2000) << std::endl;
  if (const std::string wait = turn_text(*started); !wait.empty()) people << wait << std::endl;
  const TaskRun followed{session, task, embedded, events, status};
  return finish_task(followed, follow_task(followed, Terminal::kAsks), options, people);
}

}  // namespace da::console
