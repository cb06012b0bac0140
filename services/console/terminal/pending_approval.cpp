#include "services/console/terminal/pending_approval.h"

#include <iostream>

#include "lib/base/text.h"
#include "lib/os/local_person.h"
#include "services/console/terminal/approval_picture.h"
#include "services/console/terminal/event_text.h"

namespace da::console {

std::string PendingApproval::text() const {
  return approval_text(request_, keep_picture(request_), system_clock().wall_now());
}

std::string PendingApproval::commands() const {
  return "da-console approve " + id() + "   or: da-console deny " + id() + " --reason \"...\"";
}

std::string PendingApproval::prompt() const {
  return "approve " + id() + "? [" + (request_.second_factor() ? "yes CODE" : "yes") +
         (request_.risk() == v1::RISK_CRITICAL ? "" : " / task") + " / no / no REASON / skip / stop] ";
}

Pending::Then PendingApproval::answer(const std::string& line) {
  const auto space = line.find(' ');
  const std::string word = fold_case(line.substr(0, space));
  const std::string rest(space == std::string::npos ? "" : trim(line.substr(space + 1)));
  Result<void> sent;
  if (word == "y" || word == "yes" || word == "task") {
    sent = approve(rest, word == "task");
  } else if (word == "n" || word == "no") {
    sent = deny(rest, v1::DenyRequest::THEN_UNSPECIFIED);
  } else if (word == "skip") {
    sent = deny(rest, v1::DenyRequest::THEN_SKIP);
  } else if (word == "stop") {
    sent = deny(rest, v1::DenyRequest::THEN_STOP_TASK);
  } else {
    return Then::kAskAgain;
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
