// Decides when a task's recording is complete: the policy has closed the task, and the planner, if it accepted the task,
// has told its end. A planner that does not is waited for kPatience. Not thread-safe.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lib/base/clock.h"
#include "lib/recording/recorded_fact.h"

namespace da::recorder {

class TaskEnds {
 public:
  static constexpr Milliseconds kPatience{3'000};

  void note(const recording::RecordedFact& fact, MonoTime now);
  // The tasks that are over; each is returned once.
  std::vector<std::string> take_over(MonoTime now);
  bool is_known(const std::string& task_id) const { return tasks_.contains(task_id); }

 private:
  struct Task {
    bool accepted = false;  // By the planner.
    bool ended = false;     // By the planner.
    std::optional<MonoTime> closed;
  };
  std::map<std::string, Task> tasks_;
};

}  // namespace da::recorder
