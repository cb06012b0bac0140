// The tasks that are open at the policy, as its heartbeats tell. The desktop is shown for these alone: a request to see
// it carries the observation token of one. Any thread.
#pragma once

#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "da/v1/actuator_rpc.pb.h"
#include "lib/base/clock.h"
#include "lib/base/result.h"

namespace da::actuator {

class OpenTasks {
 public:
  explicit OpenTasks(const Clock& clock) : clock_(clock) {}

  void hear(const v1::HeartbeatRequest& heartbeat);

  // The id of the task that the token belongs to. A token that is not known yet is waited for, because the task may
  // have been opened since the last heartbeat. kUnauthenticated where it belongs to no open task, or where the policy
  // has given no sign of life for too long; kPermissionDenied where `named` is another task than the token's.
  Result<std::string> await(const std::string& observation_token, const std::string& named) const;
  // The same without waiting.
  Result<std::string> find(const std::string& observation_token, const std::string& named) const;

 private:
  // With the mutex held.
  std::optional<std::string> task_of(const std::string& digest) const;
  Result<std::string> answer(const std::optional<std::string>& task, const std::string& named) const;

  const Clock& clock_;
  mutable std::mutex mutex_;
  mutable std::condition_variable heard_;
  std::map<std::string, std::string> ids_;  // By the digest of the observation token.
  MonoTime last_heartbeat_;
};

}  // namespace da::actuator
