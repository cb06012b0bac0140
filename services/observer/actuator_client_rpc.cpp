#include "services/observer/actuator_client_rpc.h"

#include <grpcpp/channel.h>

#include "da/v1/actuator_rpc.grpc.pb.h"
#include "lib/rpc/call.h"

namespace da::observer {
namespace {

// Added to the wait that a request asks for: the time to capture, compress and send.
constexpr Milliseconds kTransferTime{5000};

}  // namespace

struct ActuatorClientRpc::Client {
  rpc::Client<v1::Actuator> rpc;
};

ActuatorClientRpc::ActuatorClientRpc(rpc::Channel channel)
    : client_(std::make_unique<Client>(Client{rpc::Client<v1::Actuator>(std::move(channel))})) {}
ActuatorClientRpc::~ActuatorClientRpc() = default;

Result<void> ActuatorClientRpc::frames(const v1::FramesRequest& request, const TakeChunk& take) {
  return client_->rpc.stream<v1::FramesRequest, v1::FrameChunk>(
      "Frames", &v1::Actuator::Stub::Frames, request, Milliseconds(request.max_wait_ms()) + kTransferTime,
      [&](v1::FrameChunk& chunk) { return take(chunk); }, stop_.get_token());
}

Result<v1::UiTree> ActuatorClientRpc::read_ui_tree(const v1::UiTreeRequest& request) {
  return client_->rpc.call("ReadUiTree", &v1::Actuator::Stub::ReadUiTree, request,
                           Milliseconds(request.timeout_ms()) + kTransferTime, stop_.get_token());
}

Result<v1::UiNode> ActuatorClientRpc::read_element(const v1::ElementRequest& request) {
  return client_->rpc.call("ReadElement", &v1::Actuator::Stub::ReadElement, request,
                           Milliseconds(request.timeout_ms()) + kTransferTime, stop_.get_token());
}

Result<v1::TextPlacesReply> ActuatorClientRpc::read_text_places(const v1::TextPlacesRequest& request) {
  return client_->rpc.call("ReadTextPlaces", &v1::Actuator::Stub::ReadTextPlaces, request,
                           Milliseconds(request.timeout_ms()) + kTransferTime, stop_.get_token());
}

Result<v1::AwaitChangeReply> ActuatorClientRpc::await_change(const v1::AwaitChangeRequest& request,
                                                             const std::stop_token& stop) {
  std::stop_source either;
  const auto end = [&either] { either.request_stop(); };
  const std::stop_callback of_caller(stop, end);
  const std::stop_callback of_service(stop_.get_token(), end);
  return client_->rpc.call("AwaitChange", &v1::Actuator::Stub::AwaitChange, request,
                           Milliseconds(request.max_wait_ms()) + kTransferTime, either.get_token());
}

}  // namespace da::observer
