#include "services/policy/grant/running_steps.h"

#include <vector>

namespace da::policy {

RunningSteps::Scope::Scope(RunningSteps& steps, std::stop_token caller)
    : steps_(steps),
      place_([&] {
        const std::lock_guard hold(steps.mutex_);
        return steps.sources_.emplace(steps.sources_.end());
      }()),
      with_caller_(std::move(caller), Stop{*place_}) {}

RunningSteps::Scope::~Scope() {
  const std::lock_guard hold(steps_.mutex_);
  steps_.sources_.erase(place_);
  steps_.ended_.notify_all();
}

bool RunningSteps::wait_until_none(Milliseconds at_most) {
  std::unique_lock hold(mutex_);
  return ended_.wait_for(hold, at_most, [this] { return sources_.empty(); });
}

void RunningSteps::stop_all() {
  std::vector<std::stop_source> sources;
  {
    const std::lock_guard hold(mutex_);
    sources.assign(sources_.begin(), sources_.end());
  }
  // The lock is not held, because a woken call may end its scope at once.
  for (std::stop_source& source : sources) source.request_stop();
}

}  // namespace da::policy
