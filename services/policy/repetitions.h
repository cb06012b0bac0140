// How often steps of each task met the other conditions of a rule that states a repetition ("5 in 10s"). Refused steps
// count as well: whoever tries again and again is what such a rule is for. Any thread.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <span>
#include <string>

#include "lib/base/clock.h"
#include "services/policy/rules.h"

namespace da::policy {

class Repetitions {
 public:
  explicit Repetitions(const Clock& clock) : clock_(clock) {}

  // By rule, for those rules that state a repetition.
  std::map<std::string, std::uint32_t> earlier(const std::string& task_id, const Rules& rules) const;
  // One more step met them: rules by name.
  void add(const std::string& task_id, std::span<const std::string> rules);
  void forget(const std::string& task_id);

 private:
  using Times = std::deque<MonoTime>;

  const Clock& clock_;
  mutable std::mutex mutex_;
  std::map<std::string, std::map<std::string, Times>> tasks_;  // By task, by rule; the newest last.
};

}  // namespace da::policy
