// Lets one step of a task at a time run from its evidence to its act, so that each step is judged after all earlier
// ones, however many are submitted at once. While a step waits for a person, others may run. Any thread.
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

class TaskSerializer {
 public:
  // The right to run. The destructor returns it.
  class Turn {
   public:
    Turn(Turn&& other) noexcept
        : serializer_(std::exchange(other.serializer_, nullptr)), task_id_(std::move(other.task_id_)) {}
    Turn& operator=(Turn&&) = delete;
    ~Turn() {
      if (serializer_ != nullptr) serializer_->end(task_id_);
    }

   private:
    friend class TaskSerializer;
    Turn(TaskSerializer& serializer, std::string task_id) : serializer_(&serializer), task_id_(std::move(task_id)) {}
    TaskSerializer* serializer_;
    std::string task_id_;
  };

  // Waits for the turn. kResourceExhausted if 16 steps already wait, kCancelled if stopped.
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
  std::map<std::string, Queue> tasks_;  // Only tasks with a running or waiting step.
};

}  // namespace da::policy
