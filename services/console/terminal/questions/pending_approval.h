// A step that waits for an approval. Answers: "yes", "task" (for the whole task), "no REASON", "skip" (continue without
// it), "edit ARGUMENTS", "stop" (deny and end the task) and "?" (explain these words). Owner's thread.
#pragma once

#include "da/v1/policy_rpc.pb.h"
#include "da/v1/verdict.pb.h"
#include "lib/base/result.h"
#include "services/console/session/clients_rpc.h"
#include "services/console/terminal/questions/approval_pictures.h"
#include "services/console/terminal/questions/pending.h"

namespace da::console {

class PendingApproval final : public Pending {
 public:
  // Policy and pictures must outlive it.
  PendingApproval(const PolicyClient& policy, const ApprovalPictures& pictures, v1::ApprovalRequest request)
      : policy_(policy), pictures_(pictures), request_(std::move(request)) {}

  const std::string& id() const override { return request_.approval_id(); }
  std::string text() const override;
  std::string commands() const override;
  std::string prompt() const override;
  Takes takes() const override { return Takes::kWords; }
  Then answer(const std::string& line) override;

 private:
  // Help for the answers, one line each.
  std::string words() const;
  Result<void> edit(const std::string& arguments) const;
  Result<void> approve(const std::string& code, bool for_task) const;
  Result<void> deny(const std::string& reason, v1::DenyRequest::Then then) const;

  const PolicyClient& policy_;
  const ApprovalPictures& pictures_;
  const v1::ApprovalRequest request_;
};

}  // namespace da::console
