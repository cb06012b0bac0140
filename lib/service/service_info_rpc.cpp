#include "lib/service/service_info_rpc.h"

#include <unistd.h>

#include "lib/service/version.h"

namespace da::service {

ServiceInfoRpc::ServiceInfoRpc(ServiceIdentity identity, std::function<Properties()> describe,
                               std::shared_ptr<const bus::FactRing> published)
    : identity_(std::move(identity)),
      describe_(std::move(describe)),
      published_(std::move(published)),
      started_(system_clock().now()) {}

grpc::Status ServiceInfoRpc::Describe(grpc::ServerContext*, const v1::DescribeRequest*, v1::ServiceDescription* reply) {
  reply->set_service(identity_.service);
  reply->set_version(kVersion);
  reply->set_pid(static_cast<std::uint32_t>(::getpid()));
  reply->set_uptime_s(std::chrono::duration<double>(system_clock().now() - started_).count());
  reply->set_desktop_id(identity_.desktop_id);
  reply->set_config_toml(identity_.config_toml);
  const auto add_property = [&](const std::string& name, const std::string& value) {
    auto* property = reply->add_properties();
    property->set_name(name);
    property->set_value(value);
  };
  for (const auto& [name, value] : describe_()) add_property(name, value);
  if (published_ == nullptr) return grpc::Status::OK;
  add_property("kept facts", std::to_string(published_->bytes() / 1000) + " kB");
  reply->set_instance(published_->instance());
  for (const auto& [topic, sequence] : published_->last()) {
    auto* published = reply->add_published();
    published->set_topic(topic);
    published->set_sequence(sequence);
  }
  return grpc::Status::OK;
}

grpc::Status ServiceInfoRpc::FetchFacts(grpc::ServerContext*, const v1::FetchFactsRequest* request,
                                        grpc::ServerWriter<v1::FetchedFact>* writer) {
  if (published_ == nullptr || published_->instance() != request->instance()) {
    return {grpc::StatusCode::NOT_FOUND, "the facts of this instance are gone: the service was started again"};
  }
  v1::FetchedFact fact;
  for (const auto& payload : published_->range(request->topic(), request->from(), request->to())) {
    fact.set_payload(*payload);
    if (!writer->Write(fact)) break;  // The caller is gone.
  }
  return grpc::Status::OK;
}

}  // namespace da::service
