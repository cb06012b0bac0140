// One service of an embedded run that is served by this process: on its endpoint, with its identity, and on the bus.
// Owner's thread.
#pragma once

#include <grpcpp/impl/service_type.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "lib/bus/transport.h"
#include "lib/rpc/server.h"
#include "lib/service/config.h"
#include "lib/service/credentials.h"
#include "services/console/session/embedded_config.h"

namespace da::console {

class StandInServiceRpc {
 public:
  static Result<std::unique_ptr<StandInServiceRpc>> open(const std::filesystem::path& run,
                                                         const HandedOver& handed_over, identity::Role role);

  const identity::KnownPeers& peers() const { return *credentials_.get().peers; }
  const std::string& desktop() const { return desktop_; }
  // Binds the service's bus sockets.
  Result<std::unique_ptr<bus::Sink>> open_sink() const;
  // Serves these, and ServiceInfo with `about`. Once.
  Result<void> serve(std::vector<std::unique_ptr<grpc::Service>> rpcs, const std::string& about);

 private:
  StandInServiceRpc(std::string name, service::Config config, service::LiveCredentials credentials, std::string desktop)
      : name_(std::move(name)),
        config_(std::move(config)),
        credentials_(std::move(credentials)),
        desktop_(std::move(desktop)) {}

  const std::string name_;
  const service::Config config_;
  const service::LiveCredentials credentials_;
  const std::string desktop_;
  std::vector<std::unique_ptr<grpc::Service>> rpcs_;
  std::unique_ptr<rpc::Server> server_;  // Last: it uses the others.
};

}  // namespace da::console
