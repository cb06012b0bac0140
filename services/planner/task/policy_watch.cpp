#include "services/planner/task/policy_watch.h"

#include "lib/base/text.h"
#include "lib/service/stopping/stop_machine.h"

namespace da::planner {
namespace {

// The longest time until a waiting task notices a pause; a submitted step gets the pause as its answer, at once.
constexpr Milliseconds kAskFor{300};
// Pause after a failed call. The watch only retries: the task itself notices that the policy is lost.
constexpr Milliseconds kTryAgainAfter{500};

std::string cause_of(const v1::Pause& pause) {
  if (const auto obstacle = service::session_obstacle(pause.cause()); !obstacle.empty()) return std::string(obstacle);
  switch (pause.cause()) {
    case v1::Pause::CAUSE_PERSON: return "a person uses the desktop";
    case v1::Pause::CAUSE_POLICY_SILENT: return "the actuator gets no heartbeats from the policy";
    default: return "paused at a console";
  }
}

}  // namespace

std::string in_words(const v1::Pause& pause) {
  return pause.reason().empty() ? cause_of(pause) : cause_of(pause) + " (" + escape_foreign(pause.reason(), 300) + ")";
}

PolicyWatch::PolicyWatch(Policy& policy, const Clock& clock, std::string task_token, TaskCancel& task, Heed heed)
    : policy_(policy), clock_(clock), task_token_(std::move(task_token)), task_(task), heed_(heed), thread_([this] {
        watch();
      }) {}

PolicyWatch::~PolicyWatch() {
  end_.cancel("the task ended");
  thread_.join();
}

void PolicyWatch::watch() {
  while (!end_.cancelled()) {
    if (heed_ == Heed::kHaltsAndPauses) {
      const auto paused = policy_.await_resume(task_token_, Milliseconds(0), end_.work());
      if (paused && paused->has_pause()) task_.hold(in_words(paused->pause()));
    }
    const auto reply = policy_.await_halt(task_token_, kAskFor, end_.work());
    if (reply && reply->halted()) return task_.halt(reply->reason());
    if (!reply) end_.pause_until(clock_, clock_.now() + kTryAgainAfter);
  }
}

}  // namespace da::planner
