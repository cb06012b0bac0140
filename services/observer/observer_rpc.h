// Serves the Observer RPCs, and publishes observations, images and answers as facts on the bus. Any thread.
#pragma once

#include <deque>
#include <mutex>

#include "da/v1/observer_rpc.grpc.pb.h"
#include "lib/bus/publisher.h"
#include "lib/rpc/call_watch.h"
#include "services/observer/analyse/analyser.h"
#include "services/observer/frames/observation_source.h"
#include "services/observer/locate/locator.h"

namespace da::observer {

class ObserverRpc final : public v1::Observer::Service {
 public:
  ObserverRpc(ObservationSource& observations, Locator& locator, Analyser& analyser, FrameCache& frames,
              bus::Publisher& bus)
      : observations_(observations), locator_(locator), analyser_(analyser), frames_(frames), bus_(bus) {}

  grpc::Status Observe(grpc::ServerContext* context, const v1::ObserveRequest* request,
                       v1::Observation* reply) override;
  grpc::Status ReadImage(grpc::ServerContext* context, const v1::ReadImageRequest* request,
                         v1::ImageFact* reply) override;
  grpc::Status Zoom(grpc::ServerContext* context, const v1::ZoomRequest* request, v1::ImageFact* reply) override;
  grpc::Status ReadUi(grpc::ServerContext* context, const v1::ReadUiRequest* request, v1::UiTree* reply) override;
  grpc::Status Locate(grpc::ServerContext* context, const v1::LocateRequest* request, v1::LocateReply* reply) override;
  grpc::Status Analyze(grpc::ServerContext* context, const v1::AnalyzeRequest* request,
                       v1::AnalyzeReply* reply) override;

 private:
  struct KeptImage {
    v1::ImageFact image;
    std::string observation_token;  // Only its task may read the image.
  };

  // Publishes request and reply, and sends the reply.
  template <class Request, class Reply>
  grpc::Status answer(const Request& request, Result<Reply> result, Reply* reply);

  ObservationSource& observations_;
  Locator& locator_;
  Analyser& analyser_;
  FrameCache& frames_;
  bus::Publisher& bus_;
  std::mutex mutex_;
  std::deque<KeptImage> images_;  // Newest last.
  rpc::CallWatch watch_;
};

}  // namespace da::observer
