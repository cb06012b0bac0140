// Asks the person at the terminal about what is pending, approvals and questions of models, one after the other, and
// sends the answers. Reads whole lines, so that a stray key answers nothing. Where there is no terminal it asks nobody
// and says which commands answer. At any time the person may also say "pause" and "resume"; while a question is asked,
// only as the whole line. Owner's thread.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "da/v1/planner_rpc.pb.h"
#include "da/v1/policy_rpc.pb.h"
#include "services/console/session/clients_rpc.h"
#include "services/console/terminal/pending.h"

namespace da::console {

class Answerer {
 public:
  // Both must outlive it.
  Answerer(const PolicyClient& policy, const PlannerClient& planner);

  // STDIN where a person can be asked, else -1.
  int descriptor() const { return descriptor_; }

  // Show what is newly pending of that kind; forget what was answered elsewhere.
  void update(const v1::ListPendingReply& approvals);
  void update(const v1::ListQuestionsReply& questions);
  // Call when the descriptor is readable.
  void read_answer();

 private:
  enum class Kind { kApproval, kQuestion };
  struct Waiting {
    Kind kind;
    std::unique_ptr<Pending> pending;
  };
  void refresh(Kind kind, const std::vector<std::string>& ids,
               const std::function<std::unique_ptr<Pending>(int index)>& make);
  // The one at the front.
  void ask();
  void prompt();
  void take(const std::string& line);
  // Whether the line was a word that needs no question.
  bool heed(const std::string& line);

  const PolicyClient& policy_;
  const PlannerClient& planner_;
  int descriptor_ = -1;
  std::deque<Waiting> waiting_;
  std::set<std::pair<Kind, std::string>> shown_;
  std::string typed_;
};

}  // namespace da::console
