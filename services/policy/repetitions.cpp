#include "services/policy/repetitions.h"

#include <algorithm>

namespace da::policy {

std::map<std::string, std::uint32_t> Repetitions::earlier(const std::string& task_id, const Rules& rules) const {
  std::map<std::string, std::uint32_t> counts;
  if (!rules.count_repetitions()) return counts;
  const std::lock_guard hold(mutex_);
  const auto task = tasks_.find(task_id);
  if (task == tasks_.end()) return counts;
  for (const Rule& rule : rules.all()) {
    if (!rule.match.repetition) continue;
    const auto times = task->second.find(rule.name);
    if (times == task->second.end()) continue;
    const MonoTime since = clock_.now() - rule.match.repetition->within;
    counts[rule.name] =
        static_cast<std::uint32_t>(std::ranges::count_if(times->second, [&](MonoTime at) { return at > since; }));
  }
  return counts;
}

void Repetitions::add(const std::string& task_id, std::span<const std::string> rules) {
  if (rules.empty()) return;
  const std::lock_guard hold(mutex_);
  for (const std::string& rule : rules) {
    Times& times = tasks_[task_id][rule];
    times.push_back(clock_.now());
    if (times.size() > kMaxRepetition) times.pop_front();
  }
}

void Repetitions::forget(const std::string& task_id) {
  const std::lock_guard hold(mutex_);
  tasks_.erase(task_id);
}

}  // namespace da::policy
