#include "services/policy/task/recording_lease.h"

#include <algorithm>

#include "lib/base/text.h"

namespace da::policy {
namespace {

constexpr std::size_t kProblemCharacters = 300;

}  // namespace

void RecordingLease::renew(const v1::RenewRecordingRequest& request) {
  const std::lock_guard hold(mutex_);
  renewed_once_ = true;
  since_renewal_ = Nanoseconds(0);
  recordings_.clear();
  for (const auto& recording : request.recordings()) recordings_[recording.task_id()] = recording.problem();
  renewed_.notify_all();
}

void RecordingLease::pass() {
  const std::lock_guard hold(mutex_);
  const MonoTime now = clock_.now();
  since_renewal_ += std::min<Nanoseconds>(now - passed_until_, kMostPassed);
  passed_until_ = now;
}

Result<void> RecordingLease::check_locked(const std::string& task_id) const {
  const auto unavailable = [](const std::string& why) { return Error{Code::kUnavailable, why}; };
  if (!renewed_once_) return unavailable("da-recorder has not reported yet; da-console status shows whether it runs");
  if (since_renewal_ > kLasts) {
    return unavailable("da-recorder has not reported for more than " + std::to_string(kLasts.count() / 1000) + " s");
  }
  const auto recording = recordings_.find(task_id);
  if (recording == recordings_.end()) return unavailable("da-recorder does not record this task");
  if (recording->second.empty()) return ok();
  return unavailable("da-recorder: " + escape_foreign(recording->second, kProblemCharacters));
}

Result<void> RecordingLease::await_begun(const std::string& task_id) {
  if (!required_) return ok();
  std::unique_lock hold(mutex_);
  const auto decided = [&] { return check_locked(task_id) || recordings_.contains(task_id); };
  renewed_.wait_for(hold, kPatience, decided);
  RETURN_IF_ERROR(check_locked(task_id));
  begun_.insert(task_id);
  return ok();
}

Result<void> RecordingLease::check(const std::string& task_id) const {
  if (!required_) return ok();
  const std::lock_guard hold(mutex_);
  return check_locked(task_id);
}

std::optional<std::string> RecordingLease::lost() const {
  const std::lock_guard hold(mutex_);
  for (const std::string& task_id : begun_) {
    if (const auto checked = check_locked(task_id); !checked) return checked.error().message;
  }
  return std::nullopt;
}

void RecordingLease::forget(const std::string& task_id) {
  const std::lock_guard hold(mutex_);
  begun_.erase(task_id);
}

std::string RecordingLease::describe() const {
  if (!required_) return "not required";
  const std::lock_guard hold(mutex_);
  if (!renewed_once_) return "required; da-recorder has not reported yet, so no task can begin";
  if (since_renewal_ > kLasts) return "required; da-recorder does not report, so no task can begin";
  return "required; da-recorder reports " + std::to_string(recordings_.size()) + " recording(s)";
}

}  // namespace da::policy
