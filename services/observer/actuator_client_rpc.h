// Implements DesktopSource by gRPC calls to the actuator. Any thread. Errors: kUnavailable and kDeadlineExceeded name
// da-actuator.
#pragma once

#include <memory>
#include <stop_token>

#include "lib/rpc/channel.h"
#include "services/observer/frames/desktop_source.h"

namespace da::observer {

class ActuatorClientRpc final : public DesktopSource {
 public:
  explicit ActuatorClientRpc(rpc::Channel channel);
  ~ActuatorClientRpc() override;

  Result<void> frames(const v1::FramesRequest& request, const TakeChunk& take) override;
  Result<v1::UiTree> read_ui_tree(const v1::UiTreeRequest& request) override;
  Result<v1::UiNode> read_element(const v1::ElementRequest& request) override;
  Result<v1::TextPlacesReply> read_text_places(const v1::TextPlacesRequest& request) override;
  Result<v1::AwaitChangeReply> await_change(const v1::AwaitChangeRequest& request,
                                            const std::stop_token& stop) override;

  // Cancels running calls and refuses new ones.
  void cancel() { stop_.request_stop(); }

 private:
  struct Client;
  std::unique_ptr<Client> client_;
  std::stop_source stop_;
};

}  // namespace da::observer
