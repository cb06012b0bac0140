// How often steps of each task met the other conditions of a rule that states a repetition ("5 in 10s"). Refused steps
// count as well: whoever tries again and again is what such a rule is for. Any thread.
#pragma once

#include <atomic>
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
  // Tells submitted steps apart; their ids do not, for the id of a refused step may come again.
  using Number = std::uint64_t;

  explicit Repetitions(const Clock& clock) : clock_(clock) {}

  Number number_step() { return ++last_number_; }
  // How many steps before this one met them: by rule, for those rules that state a repetition.
  std::map<std::string, std::uint32_t> earlier(const std::string& task_id, Number step, const Rules& rules) const;
  // This step met them: rules by name. However often it is judged, it counts once.
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
  std::map<std::string, std::map<std::string, Entries>> tasks_;  // By task, by rule; the newest last.
};

}  // namespace da::policy
