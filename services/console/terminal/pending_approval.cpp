#include "services/console/terminal/pending_approval.h"

#include <iostream>

#include "lib/os/local_person.h"
#include "services/console/terminal/approval_answer.h"
#include "services/console/terminal/event_text.h"

namespace da::console {

std::string PendingApproval::text() const {
  return approval_text(request_, pictures_.keep(request_), system_clock().wall_now());
}

std::string PendingApproval::commands() const {
  return "da-console approve " + id() + "   or: da-console deny " + id() + " --reason \"...\"";
}

std::string PendingApproval::prompt() const {
  return "approve " + id() + "? [" + (request_.second_factor() ? "yes CODE" : "yes") +
         (request_.risk() == v1::RISK_CRITICAL ? "" : " / task") + " / no / no REASON / skip / stop] ";
}

Pending::Then PendingApproval::answer(const std::string& line) {
  using Word = ApprovalAnswer::Word;
  const auto said = read_approval_answer(line, request_.second_factor() ? AsksFor::kYesAndCode : AsksFor::kYes);
  Result<void> sent;
  switch (said.word) {
    case Word::kUnclear:
      if (!said.rest.empty()) std::cerr << said.rest << "\n";
      return Then::kAskAgain;
    case Word::kYes:
    case Word::kTask: sent = approve(said.rest, said.word == Word::kTask); break;
    case Word::kNo: sent = deny(said.rest, v1::DenyRequest::THEN_UNSPECIFIED); break;
    case Word::kSkip: sent = deny(said.rest, v1::DenyRequest::THEN_SKIP); break;
    case Word::kStop: sent = deny(said.rest, v1::DenyRequest::THEN_STOP_TASK); break;
  }
  if (sent) return Then::kEnded;
  std::cerr << sent.error().message << "\n";
  // After a wrong code, say, it is still open.
  const bool ended = sent.error().code == Code::kNotFound || sent.error().code == Code::kFailedPrecondition;
  return ended ? Then::kEnded : Then::kAskAgain;
}

Result<void> PendingApproval::approve(const std::string& code, bool for_task) const {
  v1::ApproveRequest request;
  request.set_approval_id(id());
  request.set_approver(os::local_person());
  request.set_code(code);
  request.set_repeats_in_task(for_task);
  ASSIGN_OR_RETURN(const auto reply, policy_.approve(request));
  if (reply.approvals_missing() > 0) std::cerr << reply.approvals_missing() << " more must approve it\n";
  return ok();
}

Result<void> PendingApproval::deny(const std::string& reason, v1::DenyRequest::Then then) const {
  v1::DenyRequest request;
  request.set_approval_id(id());
  request.set_approver(os::local_person());
  request.set_reason(reason);
  request.set_then(then);
  return policy_.deny(request);
}

}  // namespace da::console
