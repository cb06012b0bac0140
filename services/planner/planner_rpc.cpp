#include "services/planner/planner_rpc.h"

#include <algorithm>

#include "lib/rpc/status.h"

namespace da::planner {
namespace {

// Bounds how long a caller that has gone away occupies a server thread.
constexpr Milliseconds kMaxAwait{30'000};

}  // namespace

grpc::Status PlannerRpc::ChoosePlanner(grpc::ServerContext*, const v1::ChoosePlannerRequest* request,
                                       v1::ChoosePlannerReply* reply) {
  return rpc::answer(planner_.choose(*request), reply);
}

grpc::Status PlannerRpc::StartTask(grpc::ServerContext*, const v1::StartTaskRequest* request,
                                   v1::StartTaskReply* reply) {
  return rpc::answer(queue_.start(*request), reply);
}

grpc::Status PlannerRpc::AwaitTask(grpc::ServerContext*, const v1::AwaitTaskRequest* request,
                                   v1::AwaitTaskReply* reply) {
  return rpc::answer(queue_.await(request->task_id(), std::min(Milliseconds(request->max_wait_ms()), kMaxAwait)),
                     reply);
}

grpc::Status PlannerRpc::CancelTask(grpc::ServerContext*, const v1::CancelTaskRequest* request, v1::CancelTaskReply*) {
  const auto cancelled = queue_.cancel(request->task_id(), request->reason());
  return cancelled ? grpc::Status::OK : rpc::to_status(cancelled.error());
}

grpc::Status PlannerRpc::RunCommand(grpc::ServerContext*, const v1::RunCommandRequest* request,
                                    v1::RunCommandReply* reply) {
  return rpc::answer(queue_.run_command(*request, std::min(Milliseconds(request->max_wait_ms()), kMaxAwait)), reply);
}

grpc::Status PlannerRpc::ListQuestions(grpc::ServerContext*, const v1::ListQuestionsRequest*,
                                       v1::ListQuestionsReply* reply) {
  *reply = queue_.questions().list();
  return grpc::Status::OK;
}

grpc::Status PlannerRpc::AnswerQuestion(grpc::ServerContext*, const v1::AnswerQuestionRequest* request,
                                        v1::AnswerQuestionReply*) {
  const auto answered = queue_.questions().answer(*request);
  return answered ? grpc::Status::OK : rpc::to_status(answered.error());
}

}  // namespace da::planner
