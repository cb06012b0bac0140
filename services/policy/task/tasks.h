// The open tasks. Only the owner of a task's token can submit steps for it. Any thread.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "da/v1/actuator_rpc.pb.h"
#include "lib/base/clock.h"
#include "lib/base/result.h"
#include "services/policy/task/task_record.h"

namespace da::policy {

class Tasks {
 public:
  using Task = std::shared_ptr<TaskRecord>;
  struct Opened {
    Task task;
    std::string token;  // lib/contract/task_token.h, with a secret of 32 random bytes.
  };
  // More open tasks than any deployment runs. A console that opens tasks without end must not fill the memory, nor the
  // recorder's disk.
  static constexpr std::size_t kMost = 200;

  explicit Tasks(const Clock& clock) : clock_(clock) {}

  // Assigns the task id. kResourceExhausted: kMost tasks are open.
  Result<Opened> open(TaskTerms terms);
  // If kMost tasks are open, closes and returns those that have no time left.
  std::vector<Task> make_room();

  // kUnauthenticated if no open task has this token. Compares in constant time.
  Result<Task> find(const std::string& token) const;
  // Returns the closed task. kUnauthenticated as above.
  Result<Task> close(const std::string& token);
  // For people, who need no token. Null if no such task is open.
  Task close_by_id(const std::string& task_id);

  std::vector<Task> all() const;
  // Names the open tasks that have time left, for the actuator.
  v1::HeartbeatRequest heartbeat() const;

 private:
  struct Entry {
    Task task;
    std::string token;
    std::string observation_digest;
  };
  using Entries = std::map<std::string, Entry>;  // Keyed by task id.
  Entries::const_iterator entry_of(const std::string& token) const;
  Task close(Entries::const_iterator entry);

  const Clock& clock_;
  mutable std::mutex mutex_;
  Entries entries_;
};

}  // namespace da::policy
