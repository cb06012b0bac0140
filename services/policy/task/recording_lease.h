// The recorder's lease: which tasks are being recorded. If recordings are required, nothing is granted to a task that
// is not. Any thread.
#pragma once

#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "da/v1/policy_rpc.pb.h"
#include "lib/base/clock.h"
#include "lib/base/result.h"

namespace da::policy {

class RecordingLease {
 public:
  static constexpr Milliseconds kLasts{2'000};     // From one renewal on, in the time that pass() counts.
  static constexpr Milliseconds kPatience{5'000};  // With the recorder, when a task begins.

  RecordingLease(bool required, const Clock& clock) : required_(required), clock_(clock) {}

  void renew(const v1::RenewRecordingRequest& request);
  // Counts the time since the last call. Call it every kPassEvery: more than kMostPassed at once is not counted,
  // because then this process itself was stopped, and renewals wait to be read.
  void pass();
  static constexpr Milliseconds kPassEvery{100};
  static constexpr Milliseconds kMostPassed{200};

  // Waits until the recording of this new task has begun. kUnavailable: it has not.
  Result<void> await_begun(const std::string& task_id);
  // kUnavailable: the task is not being recorded.
  Result<void> check(const std::string& task_id) const;
  // Why a task whose recording had begun is not recorded any more; nullopt if all are.
  std::optional<std::string> lost() const;
  void forget(const std::string& task_id);

  // Returns a text for people.
  std::string describe() const;

 private:
  // Call it with the mutex held.
  Result<void> check_locked(const std::string& task_id) const;

  const bool required_;
  const Clock& clock_;
  mutable std::mutex mutex_;
  std::condition_variable renewed_;
  bool renewed_once_ = false;
  Nanoseconds since_renewal_{0};
  MonoTime passed_until_ = clock_.now();
  std::map<std::string, std::string> recordings_;  // Task id -> problem, of the last renewal.
  std::set<std::string> begun_;                    // Tasks whose recording has begun, until forget().
};

}  // namespace da::policy
