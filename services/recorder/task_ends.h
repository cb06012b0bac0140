// Decides when a task's recording is complete: the policy has closed the task, and the planner, if it accepted the
// task, has told its end. A planner that does not is waited for kPatience. A task that the policy does not know for as
// long, because it was started again, is over too. Not thread-safe.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "lib/base/clock.h"
#include "lib/recording/recorded_fact.h"

namespace da::recorder {

// All facts of the task have been passed on.
struct TaskOver {
  std::string task_id;
  std::string cut = {};  // Why the recording ends although the task was not closed; empty if it was.
};

class TaskEnds {
 public:
  static constexpr Milliseconds kPatience{3'000};
  static constexpr std::size_t kMostTasks = 10'000;  // Later ones are not recorded.

  void note(const recording::RecordedFact& fact, MonoTime now);
  // The tasks that the policy has open now.
  void note_open(const std::set<std::string>& task_ids, MonoTime now);
  // The tasks that are over; each is returned once.
  std::vector<TaskOver> take_over(MonoTime now);

 private:
  struct Task {
    bool accepted = false;  // The planner has accepted the task.
    bool ended = false;     // The planner has told the task's end.
    std::optional<MonoTime> closed;
    std::optional<MonoTime> unknown;  // Time since which the policy does not know it.
  };
  std::map<std::string, Task> tasks_;
};

}  // namespace da::recorder
