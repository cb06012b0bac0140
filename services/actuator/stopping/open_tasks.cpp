#include "services/actuator/stopping/open_tasks.h"

#include <algorithm>

#include "lib/contract/task_token.h"

namespace da::actuator {
namespace {

// Three heartbeats of the policy.
constexpr Milliseconds kLongestTokenWait{1'500};
// After this long without a heartbeat, no task counts as open. Longer than the service::kLongestSilence, so that a
// briefly slow policy ends no task.
constexpr Milliseconds kTasksStayOpen{10'000};

}  // namespace

void OpenTasks::hear(const v1::HeartbeatRequest& heartbeat) {
  const std::lock_guard hold(mutex_);
  ids_.clear();
  for (const v1::OpenTask& task : heartbeat.open_tasks()) ids_.emplace(task.observation_digest(), task.task_id());
  last_heartbeat_ = clock_.now();
  heard_.notify_all();
}

bool OpenTasks::is_open(const std::string& task_id) const {
  const std::lock_guard hold(mutex_);
  return std::ranges::any_of(ids_, [&](const auto& entry) { return entry.second == task_id; });
}

std::optional<std::string> OpenTasks::task_of(const std::string& digest) const {
  const auto found = ids_.find(digest);
  if (found == ids_.end() || clock_.now() - last_heartbeat_ > kTasksStayOpen) return std::nullopt;
  return found->second;
}

Result<std::string> OpenTasks::answer(const std::optional<std::string>& task, const std::string& named) const {
  if (!task) return Error{Code::kUnauthenticated, "the observation token belongs to no open task"};
  if (!named.empty() && named != *task)
    return Error{Code::kPermissionDenied, "the observation token does not belong to the task that the request names"};
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
    heard_.wait_for(hold, kLongestTokenWait, [&] {
      task = task_of(digest);
      return task.has_value();
    });
  }
  return answer(task, named);
}

}  // namespace da::actuator
