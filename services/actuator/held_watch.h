// Has the executor look, several times a second, after what is held and after the policy's signs of life: also when
// nobody calls any more, something must notice. Owns the thread "held-watch". The executor must outlive it.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "services/actuator/executor.h"

namespace da::actuator {

class HeldWatch {
 public:
  explicit HeldWatch(Executor& executor);
  ~HeldWatch();
  HeldWatch(const HeldWatch&) = delete;
  HeldWatch& operator=(const HeldWatch&) = delete;

 private:
  void run();

  Executor& executor_;
  std::mutex mutex_;
  std::condition_variable stopped_;
  bool stop_ = false;
  std::thread thread_;
};

}  // namespace da::actuator
