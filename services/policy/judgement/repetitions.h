// Counts how often the steps of each task met the other conditions of a rule with a repetition ("5 in 10s"). Refused
// steps count too, because such a rule is for repeated tries. Any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <span>
#include <string>

#include "lib/base/clock.h"
#include "services/policy/judgement/rules.h"

namespace da::policy {

class Repetitions {
 public:
  // Identifies one submission. A step id does not, because a refused step may be submitted again.
  using Number = std::uint64_t;

  explicit Repetitions(const Clock& clock) : clock_(clock) {}

  Number number_step() { return ++last_number_; }
  // The number of earlier steps, by rule.
  std::map<std::string, std::uint32_t> earlier(const std::string& task_id, Number step, const Rules& rules) const;
  // Counts the step for these rules (names), once however often it is judged.
  void add(const std::string& task_id, Number step, std::span<const std::string> rules);
  void forget(const std::string& task_id);

 private:
  struct Entry {
    MonoTime at;
    Number step = 0;
  };
  using Entries = std::deque<Entry>;

  const Clock& clock_;
  std::atomic<Number> last_number_ = 0;
  mutable std::mutex mutex_;
  std::map<std::string, std::map<std::string, Entries>> tasks_;  // By task, then by rule; the newest entry last.
};

}  // namespace da::policy
