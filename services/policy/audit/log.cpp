#include "services/policy/audit/log.h"

#include "lib/base/id.h"
#include "services/policy/audit/head.h"

namespace da::policy {

AuditLog::AuditLog(AuditFile file, Place place, GrantSigner signer, const Clock& clock)
    : clock_(clock),
      place_(std::move(place)),
      signer_(std::move(signer)),
      file_(std::move(file)),
      head_at_(clock.now()) {}

Result<std::unique_ptr<AuditLog>> AuditLog::open(const Place& place, GrantSigner signer, AuditRecord started,
                                                 const Clock& clock) {
  ASSIGN_OR_RETURN(auto file, AuditFile::open(place.file, random_uuid(), clock));
  started.text("key", signer.public_key_hex());
  std::unique_ptr<AuditLog> log(new AuditLog(std::move(file), place, std::move(signer), clock));
  const auto written = log->write({std::move(started)}, Reach::kDisk);
  if (!written && written.error().code == Code::kDataLoss) return written.error();
  if (written) log->write_head();
  log->thread_ = std::jthread([raw = log.get()](const std::stop_token& stop) { raw->keep(stop); });
  return log;
}

AuditLog::~AuditLog() {
  if (!thread_.joinable()) return;
  thread_.request_stop();
  thread_.join();
  // Errors have no reader any more; a lost record shows as a start without a stop.
  static_cast<void>(write({AuditRecord("stopped", clock_.wall_now())}, Reach::kDisk).has_value());
  write_head();
}

Result<void> AuditLog::write(std::vector<AuditRecord> records, Reach reach) {
  std::unique_lock hold(mutex_);
  const auto batch = collecting_;
  for (AuditRecord& record : records) batch->records.push_back(std::move(record));
  if (reach == Reach::kDisk) batch->reach = reach;
  while (!batch->done) {
    if (writing_) {
      written_.wait(hold);
    } else {
      write_batch(hold);
    }
  }
  return batch->result;
}

// Writes the collected records of this caller and of all waiting ones.
void AuditLog::write_batch(std::unique_lock<std::mutex>& hold) {
  writing_ = true;
  const auto batch = std::exchange(collecting_, std::make_shared<Batch>());
  const bool tells_loss = lost_ > 0;
  if (tells_loss) {
    AuditRecord recovered("recovered", clock_.wall_now());
    recovered.text("problem", problem_).number("lost_records", lost_);
    batch->records.insert(batch->records.begin(), std::move(recovered));
  }
  hold.unlock();
  batch->result = file_.append(batch->records, batch->reach);
  hold.lock();
  writing_ = false;
  ++writes_;
  note_result(*batch, tells_loss);
  written_.notify_all();
}

void AuditLog::note_result(Batch& batch, bool tells_loss) {
  batch.done = true;
  if (!batch.result) {
    problem_ = batch.result.error().message;
    lost_ += batch.records.size() - (tells_loss ? 1 : 0);
    unsynced_ = true;  // The keeper tries again, so that problem() clears without a writer.
    wake_keeper();
    return;
  }
  lost_ = 0;
  problem_.clear();
  log_id_ = file_.log_id();
  if (batch.reach == Reach::kDisk) {
    synced_ = file_.end();
    unsynced_ = false;
  } else {
    unsynced_ = true;
    wake_keeper();
  }
  if (synced_.seq >= headed_ + kHeadRecords) keeper_.notify_one();
}

// Does nothing while the keeper waits to sync anyway: a wake-up costs as much as the record itself.
void AuditLog::wake_keeper() {
  if (std::exchange(keeper_idle_, false)) keeper_.notify_one();
}

void AuditLog::keep(const std::stop_token& stop) {
  std::unique_lock hold(mutex_);
  while (!stop.stop_requested()) {
    const auto head_is_due = [this] {
      const bool many = heads_problem_.empty() && synced_.seq >= headed_ + kHeadRecords;
      return many || (synced_.seq > headed_ && clock_.now() >= head_at_ + kHeadInterval);
    };
    keeper_idle_ = true;
    keeper_.wait_for(hold, stop, kHeadInterval, [&] { return unsynced_ || head_is_due(); });
    keeper_idle_ = false;
    // Consecutive steps share this sync, or make it needless by a sync of their own.
    if (unsynced_) keeper_.wait_for(hold, stop, kSyncWithin, head_is_due);
    const bool sync = unsynced_;
    hold.unlock();
    if (sync) static_cast<void>(write({}, Reach::kDisk).has_value());  // Sets problem() on an error.
    hold.lock();
    if (!head_is_due()) continue;
    hold.unlock();
    write_head();
    hold.lock();
  }
}

void AuditLog::write_head() {
  AuditHead head;
  {
    const std::lock_guard hold(mutex_);
    head_at_ = clock_.now();
    if (synced_.seq == headed_ || log_id_.empty()) return;
    head = {log_id_, synced_.seq, synced_.hash, format_wall(clock_.wall_now()), file_.boot_id(), ""};
  }
  const auto appended = append_head(place_.heads, signed_head_line(head, signer_));
  const std::lock_guard hold(mutex_);
  if (appended) headed_ = head.seq;
  heads_problem_ = appended ? "" : appended.error().message;
}

Result<void> AuditLog::check(Milliseconds at_most) {
  std::unique_lock hold(mutex_);
  const bool passed =
      written_.wait_for(hold, at_most, [this, before = writes_] { return !writing_ || writes_ != before; });
  if (!passed) return Error{Code::kDeadlineExceeded, "a write to the audit log hangs"};
  if (!problem_.empty()) return Error{Code::kUnavailable, problem_};
  return ok();
}

std::string AuditLog::problem() const {
  const std::lock_guard hold(mutex_);
  return problem_;
}

std::string AuditLog::heads_problem() const {
  const std::lock_guard hold(mutex_);
  return heads_problem_;
}

std::string AuditLog::describe() const {
  const std::lock_guard hold(mutex_);
  const std::string lost = lost_ == 0 ? "" : "; " + std::to_string(lost_) + " records were lost";
  if (!problem_.empty()) return "CANNOT BE WRITTEN, so every step is denied: " + problem_ + lost;
  const std::string heads = heads_problem_.empty() ? "signed up to " + std::to_string(headed_)
                                                   : "its heads CANNOT BE WRITTEN: " + heads_problem_;
  return place_.file.string() + ", record " + std::to_string(synced_.seq) + ", " + heads;
}

}  // namespace da::policy
