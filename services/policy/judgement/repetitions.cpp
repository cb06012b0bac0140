#include "services/policy/judgement/repetitions.h"

#include <algorithm>

namespace da::policy {

std::map<std::string, std::uint32_t> Repetitions::earlier(const std::string& task_id, Number step,
                                                          const Rules& rules) const {
  std::map<std::string, std::uint32_t> counts;
  if (!rules.count_repetitions()) return counts;
  const std::lock_guard hold(mutex_);
  const auto task = tasks_.find(task_id);
  if (task == tasks_.end()) return counts;
  for (const Rule& rule : rules.all()) {
    if (!rule.match.repetition) continue;
    const auto entries = task->second.find(rule.name);
    if (entries == task->second.end()) continue;
    const MonoTime since = clock_.now() - rule.match.repetition->within;
    counts[rule.name] = static_cast<std::uint32_t>(std::ranges::count_if(
        entries->second, [&](const Entry& entry) { return entry.at > since && entry.step != step; }));
  }
  return counts;
}

void Repetitions::add(const std::string& task_id, Number step, std::span<const std::string> rules) {
  if (rules.empty()) return;
  const std::lock_guard hold(mutex_);
  for (const std::string& rule : rules) {
    Entries& entries = tasks_[task_id][rule];
    if (std::ranges::find(entries, step, &Entry::step) != entries.end()) continue;
    entries.push_back({clock_.now(), step});
    if (entries.size() > kMaxRepetition) entries.pop_front();
  }
}

void Repetitions::forget(const std::string& task_id) {
  const std::lock_guard hold(mutex_);
  tasks_.erase(task_id);
}

}  // namespace da::policy
