// One step of a task at a time, from the evidence that it is judged by until it has acted: so that each is judged with
// all that the task did before it, however many are submitted at once. While a step waits for a person, others may go
// on. Any thread.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <stop_token>
#include <string>
#include <utility>

#include "lib/base/result.h"

namespace da::policy {

class Turns {
 public:
  // Ends with its lifetime.
  class Turn {
   public:
    Turn(Turn&& other) noexcept : turns_(std::exchange(other.turns_, nullptr)), task_id_(std::move(other.task_id_)) {}
    Turn& operator=(Turn&&) = delete;
    ~Turn() {
      if (turns_ != nullptr) turns_->end(task_id_);
    }

   private:
    friend class Turns;
    Turn(Turns& turns, std::string task_id) : turns_(&turns), task_id_(std::move(task_id)) {}
    Turns* turns_;
    std::string task_id_;
  };

  // Waits until it is free. kResourceExhausted where too many wait already, kCancelled once stopped.
  Result<Turn> take(const std::string& task_id, const std::stop_token& stop);

 private:
  struct Queue {
    bool taken = false;
    std::uint32_t waiting = 0;
  };
  void end(const std::string& task_id);
  void drop_if_idle(const std::string& task_id);

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::map<std::string, Queue> tasks_;  // Those that a step holds or waits for.
};

}  // namespace da::policy
