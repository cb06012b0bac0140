#include "services/policy/actuator_client_rpc.h"

#include <grpcpp/channel.h>

#include "da/v1/actuator_rpc.grpc.pb.h"
#include "lib/rpc/call.h"

namespace da::policy {
namespace {

// A halt must not hang on an actuator that does.
constexpr Milliseconds kHaltTimeout{2'000};
constexpr Milliseconds kResumeTimeout{5'000};
// Shorter than what the actuator waits for before it suspends, so that one that is lost is followed by another.
constexpr Milliseconds kHeartbeatTimeout{1'000};

using Stub = v1::Actuator::Stub;

class RpcActuator final : public Actuator {
 public:
  explicit RpcActuator(const rpc::Channel& channel)
      : client_(channel), heartbeats_(rpc::Channel(channel.peer(), channel.address())) {}

  Result<v1::Evidence> prepare(const v1::PrepareRequest& request, Milliseconds timeout, std::stop_token stop) override {
    rpc::Canceller canceller;
    const std::stop_callback cancel(stop, [&] { canceller.cancel(); });
    return client_.call("Prepare", &Stub::Prepare, request, timeout, &canceller);
  }

  Result<v1::Outcome> execute(const v1::ExecuteRequest& request, Milliseconds timeout, std::stop_token stop) override {
    rpc::Canceller canceller;
    const std::stop_callback cancel(stop, [&] { canceller.cancel(); });
    return client_.call("Execute", &Stub::Execute, request, timeout, &canceller);
  }

  Result<void> halt(const std::string& reason) override {
    v1::ActuatorHaltRequest request;
    request.set_reason(reason);
    RETURN_IF_ERROR(client_.call("Halt", &Stub::Halt, request, kHaltTimeout));
    return ok();
  }

  Result<void> pause(const std::string& reason) override {
    v1::ActuatorPauseRequest request;
    request.set_reason(reason);
    RETURN_IF_ERROR(client_.call("Pause", &Stub::Pause, request, kHaltTimeout));
    return ok();
  }

  Result<void> resume() override {
    RETURN_IF_ERROR(client_.call("Resume", &Stub::Resume, v1::ActuatorResumeRequest(), kResumeTimeout));
    return ok();
  }

  Result<v1::HeartbeatReply> heartbeat(std::stop_token stop) override {
    rpc::Canceller canceller;
    const std::stop_callback cancel(stop, [&] { canceller.cancel(); });
    return heartbeats_.call("Heartbeat", &Stub::Heartbeat, v1::HeartbeatRequest(), kHeartbeatTimeout, &canceller);
  }

 private:
  const rpc::Client<v1::Actuator> client_;
  // A connection of its own: one that is sent before the actuator serves must not make the first step fail, which would
  // not wait until that connection is tried again.
  const rpc::Client<v1::Actuator> heartbeats_;
};

}  // namespace

std::unique_ptr<Actuator> connect_actuator(rpc::Channel channel) { return std::make_unique<RpcActuator>(channel); }

}  // namespace da::policy
