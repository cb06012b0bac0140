#include "services/policy/task/tasks.h"

#include <sodium.h>

#include "lib/base/id.h"
#include "lib/contract/task_token.h"

namespace da::policy {
namespace {

constexpr std::size_t kSecretBytes = 32;

Error no_such_token() {
  return {Code::kUnauthenticated, "the task token belongs to no open task; open a task with OpenTask"};
}

Error too_many(std::size_t open) {
  return {Code::kResourceExhausted,
          std::to_string(open) + " tasks are open; one of them must end before another can be opened"};
}

}  // namespace

Result<Tasks::Opened> Tasks::open(TaskTerms terms) {
  terms.task_id = random_uuid();
  std::string token = contract::task_token(random_hex(kSecretBytes), terms.goal);
  Opened opened{std::make_shared<TaskRecord>(std::move(terms), clock_), std::move(token)};
  const std::string digest = contract::observation_digest(contract::observation_token(opened.token));
  const std::lock_guard hold(mutex_);
  if (entries_.size() >= kMost) return too_many(entries_.size());
  entries_.emplace(opened.task->terms.task_id, Entry{opened.task, opened.token, digest});
  return opened;
}

std::vector<Tasks::Task> Tasks::make_room() {
  std::vector<Task> closed;
  const std::lock_guard hold(mutex_);
  if (entries_.size() < kMost) return closed;
  for (auto entry = entries_.cbegin(); entry != entries_.cend();) {
    const auto next = std::next(entry);
    if (entry->second.task->steps.time_left(clock_.now()) <= Milliseconds(0)) closed.push_back(close(entry));
    entry = next;
  }
  return closed;
}

Tasks::Entries::const_iterator Tasks::entry_of(const std::string& token) const {
  auto found = entries_.end();
  for (auto entry = entries_.begin(); entry != entries_.end(); ++entry) {
    if (entry->second.token.size() != token.size()) continue;
    if (sodium_memcmp(entry->second.token.data(), token.data(), token.size()) == 0) found = entry;
  }
  return found;
}

Result<Tasks::Task> Tasks::find(const std::string& token) const {
  const std::lock_guard hold(mutex_);
  const auto entry = entry_of(token);
  if (entry == entries_.end()) return no_such_token();
  return entry->second.task;
}

Tasks::Task Tasks::close(Entries::const_iterator entry) {
  if (entry == entries_.end()) return nullptr;
  Task task = entry->second.task;
  task->steps.close();
  entries_.erase(entry);
  return task;
}

Result<Tasks::Task> Tasks::close(const std::string& token) {
  const std::lock_guard hold(mutex_);
  Task task = close(entry_of(token));
  if (task == nullptr) return no_such_token();
  return task;
}

Tasks::Task Tasks::close_by_id(const std::string& task_id) {
  const std::lock_guard hold(mutex_);
  return close(entries_.find(task_id));
}

std::vector<Tasks::Task> Tasks::all() const {
  const std::lock_guard hold(mutex_);
  std::vector<Task> all;
  for (const auto& [task_id, entry] : entries_) all.push_back(entry.task);
  return all;
}

v1::HeartbeatRequest Tasks::heartbeat() const {
  const std::lock_guard hold(mutex_);
  v1::HeartbeatRequest request;
  for (const auto& [task_id, entry] : entries_) {
    if (entry.task->steps.time_left(clock_.now()) <= Milliseconds(0)) continue;
    v1::OpenTask& task = *request.add_open_tasks();
    task.set_task_id(task_id);
    task.set_observation_digest(entry.observation_digest);
  }
  return request;
}

}  // namespace da::policy
