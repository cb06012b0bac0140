#include "services/observer/actuator_client_rpc.h"

#include <grpcpp/channel.h>

#include "da/v1/actuator_rpc.grpc.pb.h"
#include "lib/rpc/call.h"

namespace da::observer {
namespace {

// On top of what the actuator is asked to wait: capture, compress, send.
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
      [&](v1::FrameChunk& chunk) { return take(chunk); }, &canceller_);
}

Result<v1::UiTree> ActuatorClientRpc::read_ui_tree(const v1::UiTreeRequest& request) {
  return client_->rpc.call<v1::UiTreeRequest, v1::UiTree>("ReadUiTree", &v1::Actuator::Stub::ReadUiTree, request,
                                                          Milliseconds(request.timeout_ms()) + kTransferTime,
                                                          &canceller_);
}

Result<v1::UiNode> ActuatorClientRpc::read_element(const v1::ElementRequest& request) {
  return client_->rpc.call<v1::ElementRequest, v1::UiNode>("ReadElement", &v1::Actuator::Stub::ReadElement, request,
                                                           Milliseconds(request.timeout_ms()) + kTransferTime,
                                                           &canceller_);
}

Result<v1::TextPlacesReply> ActuatorClientRpc::read_text_places(const v1::TextPlacesRequest& request) {
  return client_->rpc.call<v1::TextPlacesRequest, v1::TextPlacesReply>(
      "ReadTextPlaces", &v1::Actuator::Stub::ReadTextPlaces, request,
      Milliseconds(request.timeout_ms()) + kTransferTime, &canceller_);
}

}  // namespace da::observer
