// The actuator as DesktopSource, over gRPC. Any thread. Errors name da-actuator: kUnavailable, kDeadlineExceeded.
#pragma once

#include <memory>

#include "lib/rpc/cancel.h"
#include "lib/rpc/channel.h"
#include "services/observer/desktop_source.h"

namespace da::observer {

class ActuatorClientRpc final : public DesktopSource {
 public:
  explicit ActuatorClientRpc(rpc::Channel channel);
  ~ActuatorClientRpc() override;

  Result<void> frames(const v1::FramesRequest& request, const TakeChunk& take) override;
  Result<v1::UiTree> read_ui_tree(const v1::UiTreeRequest& request) override;
  Result<v1::UiNode> read_element(const v1::ElementRequest& request) override;
  Result<v1::TextPlacesReply> read_text_places(const v1::TextPlacesRequest& request) override;

  // Ends the calls under way and refuses further ones.
  void cancel() { canceller_.cancel(); }

 private:
  struct Client;
  std::unique_ptr<Client> client_;
  rpc::Canceller canceller_;
};

}  // namespace da::observer
