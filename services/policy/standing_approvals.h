// Approvals that hold until their task ends: for the same action at the same place, where the same rule asks, and
// nothing else. Never for a critical step, nor for one that came with a concern. Any thread.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "da/v1/verdict.pb.h"

namespace da::policy {

class StandingApprovals {
 public:
  void add(const std::string& task_id, const v1::Action& action, const v1::Evidence& evidence, const std::string& rule,
           const std::string& approver);
  // Who approved this action when this rule asked, where the evidence of now is the same as what was approved.
  std::optional<std::string> approver_of(const std::string& task_id, const v1::Action& action,
                                         const v1::Evidence& evidence, const std::string& rule) const;
  void forget(const std::string& task_id);

 private:
  struct Approved {
    v1::Action action;
    std::string action_digest;
    v1::Evidence evidence;
    std::string rule;
    std::string approver;
  };
  mutable std::mutex mutex_;
  std::map<std::string, std::vector<Approved>> tasks_;
};

}  // namespace da::policy
