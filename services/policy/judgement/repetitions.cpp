#include "services/policy/judgement/repetitions.h"

#include <algorithm>

namespace da::policy {

Repetitions::Number Repetitions::number_step() {
  const std::lock_guard hold(mutex_);
  return ++last_number_;
}

std::map<std::string, std::uint32_t> Repetitions::earlier(Number step, const Rules& rules) const {
  std::map<std::string, std::uint32_t> counts;
  if (!rules.count_repetitions()) return counts;
  const std::lock_guard hold(mutex_);
  for (const Rule& rule : rules.all()) {
    if (!rule.match.repetition) continue;
    const auto entries = entries_.find(rule.name);
    if (entries == entries_.end()) continue;
    const MonoTime since = clock_.now() - rule.match.repetition->within;
    counts[rule.name] = static_cast<std::uint32_t>(std::ranges::count_if(
        entries->second, [&](const Entry& entry) { return entry.at > since && entry.step != step; }));
  }
  return counts;
}

void Repetitions::add(Number step, std::span<const std::string> rules) {
  const std::lock_guard hold(mutex_);
  for (const std::string& rule : rules) {
    auto& entries = entries_[rule];
    if (std::ranges::find(entries, step, &Entry::step) != entries.end()) continue;
    entries.push_back({clock_.now(), step});
    if (entries.size() > kMaxRepetition) entries.pop_front();
  }
}

}  // namespace da::policy
