#include "services/actuator/open_tasks.h"

#include "lib/contract/observation_token.h"

namespace da::actuator {
namespace {

// Three of the policy's heartbeats.
constexpr Milliseconds kLongestWait{1'500};
// Without a heartbeat for this long, no task counts as open. Longer than what the executor waits for before it stops
// acting, so that a policy that was slow for a moment ends no task.
constexpr Milliseconds kLongestSilence{10'000};

}  // namespace

void OpenTasks::hear(const v1::HeartbeatRequest& heartbeat) {
  const std::lock_guard hold(mutex_);
  ids_.clear();
  for (const v1::OpenTask& task : heartbeat.open_tasks()) ids_.emplace(task.observation_digest(), task.task_id());
  last_heartbeat_ = clock_.now();
  heard_.notify_all();
}

std::optional<std::string> OpenTasks::task_of(const std::string& digest) const {
  const auto found = ids_.find(digest);
  if (found == ids_.end() || clock_.now() - last_heartbeat_ > kLongestSilence) return std::nullopt;
  return found->second;
}

Result<std::string> OpenTasks::answer(const std::optional<std::string>& task, const std::string& named) const {
  if (!task) {
    return Error{Code::kUnauthenticated,
                 "the desktop is shown for open tasks alone, and the observation token belongs to none"};
  }
  if (!named.empty() && named != *task)
    return Error{Code::kPermissionDenied, "the observation token belongs to another task than the one that is named"};
  return *task;
}

Result<std::string> OpenTasks::find(const std::string& observation_token, const std::string& named) const {
  const std::lock_guard hold(mutex_);
  return answer(task_of(contract::observation_digest(observation_token)), named);
}

Result<std::string> OpenTasks::await(const std::string& observation_token, const std::string& named) const {
  const std::string digest = contract::observation_digest(observation_token);
  std::unique_lock hold(mutex_);
  std::optional<std::string> task;
  if (!observation_token.empty()) {
    heard_.wait_for(hold, kLongestWait, [&] {
      task = task_of(digest);
      return task.has_value();
    });
  }
  return answer(task, named);
}

}  // namespace da::actuator
