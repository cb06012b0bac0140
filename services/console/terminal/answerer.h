// Asks the person at the terminal about what is pending, approvals and questions of models, one after the other, and
// sends the answers. Reads whole lines, so that a stray key answers nothing. Where there is no terminal it asks nobody
// and says which commands answer. At any time the person may also say "pause" and, unless a question is asked,
// "resume"; while a question is asked, only as the whole line. Owner's thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "da/v1/planner_rpc.pb.h"
#include "da/v1/policy_rpc.pb.h"
#include "services/console/session/clients_rpc.h"
#include "services/console/terminal/approval_pictures.h"
#include "services/console/terminal/each_key.h"
#include "services/console/terminal/pending_queue.h"

namespace da::console {

class Answerer {
 public:
  // All must outlive it.
  Answerer(const PolicyClient& policy, const PlannerClient& planner, const ApprovalPictures& pictures);
  Answerer(const Answerer&) = delete;
  Answerer& operator=(const Answerer&) = delete;

  // STDIN where a person can be asked, else -1.
  int descriptor() const { return descriptor_; }

  // Show what is newly pending of that kind; forget what was answered elsewhere.
  void update(const v1::ListPendingReply& approvals);
  void update(const v1::ListQuestionsReply& questions);
  // Something is asked, or what is typed is dropped.
  bool is_busy() const { return queue_.asked() != nullptr || queue_.waits_for_quiet(); }
  // Call when the descriptor is readable.
  void read_answer();

 private:
  void refresh(PendingQueue::Kind kind, const std::vector<std::string>& ids, const PendingQueue::Make& make);
  void take(const std::string& line);
  void discard_typed();
  // Whether the line was a word that needs no question.
  bool heed(const std::string& line);
  void pause(const std::string& reason);
  void resume();

  const PolicyClient& policy_;
  const PlannerClient& planner_;
  const ApprovalPictures& pictures_;
  int descriptor_;
  std::string typed_;
  PendingQueue queue_;
  std::optional<EachKey> each_key_;  // While the queue waits for quiet.
};

}  // namespace da::console
