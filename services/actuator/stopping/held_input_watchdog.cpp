#include "services/actuator/stopping/held_input_watchdog.h"

#include <pthread.h>

namespace da::actuator {
namespace {

constexpr Milliseconds kCheckInterval{100};

}  // namespace

HeldInputWatchdog::HeldInputWatchdog(Executor& executor) : executor_(executor), thread_([this] { run(); }) {}

HeldInputWatchdog::~HeldInputWatchdog() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  stopped_.notify_all();
  thread_.join();
}

void HeldInputWatchdog::run() {
  pthread_setname_np(pthread_self(), "held-input");
  std::unique_lock lock(mutex_);
  while (!stopped_.wait_for(lock, kCheckInterval, [this] { return stop_; })) executor_.check_held_input();
}

}  // namespace da::actuator
