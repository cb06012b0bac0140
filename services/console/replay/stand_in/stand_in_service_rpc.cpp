#include "services/console/replay/stand_in/stand_in_service_rpc.h"

#include "lib/bus/zmq_transport.h"
#include "lib/service/service_info_rpc.h"
#include "lib/service/socket_directories.h"

namespace da::console {

Result<std::unique_ptr<StandInServiceRpc>> StandInServiceRpc::open(const std::filesystem::path& run,
                                                                   const HandedOver& handed_over, identity::Role role) {
  const std::string name(to_string(role));
  ASSIGN_OR_RETURN(auto config, service::Config::load(run / (name + ".toml")));
  RETURN_IF_ERROR(service::make_socket_directories(config, name));
  ASSIGN_OR_RETURN(auto credentials, service::LiveCredentials::open(config, role, handed_over.identities.at(name)));
  ASSIGN_OR_RETURN(auto desktop, config.string("desktop"));
  return std::unique_ptr<StandInServiceRpc>(
      new StandInServiceRpc(name, std::move(config), std::move(credentials), std::move(desktop)));
}

Result<std::unique_ptr<bus::Sink>> StandInServiceRpc::open_sink() const {
  ASSIGN_OR_RETURN(const std::string facts, config_.string("bus." + name_ + ".facts"));
  ASSIGN_OR_RETURN(const auto images, config_.find_string("bus." + name_ + ".images"));
  return bus::bind_zmq({facts, images.value_or("")}, credentials_.get());
}

Result<void> StandInServiceRpc::serve(std::vector<std::unique_ptr<grpc::Service>> rpcs, const std::string& about) {
  rpcs_ = std::move(rpcs);
  rpcs_.push_back(std::make_unique<service::ServiceInfoRpc>(
      service::ServiceIdentity{name_, desktop_, config_.toml()},
      [about] {
        return service::Properties{{"replay", about}};
      },
      nullptr));
  std::vector<grpc::Service*> served;
  for (const auto& rpc : rpcs_) served.push_back(rpc.get());
  ASSIGN_OR_RETURN(const std::string address, config_.string("endpoints." + name_));
  ASSIGN_OR_RETURN(server_, rpc::Server::listen(address, served, credentials_.get()));
  return ok();
}

}  // namespace da::console
