#include "services/policy/policy_rpc.h"

#include "lib/rpc/status.h"

namespace da::policy {

grpc::Status PolicyRpc::Submit(grpc::ServerContext* context,
                               rpc::Listener<v1::SubmitRequest, v1::SubmitReply>* caller) {
  return rpc::serve_unary_stream(peers_, *caller, [&](const v1::SubmitRequest& request) {
    const rpc::CallWatch::Scope scope(watch_, *context);
    return policy_.submit(request, scope.token());
  });
}

grpc::Status PolicyRpc::OpenTask(grpc::ServerContext*, const v1::OpenTaskRequest* request, v1::OpenTaskReply* reply) {
  return rpc::answer(policy_.open_task(*request), reply);
}

grpc::Status PolicyRpc::CloseTask(grpc::ServerContext*, const v1::CloseTaskRequest* request,
                                  v1::CloseTaskReply* reply) {
  return rpc::answer(policy_.close_task(*request), reply);
}

grpc::Status PolicyRpc::Approve(grpc::ServerContext*, const v1::ApproveRequest* request, v1::AnswerReply* reply) {
  return rpc::answer(policy_.approve(*request), reply);
}

grpc::Status PolicyRpc::Deny(grpc::ServerContext*, const v1::DenyRequest* request, v1::AnswerReply* reply) {
  return rpc::answer(policy_.deny(*request), reply);
}

grpc::Status PolicyRpc::Edit(grpc::ServerContext*, const v1::EditRequest* request, v1::AnswerReply* reply) {
  return rpc::answer(policy_.edit(*request), reply);
}

grpc::Status PolicyRpc::ListPending(grpc::ServerContext*, const v1::ListPendingRequest* request,
                                    v1::ListPendingReply* reply) {
  return rpc::answer(policy_.list_pending(*request), reply);
}

grpc::Status PolicyRpc::Unlock(grpc::ServerContext*, const v1::UnlockRequest* request, v1::LockReply* reply) {
  return rpc::answer(policy_.unlock(*request), reply);
}

grpc::Status PolicyRpc::Lock(grpc::ServerContext*, const v1::LockRequest* request, v1::LockReply* reply) {
  *reply = policy_.lock(*request);
  return grpc::Status::OK;
}

grpc::Status PolicyRpc::Halt(grpc::ServerContext*, const v1::HaltRequest* request, v1::HaltReply* reply) {
  return rpc::answer(policy_.halt(*request), reply);
}

grpc::Status PolicyRpc::Pause(grpc::ServerContext*, const v1::PauseRequest* request, v1::PauseReply* reply) {
  *reply = policy_.pause(*request);
  return grpc::Status::OK;
}

grpc::Status PolicyRpc::AwaitHalt(grpc::ServerContext* context, const v1::AwaitHaltRequest* request,
                                  v1::AwaitHaltReply* reply) {
  const rpc::CallWatch::Scope scope(watch_, *context);
  return rpc::answer(policy_.await_halt(*request, scope.token()), reply);
}

grpc::Status PolicyRpc::AwaitResume(grpc::ServerContext* context, const v1::AwaitResumeRequest* request,
                                    v1::AwaitResumeReply* reply) {
  const rpc::CallWatch::Scope scope(watch_, *context);
  return rpc::answer(policy_.await_resume(*request, scope.token()), reply);
}

grpc::Status PolicyRpc::Resume(grpc::ServerContext*, const v1::ResumeRequest* request, v1::ResumeReply* reply) {
  return rpc::answer(policy_.resume(*request), reply);
}

grpc::Status PolicyRpc::RenewRecording(grpc::ServerContext*, const v1::RenewRecordingRequest* request,
                                       v1::RenewRecordingReply* reply) {
  *reply = policy_.renew_recording(*request);
  return grpc::Status::OK;
}

}  // namespace da::policy
