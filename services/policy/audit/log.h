// The audit log: the policy's decisions are on disk before it answers.
//
//   RETURN_IF_ERROR(log.write({verdict, grant}, Reach::kDisk));   // returns once both are durable
//
// Group commit: writers that arrive during a sync share the next one, on the thread of one of them. The keeper thread
// does the work that nobody waits for: within kSyncWithin it syncs records that only reached the kernel, and it signs
// heads (head.h) and appends them to the second place: at the start, each kHeadRecords records, each kHeadInterval with
// a new record, and at the end.
// If a write fails, write() returns the error, and the caller may only deny; problem() describes it for people. Each
// write tries again. The first success starts with a record "recovered" that tells how many records were lost.
// Any thread. The destructor writes "stopped" and a last head; no write() may run by then.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "services/policy/audit/file.h"
#include "services/policy/grant/grants.h"

namespace da::policy {

// Their names in the policy's state directory.
inline constexpr char kAuditFile[] = "audit";
inline constexpr char kAuditHeadsFile[] = "audit-heads";

class AuditLog {
 public:
  static constexpr std::uint64_t kHeadRecords = 1'000;
  static constexpr Milliseconds kHeadInterval{120'000};
  static constexpr Milliseconds kSyncWithin{1'000};

  struct Place {
    std::filesystem::path file;
    std::filesystem::path heads;  // The second place.
  };
  // `started` is the first record of this process. An error if the file cannot be opened or is not an audit log. If it
  // only cannot be written, problem() is set.
  static Result<std::unique_ptr<AuditLog>> open(const Place& place, GrantSigner signer, AuditRecord started,
                                                const Clock& clock);
  ~AuditLog();
  AuditLog(const AuditLog&) = delete;
  AuditLog& operator=(const AuditLog&) = delete;

  // Writes all records or none, next to each other.
  Result<void> write(std::vector<AuditRecord> records, Reach reach);

  // Whether a write would succeed now: waits for the write in flight, and writes nothing. kDeadlineExceeded if that one
  // hangs; the error of the last write if it failed.
  Result<void> check(Milliseconds at_most);

  // Why the last write failed; empty if it succeeded.
  std::string problem() const;
  // The same for the heads.
  std::string heads_problem() const;
  // Text for people: "record 120, signed up to 100".
  std::string describe() const;
  const Clock& clock() const { return clock_; }

 private:
  struct Batch {
    std::vector<AuditRecord> records;
    Reach reach = Reach::kKernel;
    bool done = false;
    Result<void> result = ok();
  };
  AuditLog(AuditFile file, Place place, GrantSigner signer, const Clock& clock);
  void write_batch(std::unique_lock<std::mutex>& hold);
  void note_result(Batch& batch, bool tells_loss);
  void wake_keeper();
  void keep(const std::stop_token& stop);
  void write_head();

  const Clock& clock_;
  const Place place_;
  const GrantSigner signer_;
  AuditFile file_;  // Used by the thread that has set writing_.

  mutable std::mutex mutex_;
  std::condition_variable written_;
  std::condition_variable_any keeper_;
  std::shared_ptr<Batch> collecting_ = std::make_shared<Batch>();
  bool writing_ = false;
  std::uint64_t writes_ = 0;  // Finished writes.
  bool unsynced_ = false;
  bool keeper_idle_ = false;
  std::string problem_;
  std::uint64_t lost_ = 0;
  ChainEnd synced_;  // The newest durable record: a head may sign it.
  std::string log_id_;
  std::uint64_t headed_ = 0;  // The record of the last head.
  MonoTime head_at_;          // The last try to write a head.
  std::string heads_problem_;
  std::jthread thread_;
};

}  // namespace da::policy
