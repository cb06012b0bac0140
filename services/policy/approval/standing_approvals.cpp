#include "services/policy/approval/standing_approvals.h"

#include "lib/contract/digest.h"
#include "lib/contract/evidence/staleness.h"

namespace da::policy {

void StandingApprovals::add(const v1::Action& action, const v1::Evidence& evidence, const std::string& rule,
                            const std::string& approver) {
  const std::lock_guard hold(mutex_);
  auto& approved = all_.emplace_back(Approved{action, contract::digest(action), evidence, rule, approver});
  approved.evidence.clear_picture_png();
}

std::optional<std::string> StandingApprovals::approver_of(const v1::Action& action, const v1::Evidence& evidence,
                                                          const std::string& rule) const {
  const std::lock_guard hold(mutex_);
  const std::string digest = contract::digest(action);
  for (const Approved& approved : all_) {
    if (approved.action_digest != digest || approved.rule != rule) continue;
    if (!contract::staleness(action, approved.evidence, evidence, contract::SeenAt::kApproval))
      return approved.approver;
  }
  return std::nullopt;
}

}  // namespace da::policy
