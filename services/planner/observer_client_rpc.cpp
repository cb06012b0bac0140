#include <grpcpp/channel.h>

#include "da/v1/observer_rpc.grpc.pb.h"
#include "lib/rpc/call.h"
#include "services/planner/roles.h"

namespace da::planner {
namespace {

// Added to the request's own max_wait: time for capture, elements and OCR on a busy machine.
constexpr Milliseconds kLookTimeout{15'000};

using ObserverStub = v1::Observer::Stub;

class RpcObserver final : public Observer {
 public:
  explicit RpcObserver(rpc::Channel channel) : client_(std::move(channel)) {}

  Result<v1::Observation> observe(const v1::ObserveRequest& request, std::stop_token stop) override {
    const Milliseconds timeout = kLookTimeout + Milliseconds(request.max_wait_ms());
    return client_.call("Observe", &ObserverStub::Observe, request, timeout, stop);
  }

  Result<v1::LocateReply> locate(const v1::LocateRequest& request, std::stop_token stop) override {
    const Milliseconds timeout = kLookTimeout + Milliseconds(request.max_wait_ms());
    return client_.call("Locate", &ObserverStub::Locate, request, timeout, stop);
  }

  Result<v1::ImageFact> read_image(const v1::ReadImageRequest& request, std::stop_token stop) override {
    return client_.call("ReadImage", &ObserverStub::ReadImage, request, kLookTimeout, stop);
  }

  Result<v1::ImageFact> zoom(const v1::ZoomRequest& request, std::stop_token stop) override {
    return client_.call("Zoom", &ObserverStub::Zoom, request, kLookTimeout, stop);
  }

  Result<v1::UiTree> read_ui(const v1::ReadUiRequest& request, std::stop_token stop) override {
    return client_.call("ReadUi", &ObserverStub::ReadUi, request, kLookTimeout, stop);
  }

  Result<v1::AnalyzeReply> analyze(const v1::AnalyzeRequest& request, std::stop_token stop) override {
    const Milliseconds timeout = kLookTimeout + Milliseconds(request.max_wait_ms());
    return client_.call("Analyze", &ObserverStub::Analyze, request, timeout, stop);
  }

 private:
  const rpc::Client<v1::Observer> client_;
};

}  // namespace

std::unique_ptr<Observer> connect_observer(rpc::Channel channel) {
  return std::make_unique<RpcObserver>(std::move(channel));
}

}  // namespace da::planner
