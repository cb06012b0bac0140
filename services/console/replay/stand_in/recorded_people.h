// Answers the questions of a replayed task as the people did in the recording: the same answer to the same step, after
// the same time. A question that the recording lacks is denied. One thread.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "services/console/replay/recorded_task.h"
#include "services/console/replay/stand_in/throwaway_codes.h"
#include "services/console/session/clients_rpc.h"

namespace da::console {

// "ada, bob" -> both: the policy joins the names of several approvers like this.
std::vector<std::string> approvers_in(const std::string& approvers);

class RecordedPeople {
 public:
  RecordedPeople(const RecordedTask& task, const ThrowawayCodes& codes, const PolicyClient& policy,
                 const PlannerClient& planner);

  // Answers what is due. Call it several times a second.
  void answer();

 private:
  struct Asked {
    const RecordedQuestion* recorded = nullptr;  // nullptr: not in the recording.
    MonoTime since;
    bool answered = false;
  };
  void answer_approval(const v1::ApprovalRequest& question);
  Result<void> repeat(const v1::ApprovalDecision& decision, const v1::ApprovalRequest& question);
  Result<void> approve(const v1::ApprovalDecision& decision, const v1::ApprovalRequest& question);
  void answer_models();

  const ThrowawayCodes& codes_;
  const PolicyClient& policy_;
  const PlannerClient& planner_;
  std::map<std::string, std::vector<const RecordedQuestion*>> recorded_;  // Keyed by the action's digest; last first.
  std::vector<const v1::UserAnswer*> user_answers_;                       // Last first.
  std::map<std::string, Asked> asked_;                                    // Keyed by approval id.
  std::set<std::string> answered_models_;
};

}  // namespace da::console
