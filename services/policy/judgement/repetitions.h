// Counts how often the steps of one task met the other conditions of a rule with a repetition ("5 in 10s"). Refused
// steps count too, because such a rule is for repeated tries. Any thread.
#pragma once

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

  Number number_step();
  // The number of earlier steps, by rule.
  std::map<std::string, std::uint32_t> earlier(Number step, const Rules& rules) const;
  // Counts the step for these rules (names), once however often it is judged.
  void add(Number step, std::span<const std::string> rules);

 private:
  struct Entry {
    MonoTime at;
    Number step = 0;
  };

  const Clock& clock_;
  mutable std::mutex mutex_;
  Number last_number_ = 0;
  std::map<std::string, std::deque<Entry>> entries_;  // Keyed by rule; the newest entry is last.
};

}  // namespace da::policy
