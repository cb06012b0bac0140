// Asks the person at the terminal about each pending approval and sends the answer to the policy. Reads whole lines, so
// that a stray key approves nothing. Where there is no terminal it asks nobody, and the approval expires. At any time
// the person may also say "pause" and "resume". Owner's thread.
#pragma once

#include <deque>
#include <set>
#include <string>

#include "da/v1/policy_rpc.pb.h"
#include "services/console/session/clients_rpc.h"

namespace da::console {

// Who says it: "user@terminal".
std::string local_person();

class Approver {
 public:
  explicit Approver(const PolicyClient& policy);

  // STDIN where a person can be asked, else -1.
  int descriptor() const { return descriptor_; }

  // Shows what is newly pending; forgets what was answered elsewhere.
  void update(const v1::ListPendingReply& pending);
  // Call when the descriptor is readable.
  void read_answer();

 private:
  void prompt();
  void answer(const std::string& line);
  // Whether the line was a word that needs no question.
  bool heed(const std::string& word, const std::string& rest);
  // Of the question at the front.
  Result<void> approve(const std::string& code, bool for_task) const;
  Result<void> deny(const std::string& reason, v1::DenyRequest::Then then) const;

  const PolicyClient& policy_;
  int descriptor_ = -1;
  std::deque<v1::ApprovalRequest> waiting_;
  std::set<std::string> shown_;
  std::string typed_;
};

}  // namespace da::console
