// Approvals for the rest of one task: they cover the same action at the same place if the same rule asks. The caller
// adds none for critical steps and for steps with a concern. Any thread.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "da/v1/verdict.pb.h"

namespace da::policy {

class StandingApprovals {
 public:
  void add(const v1::Action& action, const v1::Evidence& evidence, const std::string& rule,
           const std::string& approver);
  // The person who approved this action for this rule; nullopt if none did, or if the evidence has changed since then.
  std::optional<std::string> approver_of(const v1::Action& action, const v1::Evidence& evidence,
                                         const std::string& rule) const;

 private:
  struct Approved {
    v1::Action action;
    std::string action_digest;
    v1::Evidence evidence;
    std::string rule;
    std::string approver;
  };
  mutable std::mutex mutex_;
  std::vector<Approved> all_;
};

}  // namespace da::policy
