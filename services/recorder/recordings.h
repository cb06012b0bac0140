// The recordings of the open tasks, one file each. A fact belongs to its task's recording; one without a task belongs
// to all. A recording is on the disk once it has begun, soon after each approval and outcome, and at least every
// kSyncEvery.
//
// One thread adds; any thread asks for the lease and for recordings. A recording whose file fails ends, and the lease
// says why. Recordings beyond the limits are deleted, the oldest first.
#pragma once

#include <condition_variable>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "da/v1/policy_rpc.pb.h"
#include "da/v1/recorder_rpc.pb.h"
#include "da/v1/service_rpc.pb.h"
#include "lib/base/clock.h"
#include "lib/recording/recording_directory.h"
#include "lib/recording/recording_file.h"
#include "services/recorder/log_limit.h"
#include "services/recorder/writer_shares.h"

namespace da::recorder {

class Recordings {
 public:
  static constexpr Milliseconds kSyncEvery{1'000};
  // Delay of a sync after facts that must not be lost, such as approvals and outcomes. Steps that follow each other
  // faster share one wait for the disk.
  static constexpr Milliseconds kSyncSoon{20};
  // Facts that were left out are marked at least so often, and when the recording ends.
  static constexpr Milliseconds kMarkEvery{60'000};
  // If the disk takes longer for one call, the lease says so.
  static constexpr Milliseconds kDiskPatience{1'500};
  // Each has a file and a chunk in memory. Later tasks are not recorded, so the policy refuses them.
  static constexpr std::size_t kMostOpen = 100;
  // The recording of one task may have this part of all recordings' bytes. Beyond it the recording ends, and with it
  // what the policy grants to the task.
  static constexpr std::uint64_t kTaskPart = 4;
  // The planner and the observer may each fill this part of one task's recording (writer_shares.h).
  static constexpr std::uint64_t kWriterPart = 3;
  // No recording begins on a disk that has less free; on a small disk, less than a tenth of its size.
  static constexpr std::uint64_t kLeastFreeBytes = 256 << 20;

  struct Setup {
    std::filesystem::path directory;  // Exists.
    recording::RecordingLimits limits;
    // What the services said of themselves; for the attachments.
    std::function<std::vector<v1::ServiceDescription>()> descriptions;
    // Called when the lease should be renewed at once.
    std::function<void()> lease_changed;
  };
  Recordings(Setup setup, const Clock& clock);

  void add(const recording::RecordedFact& fact, WallTime at);
  void add(const v1::RecordingGap& gap, WallTime at);
  // All facts of the task have been added. `cut`: why it ended before its task did; empty if it did not.
  void finish(const std::string& task_id, const std::string& cut);
  void finish_all(const std::string& why);
  // Call it at least at this time.
  void sync_if_due();
  MonoTime next_sync() const { return next_sync_; }

  v1::RenewRecordingRequest lease() const;
  // Waits until the recording is complete, or for this long. kNotFound if there is none.
  Result<v1::FindRecordingReply> find(const std::string& task_id, Milliseconds max_wait) const;

 private:
  struct Open {
    std::unique_ptr<recording::RecordingFile> file;
    WriterShares shares;
    MonoTime began;
    MonoTime next_marks{};
    bool has_rules = false;
    recording::RecordingFile::Values end;  // What is known of the task's end.
  };
  struct State {  // Of a recording, for other threads.
    std::filesystem::path file;
    bool begun = false;
    bool complete = false;
    std::uint64_t lost = 0;
    std::string problem;
  };
  class DiskCall;

  void begin(const recording::RecordedFact& opened, WallTime at);
  void attach_setup(Open& open, WallTime at);
  void note(const std::string& task_id, Open& open, const recording::RecordedFact& fact, WallTime at);
  Result<void> write(const std::string& task_id, Open& open, const recording::RecordedFact& fact, WallTime at);
  Result<void> mark_left_out(Open& open, const std::vector<v1::RecordingGap>& gaps);
  std::uint64_t task_bytes() const { return setup_.limits.bytes / kTaskPart; }
  // Ends the recording if the result is an error.
  void check(const std::string& task_id, const Result<void>& result);
  void change(const std::string& task_id, const std::function<void(State&)>& change);
  void delete_old() const;
  // kResourceExhausted: the disk has no room for another recording.
  Result<void> has_room() const;
  std::size_t known() const;  // Open, complete or failed.

  const Setup setup_;
  const Clock& clock_;
  std::map<std::string, Open> open_;  // Keyed by task.
  MonoTime next_sync_;
  LogLimit refused_log_;
  LogLimit lost_log_;
  LogLimit left_out_log_;
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::map<std::string, State> states_;
  std::deque<std::string> complete_;  // The ids of complete ones, oldest first.
  std::optional<MonoTime> disk_call_began_;
};

}  // namespace da::recorder
