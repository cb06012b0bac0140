#include "services/policy/task/tasks.h"

#include <sodium.h>

#include <algorithm>

#include "lib/base/id.h"
#include "lib/base/text.h"
#include "lib/contract/observation_token.h"

namespace da::policy {
namespace {

constexpr std::size_t kTokenBytes = 32;

Error no_such_token() {
  return {Code::kUnauthenticated, "the task token belongs to no open task; open a task with OpenTask"};
}

Error task_closed() { return {Code::kFailedPrecondition, "the task has been closed"}; }

}  // namespace

Tasks::Opened Tasks::open(Task task, const Limits& limits, MonoTime now) {
  task.task_id = random_uuid();
  Opened opened{std::move(task), random_hex(kTokenBytes)};
  const std::string digest = contract::observation_digest(contract::observation_token(opened.token));
  const std::lock_guard hold(mutex_);
  entries_.emplace(opened.task.task_id, Entry{opened.task, opened.token, digest, TaskUse(limits, now), {}});
  return opened;
}

std::map<std::string, Tasks::Entry>::const_iterator Tasks::entry_of(const std::string& token) const {
  auto found = entries_.end();
  if (token.size() != kTokenBytes * 2) return found;
  for (auto entry = entries_.begin(); entry != entries_.end(); ++entry) {
    if (sodium_memcmp(entry->second.token.data(), token.data(), token.size()) == 0) found = entry;
  }
  return found;
}

Result<Task> Tasks::find(const std::string& token) const {
  const std::lock_guard hold(mutex_);
  const auto entry = entry_of(token);
  if (entry == entries_.end()) return no_such_token();
  return entry->second.task;
}

Result<Task> Tasks::close(const std::string& token) {
  const std::lock_guard hold(mutex_);
  const auto entry = entry_of(token);
  if (entry == entries_.end()) return no_such_token();
  Task task = entry->second.task;
  entries_.erase(entry);
  return task;
}

bool Tasks::close_by_id(const std::string& task_id) {
  const std::lock_guard hold(mutex_);
  return entries_.erase(task_id) > 0;
}

Result<TaskUse::Admission> Tasks::count_submission(const std::string& task_id, MonoTime now) {
  const std::lock_guard hold(mutex_);
  const auto entry = entries_.find(task_id);
  if (entry == entries_.end()) return task_closed();
  return entry->second.use.submit(now);
}

Milliseconds Tasks::time_left(const std::string& task_id, MonoTime now) const {
  const std::lock_guard hold(mutex_);
  const auto entry = entries_.find(task_id);
  return entry == entries_.end() ? Milliseconds(0) : std::max(Milliseconds(0), entry->second.use.time_left(now));
}

v1::HeartbeatRequest Tasks::heartbeat(MonoTime now) const {
  const std::lock_guard hold(mutex_);
  v1::HeartbeatRequest request;
  for (const auto& [task_id, entry] : entries_) {
    if (entry.use.time_left(now) <= Milliseconds(0)) continue;
    v1::OpenTask& task = *request.add_open_tasks();
    task.set_task_id(task_id);
    task.set_observation_digest(entry.observation_digest);
  }
  return request;
}

std::size_t Tasks::count() const {
  const std::lock_guard hold(mutex_);
  return entries_.size();
}

Result<std::optional<v1::Outcome>> Tasks::recorded(const Entry& entry, const std::string& step_id,
                                                   const std::string& action_digest) {
  const auto granted = entry.granted.find(step_id);
  if (granted == entry.granted.end()) return std::optional<v1::Outcome>();
  const std::string shown = "step \"" + escape_foreign(step_id, 60) + "\"";
  if (granted->second.action_digest != action_digest) {
    return Error{Code::kFailedPrecondition, shown + " was granted for another action; each step needs its own id"};
  }
  if (!granted->second.outcome) return Error{Code::kAborted, shown + " is already being carried out"};
  return granted->second.outcome;
}

Result<std::optional<v1::Outcome>> Tasks::recall(const std::string& task_id, const std::string& step_id,
                                                 const std::string& action_digest) const {
  const std::lock_guard hold(mutex_);
  const auto entry = entries_.find(task_id);
  if (entry == entries_.end()) return task_closed();
  return recorded(entry->second, step_id, action_digest);
}

Result<std::optional<v1::Outcome>> Tasks::claim(const std::string& task_id, const v1::Step& step,
                                                const std::string& action_digest, MonoTime now) {
  const std::lock_guard hold(mutex_);
  const auto entry = entries_.find(task_id);
  if (entry == entries_.end()) return task_closed();
  ASSIGN_OR_RETURN(auto outcome, recorded(entry->second, step.step_id(), action_digest));
  if (outcome) return outcome;
  RETURN_IF_ERROR(entry->second.use.act(step.action(), now));
  entry->second.granted[step.step_id()] = Granted{action_digest, std::nullopt};
  return outcome;
}

void Tasks::settle(const std::string& task_id, const std::string& step_id, const v1::Outcome& outcome) {
  const std::lock_guard hold(mutex_);
  const auto entry = entries_.find(task_id);
  if (entry == entries_.end()) return;
  if (outcome.kind() == v1::Outcome::KIND_REFUSED) {
    entry->second.granted.erase(step_id);
  } else {
    entry->second.granted[step_id].outcome = outcome;
  }
}

}  // namespace da::policy
