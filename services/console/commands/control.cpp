// pending, approve, answer, deny, edit, unlock, lock.
#include <unistd.h>

#include <algorithm>
#include <iostream>

#include "lib/base/text.h"
#include "lib/contract/catalogue.h"
#include "lib/contract/json/parse.h"
#include "lib/os/process/local_person.h"
#include "services/console/commands/commands.h"
#include "services/console/exit_codes.h"
#include "services/console/session/session.h"
#include "services/console/terminal/questions/approval_pictures.h"
#include "services/console/terminal/stream/event_text.h"

namespace da::console {
namespace {

int print_done(const Result<void>& result, const std::string& done) {
  if (!result) return report(result.error());
  std::cout << done << "\n";
  return kDone;
}

int print_lock(const Result<v1::WriteLockState>& state) {
  if (!state) return report(state.error());
  std::cout << "the write lock is " << (state->open() ? "open" : "closed");
  if (state->open() && state->until_wall_ns() != 0) {
    std::cout << " until " << format_wall(WallTime(Nanoseconds(state->until_wall_ns())));
  }
  if (state->steps_left() > 0) std::cout << " for " << state->steps_left() << " step(s)";
  std::cout << "\n";
  return kDone;
}

// An empty tool means that of the pending step.
Result<v1::EditRequest> edit_request(const PolicyClient& policy, const std::string& approval_id, std::string tool,
                                     const std::string& arguments) {
  if (tool.empty()) {
    ASSIGN_OR_RETURN(const auto reply, policy.pending());
    const auto asked = std::ranges::find(reply.pending(), approval_id, &v1::ApprovalRequest::approval_id);
    if (asked == reply.pending().end()) {
      return Error{Code::kNotFound, "no question is called \"" + escape_foreign(approval_id, 40) + "\""};
    }
    if (const auto* known = contract::tool_of(asked->step().action())) tool = known->name();
  }
  v1::EditRequest request;
  request.set_approval_id(approval_id);
  request.set_approver(os::local_person());
  ASSIGN_OR_RETURN(*request.mutable_action(), contract::parse_action(tool, arguments));
  return request;
}

}  // namespace

int list_pending(const std::filesystem::path& config, Format format) {
  ASSIGN_OR_REPORT(const auto session, Session::open(config));
  const auto pictures = ApprovalPictures::of(session.config_file());
  ASSIGN_OR_REPORT(const auto reply, pending_approvals(session.policy(), pictures));
  for (const v1::ApprovalRequest& request : reply.pending()) {
    const std::string picture = pictures.keep(request);
    std::cout << (format == Format::kJson
                      ? approval_json(request, picture)
                      : approval_text(request, picture, system_clock().wall_now(), columns_of(STDOUT_FILENO)))
              << "\n";
  }
  // Only now, so that the approvals are shown even if the planner fails.
  ASSIGN_OR_REPORT(const auto asked, session.planner().questions());
  for (const v1::UserQuestion& question : asked.questions()) {
    std::cout << (format == Format::kJson
                      ? question_json(question)
                      : question_text(question, system_clock().wall_now(), columns_of(STDOUT_FILENO)))
              << "\n";
  }
  const bool nothing = reply.pending().empty() && asked.questions().empty();
  if (nothing && format == Format::kLines) std::cout << "nothing waits for an approval or an answer\n";
  return kDone;
}

int answer(const std::filesystem::path& config, const std::string& question_id, const std::string& text) {
  ASSIGN_OR_REPORT(const auto session, Session::open(config));
  return print_done(session.planner().answer(question_id, text, os::local_person()),
                    "answered " + escape_foreign(question_id, 40));
}

int approve(const std::filesystem::path& config, const ApproveOptions& options) {
  ASSIGN_OR_REPORT(const auto session, Session::open(config));
  v1::ApproveRequest request;
  request.set_approval_id(options.approval_id);
  request.set_approver(os::local_person());
  request.set_code(options.code);
  request.set_repeats_in_task(options.for_task);
  request.set_propose_rule(options.propose_rule);
  ASSIGN_OR_REPORT(const auto reply, session.policy().approve(request));
  std::cout << "approved " << options.approval_id;
  if (reply.approvals_missing() > 0) std::cout << "; " << reply.approvals_missing() << " more must approve it";
  std::cout << "\n";
  if (!reply.proposed_rule_file().empty()) {
    std::cout << "a rule is proposed in " << reply.proposed_rule_file() << "; it is not in force\n";
  }
  return kDone;
}

int deny(const std::filesystem::path& config, const DenyOptions& options) {
  ASSIGN_OR_REPORT(const auto session, Session::open(config));
  v1::DenyRequest request;
  request.set_approval_id(options.approval_id);
  request.set_approver(os::local_person());
  request.set_reason(options.reason);
  if (options.skip) request.set_then(v1::DenyRequest::THEN_SKIP);
  if (options.stop_task) request.set_then(v1::DenyRequest::THEN_STOP_TASK);
  return print_done(session.policy().deny(request), (options.skip ? "skipped " : "denied ") + options.approval_id);
}

int edit(const std::filesystem::path& config, const std::string& approval_id, const std::string& tool,
         const std::string& arguments) {
  ASSIGN_OR_REPORT(const auto session, Session::open(config));
  ASSIGN_OR_REPORT(const auto request, edit_request(session.policy(), approval_id, tool, arguments));
  return print_done(session.policy().edit(request), "edited " + approval_id + "; it is judged again");
}

int unlock(const std::filesystem::path& config, Milliseconds duration, std::uint32_t steps) {
  ASSIGN_OR_REPORT(const auto session, Session::open(config));
  v1::UnlockRequest request;
  request.set_for_ms(static_cast<std::uint32_t>(duration.count()));
  request.set_for_steps(steps);
  request.set_by(os::local_person());
  return print_lock(session.policy().unlock(request));
}

int lock(const std::filesystem::path& config) {
  ASSIGN_OR_REPORT(const auto session, Session::open(config));
  return print_lock(session.policy().lock(os::local_person()));
}

}  // namespace da::console
