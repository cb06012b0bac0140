#include "lib/bus/zmq_transport.h"
#include "lib/os/pipe.h"
#include "lib/rpc/server.h"
#include "lib/service/config.h"
#include "lib/service/credentials.h"
#include "lib/service/replay.h"
#include "lib/service/service_info_rpc.h"
#include "lib/service/socket_directories.h"
#include "services/console/replay/stand_in_rpc.h"
#include "services/console/replay/stand_in_services.h"

namespace da::console {

struct StandInServices::Service {
  service::Config config;
  service::LiveCredentials credentials;
  std::unique_ptr<bus::Publisher> bus;
  std::vector<std::unique_ptr<grpc::Service>> rpcs;
  std::unique_ptr<rpc::Server> server;  // Last: it uses the others.
};

namespace {

Result<std::unique_ptr<bus::Publisher>> open_bus(const service::Config& config, const std::string& name,
                                                 const identity::Credentials& credentials) {
  ASSIGN_OR_RETURN(const std::string facts, config.string("bus." + name + ".facts"));
  ASSIGN_OR_RETURN(const auto images, config.find_string("bus." + name + ".images"));
  ASSIGN_OR_RETURN(const std::string desktop, config.string("desktop"));
  ASSIGN_OR_RETURN(auto sink, bus::bind_zmq({facts, images.value_or("")}, credentials));
  return std::make_unique<bus::Publisher>(std::move(sink),
                                          bus::Writer{name, desktop, service::origin_of(desktop)}, system_clock());
}

}  // namespace

StandInServices::StandInServices() = default;
StandInServices::~StandInServices() = default;

Result<std::unique_ptr<StandInServices>> StandInServices::start(const std::filesystem::path& run,
                                                                const HandedOver& handed_over, const RecordedTask& task,
                                                                const ReplayPace& pace) {
  std::unique_ptr<StandInServices> all(new StandInServices());
  for (const identity::Role role : {identity::Role::kObserver, identity::Role::kActuator}) {
    const std::string name(to_string(role));
    ASSIGN_OR_RETURN(auto config, service::Config::load(run / (name + ".toml")));
    RETURN_IF_ERROR(service::make_socket_directories(config, name));
    ASSIGN_OR_RETURN(auto identity, os::make_filled_pipe(to_toml(handed_over.identities.at(name))));
    ASSIGN_OR_RETURN(auto credentials, service::LiveCredentials::open(config, role, identity.release()));
    ASSIGN_OR_RETURN(auto bus, open_bus(config, name, credentials.get()));
    auto service = std::make_unique<Service>(std::move(config), std::move(credentials), std::move(bus));
    const auto desktop = service->config.string("desktop").value();
    service->rpcs.push_back(std::make_unique<service::ServiceInfoRpc>(
        service::ServiceIdentity{name, desktop, service->config.toml()},
        [&task] { return service::Properties{{"recording", task.recording().path().string()}}; },
        service->bus->ring()));
    if (role == identity::Role::kObserver) {
      service->rpcs.push_back(std::make_unique<StandInObserverRpc>(task, pace, *service->bus));
    } else {
      service->rpcs.push_back(
          std::make_unique<StandInActuatorRpc>(task, pace, *service->bus, *service->credentials.get().peers));
    }
    std::vector<grpc::Service*> served;
    for (const auto& rpc : service->rpcs) served.push_back(rpc.get());
    ASSIGN_OR_RETURN(const std::string address, service->config.string("endpoints." + name));
    ASSIGN_OR_RETURN(service->server, rpc::Server::listen(address, served, service->credentials.get()));
    all->services_.push_back(std::move(service));
  }
  return all;
}

}  // namespace da::console
