#include "lib/service/service_info_rpc.h"

#include <unistd.h>

#include "lib/service/version.h"

namespace da::service {

ServiceInfoRpc::ServiceInfoRpc(std::string service, std::string desktop_id, std::function<Properties()> describe)
    : service_(std::move(service)),
      desktop_id_(std::move(desktop_id)),
      describe_(std::move(describe)),
      started_(system_clock().now()) {}

grpc::Status ServiceInfoRpc::Describe(grpc::ServerContext*, const v1::DescribeRequest*, v1::ServiceDescription* reply) {
  reply->set_service(service_);
  reply->set_version(kVersion);
  reply->set_pid(static_cast<std::uint32_t>(::getpid()));
  reply->set_uptime_s(std::chrono::duration<double>(system_clock().now() - started_).count());
  reply->set_desktop_id(desktop_id_);
  for (const auto& [name, value] : describe_()) {
    auto* property = reply->add_properties();
    property->set_name(name);
    property->set_value(value);
  }
  return grpc::Status::OK;
}

}  // namespace da::service
