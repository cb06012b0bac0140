#include "services/policy/broker.h"

#include "services/policy/submission.h"

namespace da::policy {
namespace {

constexpr std::size_t kMaxStepIdBytes = 100;

}  // namespace

Result<v1::SubmitReply> Broker::submit(const v1::SubmitRequest& request, std::stop_token stop) {
  ASSIGN_OR_RETURN(auto task, authority_.tasks.find(request.task_token()));
  const std::string& step_id = request.step().step_id();
  if (step_id.empty() || step_id.size() > kMaxStepIdBytes) {
    return Error{Code::kInvalidArgument,
                 "a step needs an id of 1 to " + std::to_string(kMaxStepIdBytes) + " bytes, unique in its task"};
  }
  return Submission(authority_, std::move(task), request, std::move(stop)).run();
}

}  // namespace da::policy
