// Polls the planner for questions of models to a person, on its own thread, so that a planner that hangs blocks no
// other thread. Ignores failed calls. Other members: owner's thread. The planner client must outlive the object.
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

  // Readable when take() has a new list.
  int descriptor() const { return changed_.get(); }
  // The open questions; nullopt if they have not changed since the last call.
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
  v1::ListQuestionsReply latest_;
  std::thread thread_;  // Last: it uses all of the above.
};

}  // namespace da::console
