// Learns from the policy that it was halted or paused, and stops or holds the task, also while the task only waits or
// looks. A thread of its own asks for as long as the object lives: of halts in long calls, between which it looks
// whether there is a pause. The owner's thread makes and ends it.
#pragma once

#include <string>
#include <thread>

#include "services/planner/roles.h"
#include "services/planner/task_cancel.h"

namespace da::planner {

// A task that only judges goes on during a pause.
enum class Heed { kHalts, kHaltsAndPauses };

class PolicyWatch {
 public:
  PolicyWatch(Policy& policy, const Clock& clock, std::string task_token, TaskCancel& task, Heed heed);
  ~PolicyWatch();

 private:
  void watch();

  Policy& policy_;
  const Clock& clock_;
  const std::string task_token_;
  TaskCancel& task_;
  const Heed heed_;
  TaskCancel end_;  // Ends the watch itself.
  std::thread thread_;
};

}  // namespace da::planner
