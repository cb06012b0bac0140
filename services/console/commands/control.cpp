// pending, approve, answer, deny, edit, unlock, lock: a person's word to a run.
#include <unistd.h>

#include <algorithm>
#include <iostream>

#include "lib/base/text.h"
#include "lib/contract/catalogue.h"
#include "lib/contract/parse.h"
#include "lib/os/local_person.h"
#include "services/console/commands/commands.h"
#include "services/console/exit_codes.h"
#include "services/console/session/session.h"
#include "services/console/terminal/approval_pictures.h"
#include "services/console/terminal/event_text.h"
#include "services/console/terminal/question_text.h"

namespace da::console {
namespace {

int say(const Result<void>& result, const std::string& done) {
  if (!result) return report(result.error());
  std::cout << done << "\n";
  return kDone;
}

int say(const Result<v1::WriteLockState>& state) {
  if (!state) return report(state.error());
  std::cout << "the write lock is " << (state->open() ? "open" : "closed");
  if (state->open() && state->until_wall_ns() != 0) {
    std::cout << " until " << format_wall(WallTime(Nanoseconds(state->until_wall_ns())));
  }
  if (state->steps_left() > 0) std::cout << " for " << state->steps_left() << " step(s)";
  std::cout << "\n";
  return kDone;
}

// The tool of the question stays where no other is named.
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
  const auto session = Session::open(config);
  if (!session) return report(session.error());
  const auto pictures = ApprovalPictures::of(session->config_file());
  const auto reply = pending_approvals(session->policy(), pictures);
  if (!reply) return report(reply.error());
  for (const v1::ApprovalRequest& request : reply->pending()) {
    const std::string picture = pictures.keep(request);
    std::cout << (format == Format::kJson
                      ? approval_json(request, picture)
                      : approval_text(request, picture, system_clock().wall_now(), columns_of(STDOUT_FILENO)))
              << "\n";
  }
  // Of what the planner does not say, the approvals are shown all the same.
  const auto asked = session->planner().questions();
  if (!asked) return report(asked.error());
  for (const v1::UserQuestion& question : asked->questions()) {
    std::cout << (format == Format::kJson
                      ? question_json(question)
                      : question_text(question, system_clock().wall_now(), columns_of(STDOUT_FILENO)))
              << "\n";
  }
  const bool nothing = reply->pending().empty() && asked->questions().empty();
  if (nothing && format == Format::kLines) std::cout << "nothing waits for an approval or an answer\n";
  return kDone;
}

int answer(const std::filesystem::path& config, const std::string& question_id, const std::string& text) {
  const auto session = Session::open(config);
  if (!session) return report(session.error());
  return say(session->planner().answer(question_id, text, os::local_person()),
             "answered " + escape_foreign(question_id, 40));
}

int approve(const std::filesystem::path& config, const ApproveOptions& options) {
  const auto session = Session::open(config);
  if (!session) return report(session.error());
  v1::ApproveRequest request;
  request.set_approval_id(options.approval_id);
  request.set_approver(os::local_person());
  request.set_code(options.code);
  request.set_repeats_in_task(options.for_task);
  request.set_propose_rule(options.propose_rule);
  const auto reply = session->policy().approve(request);
  if (!reply) return report(reply.error());
  std::cout << "approved " << options.approval_id;
  if (reply->approvals_missing() > 0) std::cout << "; " << reply->approvals_missing() << " more must approve it";
  std::cout << "\n";
  if (!reply->proposed_rule_file().empty()) {
    std::cout << "a rule is proposed in " << reply->proposed_rule_file() << "; it is not in force\n";
  }
  return kDone;
}

int deny(const std::filesystem::path& config, const DenyOptions& options) {
  const auto session = Session::open(config);
  if (!session) return report(session.error());
  v1::DenyRequest request;
  request.set_approval_id(options.approval_id);
  request.set_approver(os::local_person());
  request.set_reason(options.reason);
  if (options.skip) request.set_then(v1::DenyRequest::THEN_SKIP);
  if (options.stop_task) request.set_then(v1::DenyRequest::THEN_STOP_TASK);
  return say(session->policy().deny(request), (options.skip ? "skipped " : "denied ") + options.approval_id);
}

int edit(const std::filesystem::path& config, const std::string& approval_id, const std::string& tool,
         const std::string& arguments) {
  const auto session = Session::open(config);
  if (!session) return report(session.error());
  const auto request = edit_request(session->policy(), approval_id, tool, arguments);
  if (!request) return report(request.error());
  return say(session->policy().edit(*request), "edited " + approval_id + "; it is judged again");
}

int unlock(const std::filesystem::path& config, Milliseconds duration, std::uint32_t steps) {
  const auto session = Session::open(config);
  if (!session) return report(session.error());
  v1::UnlockRequest request;
  request.set_for_ms(static_cast<std::uint32_t>(duration.count()));
  request.set_for_steps(steps);
  request.set_by(os::local_person());
  return say(session->policy().unlock(request));
}

int lock(const std::filesystem::path& config) {
  const auto session = Session::open(config);
  if (!session) return report(session.error());
  return say(session->policy().lock(os::local_person()));
}

}  // namespace da::console
