// Makes the executor check held input and the policy's heartbeats several times a second, so that both time out even
// when no call comes. Owns the thread "held-input". The executor must outlive it.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "services/actuator/executor.h"

namespace da::actuator {

class HeldInputWatchdog {
 public:
  explicit HeldInputWatchdog(Executor& executor);
  ~HeldInputWatchdog();
  HeldInputWatchdog(const HeldInputWatchdog&) = delete;
  HeldInputWatchdog& operator=(const HeldInputWatchdog&) = delete;

 private:
  void run();

  Executor& executor_;
  std::mutex mutex_;
  std::condition_variable stopped_;
  bool stop_ = false;
  std::thread thread_;
};

}  // namespace da::actuator
