// The service Policy over gRPC: a thin shell around policy.h. Submit waits for people on the call's own thread, and
// stops when its caller goes away. Must be destroyed after the server and before the Policy.
#pragma once

#include "da/v1/policy_rpc.grpc.pb.h"
#include "lib/rpc/call_watch.h"
#include "lib/rpc/unary_stream.h"
#include "services/policy/policy.h"

namespace da::policy {

class PolicyRpc final : public v1::Policy::Service {
 public:
  PolicyRpc(Policy& policy, const identity::KnownPeers& peers) : policy_(policy), peers_(peers) {}

  grpc::Status OpenTask(grpc::ServerContext* context, const v1::OpenTaskRequest* request,
                        v1::OpenTaskReply* reply) override;
  grpc::Status CloseTask(grpc::ServerContext* context, const v1::CloseTaskRequest* request,
                         v1::CloseTaskReply* reply) override;
  grpc::Status Submit(grpc::ServerContext* context, rpc::Listener<v1::SubmitRequest, v1::SubmitReply>* caller) override;
  grpc::Status Approve(grpc::ServerContext* context, const v1::ApproveRequest* request,
                       v1::AnswerReply* reply) override;
  grpc::Status Deny(grpc::ServerContext* context, const v1::DenyRequest* request, v1::AnswerReply* reply) override;
  grpc::Status Edit(grpc::ServerContext* context, const v1::EditRequest* request, v1::AnswerReply* reply) override;
  grpc::Status ListPending(grpc::ServerContext* context, const v1::ListPendingRequest* request,
                           v1::ListPendingReply* reply) override;
  grpc::Status Unlock(grpc::ServerContext* context, const v1::UnlockRequest* request, v1::LockReply* reply) override;
  grpc::Status Lock(grpc::ServerContext* context, const v1::LockRequest* request, v1::LockReply* reply) override;
  grpc::Status Halt(grpc::ServerContext* context, const v1::HaltRequest* request, v1::HaltReply* reply) override;
  grpc::Status Pause(grpc::ServerContext* context, const v1::PauseRequest* request, v1::PauseReply* reply) override;
  grpc::Status AwaitHalt(grpc::ServerContext* context, const v1::AwaitHaltRequest* request,
                         v1::AwaitHaltReply* reply) override;
  grpc::Status AwaitResume(grpc::ServerContext* context, const v1::AwaitResumeRequest* request,
                           v1::AwaitResumeReply* reply) override;
  grpc::Status Resume(grpc::ServerContext* context, const v1::ResumeRequest* request, v1::ResumeReply* reply) override;
  grpc::Status RenewRecording(grpc::ServerContext* context, const v1::RenewRecordingRequest* request,
                              v1::RenewRecordingReply* reply) override;

 private:
  Policy& policy_;
  const identity::KnownPeers& peers_;
  rpc::CallWatch watch_;
};

}  // namespace da::policy
