// What happens when a person uses the desktop's own mouse or keyboard.
//
// The kill switch: no more input, what is held is released, and the process ends with code 1. It latches a halt first,
// as far as that takes no longer than kLastWords: who presses it does not want the next start to go on. Any other key
// and the mouse pause the executor while it acts, and for a while after.
//
// Told by the desktop's watch, so whatever call hangs elsewhere. Owns the threads of the last words and of the end.
// Executor and desktop must outlive it.
#pragma once

#include <functional>
#include <future>
#include <mutex>
#include <thread>

#include "services/actuator/executor.h"

namespace da::actuator {

class PersonAtDesk {
 public:
  // `end` ends the process; it does not return.
  PersonAtDesk(Desktop& desktop, Executor& executor, std::function<void()> end);
  ~PersonAtDesk();
  PersonAtDesk(const PersonAtDesk&) = delete;
  PersonAtDesk& operator=(const PersonAtDesk&) = delete;

 private:
  void noticed(PersonInput input);
  void kill_switch();

  Desktop& desktop_;
  Executor& executor_;
  const std::function<void()> end_;
  std::once_flag pressed_;
  std::promise<void> said_;
  std::thread last_words_;
  std::thread end_thread_;
};

}  // namespace da::actuator
