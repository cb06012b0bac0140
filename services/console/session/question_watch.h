// Keeps asking the planner, on a thread of its own, which questions of models wait for a person: a planner that hangs
// holds up nobody. Between calls the thread waits; a planner that cannot be reached changes nothing. The owner's thread
// makes, reads and ends it, and the planner must outlive it.
#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

#include "da/v1/planner_rpc.pb.h"
#include "lib/os/unique_fd.h"
#include "services/console/session/clients_rpc.h"

namespace da::console {

class QuestionWatch {
 public:
  explicit QuestionWatch(const PlannerClient& planner);
  ~QuestionWatch();

  // Readable when there is something to take.
  int descriptor() const { return changed_.get(); }
  // What waits now; nullopt where that has not changed since it was taken last.
  std::optional<v1::ListQuestionsReply> take();

 private:
  void watch();
  void keep(v1::ListQuestionsReply reply);

  const PlannerClient& planner_;
  os::UniqueFd changed_;
  std::mutex mutex_;
  std::condition_variable stopped_;
  bool stop_ = false;
  std::optional<v1::ListQuestionsReply> news_;
  v1::ListQuestionsReply latest_;  // The watch's own.
  std::thread thread_;             // Last: it uses all of the above.
};

}  // namespace da::console
