// Polls the policy for a halt or a pause, and stops or holds the task, even while the task only waits or observes.
// Owns a thread for its lifetime: it awaits a halt in short calls and checks for a pause between them. Construct and
// destroy on the owner's thread.
#pragma once

#include <string>
#include <thread>

#include "services/planner/roles.h"
#include "services/planner/task/task_cancel.h"

namespace da::planner {

// For people, escaped: "a person uses the desktop (the mouse was moved)".
std::string in_words(const v1::Pause& pause);

// A dry run continues during a pause.
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
  TaskCancel end_;  // Ends the watch's own calls.
  std::thread thread_;
};

}  // namespace da::planner
