// What the bus's thread hands to the disk's thread, so that a slow disk does not delay reading. Bounded in bytes for
// each writer: a fact beyond that is dropped, and a gap takes its place. So a service that floods the bus fills neither
// the memory nor the place of another service's facts. Any thread.
#pragma once

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <variant>

#include "da/v1/recording.pb.h"
#include "lib/base/clock.h"
#include "lib/recording/recorded_fact.h"
#include "services/recorder/task_ends.h"

namespace da::recorder {

struct Received {
  std::variant<recording::RecordedFact, v1::RecordingGap, TaskOver> what;
  WallTime at;
};

class FactQueue {
 public:
  // `most_bytes`: limit for the facts of one writer.
  explicit FactQueue(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  // Does not wait. After close() it drops the argument.
  void push(Received received);
  // nullopt at the deadline, or if it is closed and empty.
  std::optional<Received> pop(MonoTime deadline);
  void close();
  // Closed and empty.
  bool is_done() const;
  // Facts that were dropped because the queue was full.
  std::uint64_t dropped() const;

 private:
  // Call these with the mutex held.
  void add(const std::string& writer, std::size_t bytes, Received received);
  void drop(const recording::RecordedFact& fact, WallTime at);

  const std::size_t most_bytes_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Received> queue_;
  std::map<std::string, std::size_t> bytes_;             // Keyed by writer.
  std::map<std::string, v1::RecordingGap*> last_drops_;  // Newest gap that drop() put into queue_, keyed by topic.
  std::uint64_t dropped_ = 0;
  bool closed_ = false;
};

}  // namespace da::recorder
