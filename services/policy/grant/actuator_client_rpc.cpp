#include "services/policy/grant/actuator_client_rpc.h"

#include <grpcpp/channel.h>

#include "da/v1/actuator_rpc.grpc.pb.h"
#include "lib/rpc/call.h"
#include "lib/rpc/unary_stream.h"

namespace da::policy {
namespace {

// Bounds a halt when the actuator hangs.
constexpr Milliseconds kHaltTimeout{2'000};
constexpr Milliseconds kResumeTimeout{5'000};
// Shorter than the actuator's dead-man timeout, so that one lost heartbeat does not suspend it.
constexpr Milliseconds kHeartbeatTimeout{1'000};

using ActuatorStub = v1::Actuator::Stub;

class RpcActuator final : public Actuator {
 public:
  RpcActuator(const rpc::Channel& channel, const rpc::Channel& heartbeats)
      : client_(channel), act_(channel, "Act", &ActuatorStub::AsyncAct), heartbeats_(heartbeats) {}

  Result<contract::SealedEvidence> prepare(const v1::PrepareRequest& request, Milliseconds timeout,
                                           std::stop_token stop) override {
    v1::ActRequest act;
    *act.mutable_prepare() = request;
    ASSIGN_OR_RETURN(auto reply, act_.ask(act, timeout, stop));
    if (!reply.has_evidence()) return Error{Code::kInternal, "da-actuator answered Prepare without evidence"};
    return contract::unseal(std::move(*reply.mutable_evidence()));
  }

  Result<v1::Outcome> execute(const v1::ExecuteRequest& request, Milliseconds timeout, std::stop_token stop) override {
    v1::ActRequest act;
    *act.mutable_execute() = request;
    // Safe to send again: the actuator accepts a grant once.
    ASSIGN_OR_RETURN(auto reply, act_.ask(act, timeout, stop));
    if (!reply.has_outcome()) return Error{Code::kInternal, "da-actuator answered Execute without an outcome"};
    return std::move(*reply.mutable_outcome());
  }

  Result<void> halt(const std::string& reason) override {
    v1::ActuatorHaltRequest request;
    request.set_reason(reason);
    RETURN_IF_ERROR(client_.call("Halt", &ActuatorStub::Halt, request, kHaltTimeout));
    return ok();
  }

  Result<void> pause(const std::string& reason) override {
    v1::ActuatorPauseRequest request;
    request.set_reason(reason);
    RETURN_IF_ERROR(client_.call("Pause", &ActuatorStub::Pause, request, kHaltTimeout));
    return ok();
  }

  Result<void> resume() override {
    RETURN_IF_ERROR(client_.call("Resume", &ActuatorStub::Resume, v1::ActuatorResumeRequest(), kResumeTimeout));
    return ok();
  }

  Result<v1::HeartbeatReply> heartbeat(const v1::HeartbeatRequest& request, std::stop_token stop) override {
    return heartbeats_.call("Heartbeat", &ActuatorStub::Heartbeat, request, kHeartbeatTimeout, stop);
  }

 private:
  const rpc::Client<v1::Actuator> client_;
  rpc::UnaryStreams<v1::Actuator, v1::ActRequest, v1::ActReply> act_;
  const rpc::Client<v1::Actuator> heartbeats_;
};

}  // namespace

std::unique_ptr<Actuator> connect_actuator(const rpc::Channel& channel, const rpc::Channel& heartbeats) {
  return std::make_unique<RpcActuator>(channel, heartbeats);
}

}  // namespace da::policy
