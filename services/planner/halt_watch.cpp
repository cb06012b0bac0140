#include "services/planner/halt_watch.h"

namespace da::planner {
namespace {

constexpr Milliseconds kAskFor{5'000};
// A policy that cannot be reached is the task's to notice; the watch only goes on trying.
constexpr Milliseconds kTryAgainAfter{500};

}  // namespace

HaltWatch::HaltWatch(Policy& policy, const Clock& clock, std::string task_token, TaskCancel& task)
    : policy_(policy), clock_(clock), task_token_(std::move(task_token)), task_(task), thread_([this] { watch(); }) {}

HaltWatch::~HaltWatch() {
  end_.cancel("the task ended");
  thread_.join();
}

void HaltWatch::watch() {
  while (!end_.cancelled()) {
    const auto reply = policy_.await_halt(task_token_, kAskFor, end_.looks());
    if (reply && reply->halted()) return task_.halt(reply->reason());
    if (!reply) end_.pause_until(clock_, clock_.now() + kTryAgainAfter);
  }
}

}  // namespace da::planner
