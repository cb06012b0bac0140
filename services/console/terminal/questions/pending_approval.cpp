#include "services/console/terminal/questions/pending_approval.h"

#include <unistd.h>

#include <iostream>
#include <nlohmann/json.hpp>

#include "lib/base/text.h"
#include "lib/contract/catalogue.h"
#include "lib/contract/describe.h"
#include "lib/contract/json/parse.h"
#include "lib/os/process/local_person.h"
#include "services/console/terminal/questions/approval_answer.h"
#include "services/console/terminal/stream/event_text.h"

namespace da::console {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kShownOfArguments = 1000;

}  // namespace

std::string PendingApproval::text() const {
  return approval_text(request_, pictures_.keep(request_), system_clock().wall_now(), columns_of(STDERR_FILENO));
}

std::string PendingApproval::commands() const {
  return "da-console approve " + id() + "   or: da-console deny " + id() + " --reason \"...\"";
}

std::string PendingApproval::prompt() const {
  return "approve " + id() + "? [" + (request_.second_factor() ? "yes CODE" : "yes") +
         (request_.risk() == v1::RISK_CRITICAL ? "" : " / task") + " / no / no REASON / skip / edit ARGS / stop / ?] ";
}

std::string PendingApproval::words() const {
  const bool coded = request_.second_factor();
  std::string text = coded ? "  y CODE   approve; CODE is that of your authenticator (also: yes CODE)\n"
                           : "  y        approve (also: yes)\n";
  if (request_.risk() != v1::RISK_CRITICAL) {
    text += "  task     approve it, and the same step at the same place, until the task ends\n";
  }
  return text +
         "  n        deny; the planner decides how to continue, a plain goal ends (also: no, n REASON)\n"
         "  skip     deny, and the task goes on without this step\n"
         "  stop     deny, and end the task\n" +
         marked_lines(
             "  edit ARGS   change its arguments, which are now " +
                 escape_foreign(
                     contract::to_json(request_.step().action()).dump(-1, ' ', false, Json::error_handler_t::replace),
                     kShownOfArguments),
             columns_of(STDERR_FILENO)) +
         "\n"
         "  pause    let the task wait until: resume\n"
         "  ?        show this\n";
}

Pending::Then PendingApproval::answer(const std::string& line) {
  using Word = ApprovalAnswer::Word;
  const auto said = read_approval_answer(line, request_.second_factor() ? AsksFor::kYesAndCode : AsksFor::kYes);
  Result<void> sent;
  switch (said.word) {
    case Word::kUnclear:
      if (!said.rest.empty()) std::cerr << said.rest << "\n" << words();
      return Then::kAskAgain;
    case Word::kHelp: std::cerr << words(); return Then::kAskAgain;
    case Word::kEdit: sent = edit(said.rest); break;
    case Word::kYes:
    case Word::kTask: sent = approve(said.rest, said.word == Word::kTask); break;
    case Word::kNo: sent = deny(said.rest, v1::DenyRequest::THEN_UNSPECIFIED); break;
    case Word::kSkip: sent = deny(said.rest, v1::DenyRequest::THEN_SKIP); break;
    case Word::kStop: sent = deny(said.rest, v1::DenyRequest::THEN_STOP_TASK); break;
  }
  if (sent) return Then::kEnded;
  std::cerr << escape_foreign(sent.error().message, 4000) << "\n";
  // For example, it is still open after a wrong code.
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

Result<void> PendingApproval::edit(const std::string& arguments) const {
  const auto* tool = contract::tool_of(request_.step().action());
  v1::EditRequest request;
  request.set_approval_id(id());
  request.set_approver(os::local_person());
  ASSIGN_OR_RETURN(*request.mutable_action(), contract::parse_action(tool == nullptr ? "" : tool->name(), arguments));
  return policy_.edit(request);
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
