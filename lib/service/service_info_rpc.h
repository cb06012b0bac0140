// Answers ServiceInfo.Describe for any service. Any thread.
#pragma once

#include <functional>

#include "da/v1/service_rpc.grpc.pb.h"
#include "lib/base/clock.h"
#include "lib/service/properties.h"

namespace da::service {

class ServiceInfoRpc final : public v1::ServiceInfo::Service {
 public:
  ServiceInfoRpc(std::string service, std::string desktop_id, std::function<Properties()> describe);

  grpc::Status Describe(grpc::ServerContext* context, const v1::DescribeRequest* request,
                        v1::ServiceDescription* reply) override;

 private:
  const std::string service_;
  const std::string desktop_id_;
  const std::function<Properties()> describe_;
  const MonoTime started_;
};

}  // namespace da::service
