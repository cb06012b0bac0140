// What the bus's thread hands to the disk's thread, so that a slow disk does not delay reading. Bounded in bytes: a
// full queue blocks the bus's thread. Any thread.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <variant>

#include "da/v1/recording.pb.h"
#include "lib/base/clock.h"
#include "lib/recording/recorded_fact.h"

namespace da::recorder {

// All facts of the task have been passed on.
struct TaskOver {
  std::string task_id;
};

struct Received {
  std::variant<recording::RecordedFact, v1::RecordingGap, TaskOver> what;
  WallTime at;
};

class FactQueue {
 public:
  explicit FactQueue(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  // Waits until there is room; after close() it drops the argument.
  void push(Received received);
  // nullopt at the deadline, or if it is closed and empty.
  std::optional<Received> pop(MonoTime deadline);
  void close();
  // Closed and empty.
  bool is_done() const;

 private:
  const std::size_t most_bytes_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Received> queue_;
  std::size_t bytes_ = 0;
  bool closed_ = false;
};

}  // namespace da::recorder
