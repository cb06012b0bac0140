// The policy's open tasks, taken from its heartbeats. The desktop is shown only to requests that carry the observation
// token of an open task. Any thread.
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
  bool is_open(const std::string& task_id) const;

  // The id of the task that the token belongs to. Waits for an unknown token, because the task may have been opened
  // since the last heartbeat. kUnauthenticated: it belongs to no open task, or the last heartbeat is too old;
  // kPermissionDenied: `named` is another task than the token's.
  Result<std::string> await(const std::string& observation_token, const std::string& named) const;
  // The same without waiting.
  Result<std::string> find(const std::string& observation_token, const std::string& named) const;

 private:
  // Requires mutex_.
  std::optional<std::string> task_of(const std::string& digest) const;
  Result<std::string> answer(const std::optional<std::string>& task, const std::string& named) const;

  const Clock& clock_;
  mutable std::mutex mutex_;
  mutable std::condition_variable heard_;
  std::map<std::string, std::string> ids_;  // Task ids, keyed by digest of the observation token.
  MonoTime last_heartbeat_;
};

}  // namespace da::actuator
