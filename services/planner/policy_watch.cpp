#include "services/planner/policy_watch.h"

#include "services/planner/pause_text.h"

namespace da::planner {
namespace {

// How late a pause may be noticed by a task that only waits; a step that is submitted is told at once.
constexpr Milliseconds kAskFor{300};
// A policy that cannot be reached is the task's to notice; the watch only goes on trying.
constexpr Milliseconds kTryAgainAfter{500};

}  // namespace

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
      const auto paused = policy_.await_resume(task_token_, Milliseconds(0), end_.looks());
      if (paused && paused->has_pause()) task_.hold(in_words(paused->pause()));
    }
    const auto reply = policy_.await_halt(task_token_, kAskFor, end_.looks());
    if (reply && reply->halted()) return task_.halt(reply->reason());
    if (!reply) end_.pause_until(clock_, clock_.now() + kTryAgainAfter);
  }
}

}  // namespace da::planner
