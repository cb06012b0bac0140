#include "services/planner/observer_client_rpc.h"

#include <grpcpp/channel.h>

#include "da/v1/observer_rpc.grpc.pb.h"
#include "lib/rpc/call.h"

namespace da::planner {
namespace {

// Beyond the wait that the request itself asks for: capture, elements and text recognition of a busy machine.
constexpr Milliseconds kLookTimeout{15'000};

using Stub = v1::Observer::Stub;

class RpcObserver final : public Observer {
 public:
  explicit RpcObserver(rpc::Channel channel) : client_(std::move(channel)) {}

  Result<v1::Observation> observe(const v1::ObserveRequest& request, rpc::Canceller& canceller) override {
    const Milliseconds timeout = kLookTimeout + Milliseconds(request.max_wait_ms());
    return client_.call("Observe", &Stub::Observe, request, timeout, &canceller);
  }

  Result<v1::LocateReply> locate(const v1::LocateRequest& request, rpc::Canceller& canceller) override {
    const Milliseconds timeout = kLookTimeout + Milliseconds(request.max_wait_ms());
    return client_.call("Locate", &Stub::Locate, request, timeout, &canceller);
  }

  Result<v1::ImageFact> read_image(const v1::ReadImageRequest& request, rpc::Canceller& canceller) override {
    return client_.call("ReadImage", &Stub::ReadImage, request, kLookTimeout, &canceller);
  }

  Result<v1::ImageFact> zoom(const v1::ZoomRequest& request, rpc::Canceller& canceller) override {
    return client_.call("Zoom", &Stub::Zoom, request, kLookTimeout, &canceller);
  }

  Result<v1::UiTree> read_ui(const v1::ReadUiRequest& request, rpc::Canceller& canceller) override {
    return client_.call("ReadUi", &Stub::ReadUi, request, kLookTimeout, &canceller);
  }

 private:
  const rpc::Client<v1::Observer> client_;
};

}  // namespace

std::unique_ptr<Observer> connect_observer(rpc::Channel channel) {
  return std::make_unique<RpcObserver>(std::move(channel));
}

}  // namespace da::planner
