// Reacts to a person who uses the desktop's own mouse or keyboard.
//
// The kill switch stops all input, releases held keys and buttons, and ends the process with code 1. First it latches a
// halt, so that the next start does not continue, and lets the answer of the step under way and the last facts leave,
// but waits at most kLastWords for that. Any other key and the mouse pause the executor while it acts and for a while
// after.
//
// Called by the desktop's input watch, so that no other call can delay it. Owns the threads that latch the halt and end
// the process. Executor, desktop and bus must outlive it.
#pragma once

#include <functional>
#include <future>
#include <mutex>
#include <thread>

#include "lib/bus/publisher.h"
#include "services/actuator/executor.h"

namespace da::actuator {

class UserActivityMonitor {
 public:
  // `end` ends the process and does not return.
  UserActivityMonitor(Desktop& desktop, Executor& executor, bus::Publisher& bus, std::function<void()> end);
  ~UserActivityMonitor();
  UserActivityMonitor(const UserActivityMonitor&) = delete;
  UserActivityMonitor& operator=(const UserActivityMonitor&) = delete;

 private:
  void noticed(PersonInput input);
  void kill_switch();

  Desktop& desktop_;
  Executor& executor_;
  bus::Publisher& bus_;
  const std::function<void()> end_;
  std::once_flag pressed_;
  std::promise<void> said_;
  std::thread last_words_;
  std::thread end_thread_;
};

}  // namespace da::actuator
