// Serves Observer: looks, answers, and publishes what was seen as facts. Any thread.
#pragma once

#include "da/v1/observer_rpc.grpc.pb.h"
#include "lib/bus/publisher.h"
#include "services/observer/locator.h"
#include "services/observer/observation_source.h"

namespace da::observer {

class ObserverRpc final : public v1::Observer::Service {
 public:
  ObserverRpc(ObservationSource& observations, Locator& locator, bus::Publisher& bus)
      : observations_(observations), locator_(locator), bus_(bus) {}

  grpc::Status Observe(grpc::ServerContext* context, const v1::ObserveRequest* request,
                       v1::Observation* reply) override;
  grpc::Status Locate(grpc::ServerContext* context, const v1::LocateRequest* request, v1::LocateReply* reply) override;

 private:
  ObservationSource& observations_;
  Locator& locator_;
  bus::Publisher& bus_;
};

}  // namespace da::observer
