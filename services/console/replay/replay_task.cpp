#include "services/console/replay/replay_task.h"

#include <poll.h>
#include <sys/signalfd.h>

#include "lib/base/id.h"
#include "lib/base/text.h"
#include "lib/os/files/files.h"
#include "lib/os/unique_fd.h"
#include "services/console/commands/commands.h"
#include "services/console/replay/replay_desktop.h"
#include "services/console/replay/saved_calls.h"
#include "services/console/replay/stand_in/recorded_people.h"
#include "services/console/replay/stand_in/stand_ins.h"
#include "services/console/session/embedded_services.h"
#include "services/console/session/session.h"

namespace da::console {
namespace {

constexpr int kTurnMs = 20;
constexpr Milliseconds kSubscribeTimeout{5'000};
// The facts of a task that has ended.
constexpr Milliseconds kLastFacts{500};
// The replay's own pace does not count.
constexpr std::uint32_t kStepsPerSecond = 1'000;
constexpr const char* kPlain = "plain";
constexpr const char* kRecorded = "recorded";

// The rule file and the model's calls of the recording, in a private directory that the destructor deletes.
class Files {
 public:
  ~Files() {
    std::error_code ignored;
    std::filesystem::remove_all(directory_, ignored);
  }
  Result<void> write(const RecordedTask& task) const {
    RETURN_IF_ERROR(os::make_private_directory(directory_.parent_path()));
    RETURN_IF_ERROR(os::make_private_directory(directory_));
    RETURN_IF_ERROR(os::write_private_file(rules(), task.rules_toml()));
    ASSIGN_OR_RETURN(const std::string calls, da::console::saved_calls(task.model_calls()));
    return os::write_private_file(saved_calls(), calls);
  }
  std::filesystem::path rules() const { return directory_ / "rules.toml"; }
  std::filesystem::path saved_calls() const { return directory_ / "calls.jsonl"; }

 private:
  const std::filesystem::path directory_ = os::runtime_directory() / ("replay-" + random_hex(6));
};

// Who approved with a code in the recording.
std::set<std::string> people_with_codes(const RecordedTask& task) {
  std::set<std::string> people;
  for (const RecordedQuestion& question : task.questions()) {
    if (!question.decided || !question.asked.second_factor()) continue;
    for (std::string& name : approvers_in(question.decided->approver())) people.insert(std::move(name));
  }
  if (people.empty() && task.opened().state().second_factor_enrolled()) people.insert("enrolled");
  return people;
}

v1::OpenTaskRequest open_request(const RecordedTask& task) {
  v1::OpenTaskRequest request = task.opened().request();
  if (request.limits().steps_per_second() == 0) request.mutable_limits()->set_steps_per_second(kStepsPerSecond);
  return request;
}

v1::StartTaskRequest start_request(const RecordedTask& task, const v1::OpenTaskReply& opened) {
  v1::StartTaskRequest request = task.accepted();
  request.set_task_id(opened.task_id());
  request.set_task_token(opened.task_token());
  request.set_goal(task.opened().request().goal());
  request.set_planner(task.model_calls().empty() && request.planner() == kPlain ? kPlain : kRecorded);
  request.clear_model();
  return request;
}

// One replay, from its services to its last fact.
class Run {
 public:
  Run(const RecordedTask& task, const ReplayOptions& options)
      : task_(task),
        options_(options),
        wall_offset_(std::chrono::duration_cast<Milliseconds>(task.began() - system_clock().wall_now())),
        codes_(wall_offset_),
        pace_(task.began()) {}
  // Else the stand-ins would answer their last calls at their recorded times, however late.
  ~Run() { pace_.end(); }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  Result<StepTrace> run() {
    if (task_.accepted().planner() == kCommandsPlanner) {
      return Error{Code::kFailedPrecondition,
                   "a script sent the steps of this task, so no planner can decide them again; `replay` without --as "
                   "shows them, and --policy judges them again"};
    }
    if (task_.accepted().planner() == kProfilePlanner) {
      return Error{Code::kFailedPrecondition,
                   "a recording of a profile has neither the pictures of its templates nor all frames, so its rules "
                   "cannot decide again; `replay` without --as shows it, and --policy judges its steps again"};
    }
    RETURN_IF_ERROR(files_.write(task_));
    ASSIGN_OR_RETURN(auto services, EmbeddedServices::start(embedded_options()));
    ASSIGN_OR_RETURN(const auto session, Session::open(services.console_config()));
    ASSIGN_OR_RETURN(auto source, session.connect_bus(bus::all_topics(bus::Images::kWithout)));
    facts_ = std::make_unique<bus::Subscriber>(std::move(source));
    RETURN_IF_ERROR(facts_->wait_in_force(system_clock().now() + kSubscribeTimeout));
    if (task_.opened().state().write_lock_open() && !task_.opened().request().unlock_writes()) {
      RETURN_IF_ERROR(session.policy().unlock({}));
    }
    pace_.begin();
    ASSIGN_OR_RETURN(const auto opened, session.policy().open_task(open_request(task_)));
    task_id_ = opened.task_id();
    RETURN_IF_ERROR(session.planner().start(start_request(task_, opened)));
    RETURN_IF_ERROR(follow(session));
    return std::move(trace_);
  }

 private:
  EmbeddedOptions embedded_options() {
    EmbeddedOptions options{.backend = "fake", .logs = {.level = options_.log_level}};
    options.rules = options_.rules.empty() ? files_.rules().string() : options_.rules;
    options.planner = {{"saved_calls", quote_toml(std::filesystem::absolute(files_.saved_calls()).string())}};
    options.only = {{"policy", "planner"}};
    options.recorded = false;
    options.replay = EmbeddedReplay{
        .desktop = replay_desktop(task_.recording()),
        .wall_offset = wall_offset_,
        .stand_in = [this](const std::filesystem::path& run, const HandedOver& handed_over) -> Result<void> {
          RETURN_IF_ERROR(codes_.enroll(run / "state" / "second-factor", people_with_codes(task_)));
          ASSIGN_OR_RETURN(stand_ins_, start_observer_and_actuator(run, handed_over, task_, pace_));
          return ok();
        }};
    return options;
  }

  Result<void> follow(const Session& session) {
    const sigset_t signals = stop_signals();
    const os::UniqueFd signal_fd(::signalfd(-1, &signals, SFD_CLOEXEC));
    RecordedPeople people(task_, codes_, session.policy(), session.planner());
    while (true) {
      pollfd polled{signal_fd.get(), POLLIN, 0};
      if (::poll(&polled, 1, 0) > 0) return Error{Code::kCancelled, "the replay was interrupted"};
      RETURN_IF_ERROR(read_facts(system_clock().now() + Milliseconds(kTurnMs)));
      people.answer();
      const auto ended = session.planner().await(task_id_, Milliseconds(0));
      if (!ended) return ended.error();
      if (ended->ended()) return read_facts(system_clock().now() + kLastFacts);
    }
  }

  // Until then, or until all facts of the task have come.
  Result<void> read_facts(MonoTime deadline) {
    while (true) {
      ASSIGN_OR_RETURN(const auto fact, facts_->next(deadline));
      if (!fact) return ok();
      if (fact->header.task_id() != task_id_) continue;
      trace_.add(*fact);
      closed_ = closed_ || fact->as<v1::TaskClosed>() != nullptr;
      // Each publisher has a connection of its own: those of the others may come a little later.
      if (closed_ && trace_.result()) deadline = std::min(deadline, system_clock().now() + Milliseconds(kTurnMs));
    }
  }

  const RecordedTask& task_;
  const ReplayOptions& options_;
  const Milliseconds wall_offset_;
  ThrowawayCodes codes_;
  ReplayPace pace_;
  Files files_;
  std::unique_ptr<StandIns> stand_ins_;
  std::unique_ptr<bus::Subscriber> facts_;
  std::string task_id_;
  StepTrace trace_;
  bool closed_ = false;  // The policy has closed the task.
};

}  // namespace

Result<StepTrace> replay(const RecordedTask& task, const ReplayOptions& options) { return Run(task, options).run(); }

}  // namespace da::console
