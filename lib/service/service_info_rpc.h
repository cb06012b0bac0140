// Answers ServiceInfo for any service: what it is, its state, and the facts that it has published last. Any thread.
#pragma once

#include <functional>
#include <memory>

#include "da/v1/service_rpc.grpc.pb.h"
#include "lib/base/clock.h"
#include "lib/bus/fact_ring.h"
#include "lib/service/properties.h"

namespace da::service {

struct ServiceIdentity {
  std::string service;
  std::string desktop_id;
  std::string config_toml;
};

class ServiceInfoRpc final : public v1::ServiceInfo::Service {
 public:
  // published: nullptr if the service publishes nothing.
  ServiceInfoRpc(ServiceIdentity identity, std::function<Properties()> describe,
                 std::shared_ptr<const bus::FactRing> published);

  grpc::Status Describe(grpc::ServerContext* context, const v1::DescribeRequest* request,
                        v1::ServiceDescription* reply) override;
  grpc::Status FetchFacts(grpc::ServerContext* context, const v1::FetchFactsRequest* request,
                          grpc::ServerWriter<v1::FetchedFact>* writer) override;

 private:
  const ServiceIdentity identity_;
  const std::function<Properties()> describe_;
  const std::shared_ptr<const bus::FactRing> published_;
  const MonoTime started_;
};

}  // namespace da::service
