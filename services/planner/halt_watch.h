// Learns from the policy that it was halted, and stops the task, also while the task only waits or looks. A thread of
// its own asks, in long calls, for as long as the object lives. The owner's thread makes and ends it.
#pragma once

#include <string>
#include <thread>

#include "services/planner/roles.h"
#include "services/planner/task_cancel.h"

namespace da::planner {

class HaltWatch {
 public:
  HaltWatch(Policy& policy, const Clock& clock, std::string task_token, TaskCancel& task);
  ~HaltWatch();

 private:
  void watch();

  Policy& policy_;
  const Clock& clock_;
  const std::string task_token_;
  TaskCancel& task_;
  TaskCancel end_;  // Ends the watch itself.
  std::thread thread_;
};

}  // namespace da::planner
