// The gRPC service Planner: a thin shell around the planner. No call waits for a person. Any thread.
#pragma once

#include "da/v1/planner_rpc.grpc.pb.h"
#include "services/planner/planner.h"

namespace da::planner {

class PlannerRpc final : public v1::Planner::Service {
 public:
  explicit PlannerRpc(Planner& planner) : planner_(planner), queue_(planner.tasks()) {}

  grpc::Status ChoosePlanner(grpc::ServerContext* context, const v1::ChoosePlannerRequest* request,
                             v1::ChoosePlannerReply* reply) override;
  grpc::Status StartTask(grpc::ServerContext* context, const v1::StartTaskRequest* request,
                         v1::StartTaskReply* reply) override;
  grpc::Status AwaitTask(grpc::ServerContext* context, const v1::AwaitTaskRequest* request,
                         v1::AwaitTaskReply* reply) override;
  grpc::Status CancelTask(grpc::ServerContext* context, const v1::CancelTaskRequest* request,
                          v1::CancelTaskReply* reply) override;
  grpc::Status RunCommand(grpc::ServerContext* context, const v1::RunCommandRequest* request,
                          v1::RunCommandReply* reply) override;
  grpc::Status ListQuestions(grpc::ServerContext* context, const v1::ListQuestionsRequest* request,
                             v1::ListQuestionsReply* reply) override;
  grpc::Status AnswerQuestion(grpc::ServerContext* context, const v1::AnswerQuestionRequest* request,
                              v1::AnswerQuestionReply* reply) override;

 private:
  Planner& planner_;
  TaskQueue& queue_;
};

}  // namespace da::planner
