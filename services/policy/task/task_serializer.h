// Lets one step of a task at a time run from its evidence to its act, so that each step is judged after all earlier
// ones, however many are submitted at once. While a step waits for a person, others may run. Any thread.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <stop_token>
#include <utility>

#include "lib/base/result.h"

namespace da::policy {

class TaskSerializer {
 public:
  // The right to run. The destructor returns it.
  class Turn {
   public:
    Turn(Turn&& other) noexcept : serializer_(std::exchange(other.serializer_, nullptr)) {}
    Turn& operator=(Turn&&) = delete;
    ~Turn() {
      if (serializer_ != nullptr) serializer_->end();
    }

   private:
    friend class TaskSerializer;
    explicit Turn(TaskSerializer& serializer) : serializer_(&serializer) {}
    TaskSerializer* serializer_;
  };

  // Waits for the turn. kResourceExhausted if 16 steps already wait, kCancelled if stopped.
  Result<Turn> take(const std::stop_token& stop);

 private:
  void end();

  std::mutex mutex_;
  std::condition_variable_any changed_;
  bool taken_ = false;
  std::uint32_t waiting_ = 0;
};

}  // namespace da::policy
