// The audit log: what the policy decided, on disk before it is answered.
//
//   RETURN_IF_ERROR(log.write({verdict, grant}, Reach::kDisk));   // returns once both are durable
//
// Writers that come while one of them syncs share the next sync (group commit): no thread of its own stands between a
// writer and the disk. A thread does what nobody waits for: it syncs what only reached the kernel, within kSyncWithin,
// and signs heads (head.h) and appends them to the second place: at the start, each kHeadRecords records, each
// kHeadInterval in which something was written, and at the end.
// Where writing fails, write() says so each time, and the caller must decide nothing but denials; problem() tells
// people. Each write tries anew; the first that succeeds is preceded by a record "recovered" that says what was lost.
// Any thread. Destruction writes "stopped" and a last head; no write() may run then.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "services/policy/audit/file.h"
#include "services/policy/grants.h"

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
  // `started` is the first record of this start. An error where the file cannot be opened or is no audit log; where it
  // only cannot be written, problem() is set.
  static Result<std::unique_ptr<AuditLog>> open(const Place& place, GrantSigner signer, AuditRecord started,
                                                const Clock& clock);
  ~AuditLog();
  AuditLog(const AuditLog&) = delete;
  AuditLog& operator=(const AuditLog&) = delete;

  // All or none. The records stand next to each other.
  Result<void> write(std::vector<AuditRecord> records, Reach reach);

  // Whether a record would get through now: waits for the write that is under way, and writes nothing itself.
  // kDeadlineExceeded where that one hangs; the error of the last write where it failed.
  Result<void> check(Milliseconds at_most);

  // Why the last write failed; empty where it did not.
  std::string problem() const;
  // The same of the heads.
  std::string heads_problem() const;
  // "record 120, signed up to 100", for people.
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
  AuditFile file_;  // Of whoever has set writing_.

  mutable std::mutex mutex_;
  std::condition_variable written_;
  std::condition_variable_any keeper_;
  std::shared_ptr<Batch> collecting_ = std::make_shared<Batch>();
  bool writing_ = false;
  std::uint64_t writes_ = 0;  // Ended ones.
  bool unsynced_ = false;
  bool keeper_idle_ = false;  // It waits for something to do.
  std::string problem_;
  std::uint64_t lost_ = 0;
  ChainEnd synced_;  // What a head may sign.
  std::string log_id_;
  std::uint64_t headed_ = 0;  // The record that the last head names.
  MonoTime head_at_;          // When a head was last tried.
  std::string heads_problem_;
  std::jthread thread_;
};

}  // namespace da::policy
