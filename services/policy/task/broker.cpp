#include "services/policy/task/broker.h"

#include "lib/base/fault_point.h"

namespace da::policy {
namespace {

constexpr std::size_t kMaxStepIdBytes = 100;
// The largest honest step pastes 200,000 characters. Several questions must fit into one reply.
constexpr std::size_t kMaxStepBytes = 900'000;
constexpr std::size_t kMaxJustificationBytes = 8'000;

}  // namespace

Result<v1::SubmitReply> Broker::submit(const v1::SubmitRequest& request, std::stop_token stop) {
  ASSIGN_OR_RETURN(auto task, context_.tasks.find(request.task_token()));
  const std::string& step_id = request.step().step_id();
  if (step_id.empty() || step_id.size() > kMaxStepIdBytes) {
    return Error{Code::kInvalidArgument,
                 "a step needs an id of 1 to " + std::to_string(kMaxStepIdBytes) + " bytes, unique in its task"};
  }
  if (request.step().justification().size() > kMaxJustificationBytes || request.step().ByteSizeLong() > kMaxStepBytes) {
    return Error{Code::kInvalidArgument, "the step is too large: at most " + std::to_string(kMaxStepBytes) +
                                             " bytes, " + std::to_string(kMaxJustificationBytes) +
                                             " of them its justification"};
  }
  DA_FAULT_POINT("policy.on_submit");
  const std::string task_id = task.task_id;
  ASSIGN_OR_RETURN(const auto admission, context_.tasks.count_submission(task_id, context_.clock.now()));
  Submission submission(context_, std::move(task), request, std::move(stop));
  if (admission == TaskUse::Admission::kReject) return submission.too_many();
  const bool accepted = admission == TaskUse::Admission::kAccepted;
  Result<v1::SubmitReply> reply = accepted ? submission.run() : submission.deny_as_too_many();
  if (reply && reply->has_outcome() && !submission.off_record()) context_.audit.outcome(task_id, reply->outcome());
  DA_FAULT_POINT("policy.before_reply");
  return reply;
}

}  // namespace da::policy
