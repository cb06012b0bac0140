// The recorder's reading thread: passes all facts and gaps to the queue, and after a task's last fact, that it is over.
// begin() and run() on one thread after the other; the rest on any thread.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <string>

#include "da/v1/policy_rpc.pb.h"
#include "lib/recording/fact_intake.h"
#include "services/recorder/fact_queue.h"
#include "services/recorder/task_ends.h"

namespace da::recorder {

class BusReader {
 public:
  BusReader(std::unique_ptr<bus::Source> source, recording::PublishedFacts& published, FactQueue& queue,
            const Clock& clock);

  // Does the same as FactIntake::begin().
  Result<void> begin(MonoTime deadline);
  // Reads until `stop`, then what has arrived by then, and closes the queue.
  void run(const std::stop_token& stop);

  // If the policy has an open task of which no fact has arrived, run() fetches what it missed; a task that the policy
  // does not know is over.
  void check_open_tasks(const v1::RenewRecordingReply& reply);
  std::uint64_t lost() const { return lost_; }

 private:
  void take(recording::RecordedFact fact);
  void note_open_tasks();
  void pass_on_ends();

  const Clock& clock_;
  FactQueue& queue_;
  recording::FactIntake intake_;
  TaskEnds ends_;
  std::atomic<bool> catch_up_ = false;
  std::atomic<std::uint64_t> lost_ = 0;
  std::mutex mutex_;
  std::set<std::string> seen_;                 // Tasks of which TaskOpened has arrived.
  std::optional<std::set<std::string>> open_;  // The policy's open tasks, if it has told them since the last turn.
};

}  // namespace da::recorder
