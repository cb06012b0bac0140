#include <map>

#include "da/v1/policy_rpc.grpc.pb.h"
#include "lib/base/text.h"
#include "lib/bus/publisher.h"
#include "lib/rpc/status.h"
#include "lib/service/replay.h"
#include "services/console/replay/stand_in/stand_in_rpc.h"
#include "services/console/replay/stand_in/stand_in_service_rpc.h"
#include "services/console/replay/stand_in/stand_ins.h"

namespace da::console {
namespace {

using identity::Role;
using Rpcs = std::vector<std::unique_ptr<grpc::Service>>;

class ObserverAndActuator final : public StandIns {
 public:
  ObserverAndActuator(std::unique_ptr<StandInServiceRpc> observer, std::unique_ptr<StandInServiceRpc> actuator)
      : observer_(std::move(observer)), actuator_(std::move(actuator)) {}

  Result<void> serve(const RecordedTask& task, const ReplayPace& pace) {
    ASSIGN_OR_RETURN(observer_bus_, open_bus(*observer_, "observer"));
    ASSIGN_OR_RETURN(actuator_bus_, open_bus(*actuator_, "actuator"));
    const std::string about = task.recording().path().string();
    Rpcs observer;
    observer.push_back(std::make_unique<StandInObserverRpc>(task, pace, *observer_bus_));
    RETURN_IF_ERROR(observer_->serve(std::move(observer), about));
    Rpcs actuator;
    actuator.push_back(std::make_unique<StandInActuatorRpc>(task, pace, *actuator_bus_, actuator_->peers()));
    return actuator_->serve(std::move(actuator), about);
  }

 private:
  static Result<std::unique_ptr<bus::Publisher>> open_bus(const StandInServiceRpc& service, const std::string& name) {
    ASSIGN_OR_RETURN(auto sink, service.open_sink());
    const bus::Writer writer{name, service.desktop(), service::origin_of(service.desktop())};
    return std::make_unique<bus::Publisher>(std::move(sink), writer, system_clock());
  }

  std::unique_ptr<bus::Publisher> observer_bus_;
  std::unique_ptr<bus::Publisher> actuator_bus_;
  const std::unique_ptr<StandInServiceRpc> observer_;  // These use the buses.
  const std::unique_ptr<StandInServiceRpc> actuator_;
};

// Nothing is ever asked in a recording that is shown again.
class NoApprovalsRpc final : public v1::Policy::Service {
 public:
  grpc::Status ListPending(grpc::ServerContext*, const v1::ListPendingRequest*, v1::ListPendingReply*) override {
    return grpc::Status::OK;
  }
};

class AllPublishers final : public Publishers {
 public:
  Result<void> add(std::unique_ptr<StandInServiceRpc> service, Role role, const std::string& about) {
    ASSIGN_OR_RETURN(sinks_[std::string(to_string(role))], service->open_sink());
    Rpcs rpcs;
    if (role == Role::kPolicy) rpcs.push_back(std::make_unique<NoApprovalsRpc>());
    RETURN_IF_ERROR(service->serve(std::move(rpcs), about));
    services_.push_back(std::move(service));
    return ok();
  }

  Result<void> send(const std::string& writer, bus::Lane lane, const std::string& topic,
                    const std::string& payload) override {
    const auto sink = sinks_.find(writer);
    if (sink == sinks_.end()) return Error{Code::kDataLoss, "a fact of " + escape_foreign(writer, 40)};
    sink->second->send(lane, topic, std::make_shared<const std::string>(payload));
    return ok();
  }

 private:
  std::vector<std::unique_ptr<StandInServiceRpc>> services_;
  std::map<std::string, std::unique_ptr<bus::Sink>> sinks_;
};

}  // namespace

Result<std::unique_ptr<StandIns>> start_observer_and_actuator(const std::filesystem::path& run,
                                                              const HandedOver& handed_over, const RecordedTask& task,
                                                              const ReplayPace& pace) {
  ASSIGN_OR_RETURN(auto observer, StandInServiceRpc::open(run, handed_over, Role::kObserver));
  ASSIGN_OR_RETURN(auto actuator, StandInServiceRpc::open(run, handed_over, Role::kActuator));
  auto both = std::make_unique<ObserverAndActuator>(std::move(observer), std::move(actuator));
  RETURN_IF_ERROR(both->serve(task, pace));
  return std::unique_ptr<StandIns>(std::move(both));
}

Result<std::unique_ptr<Publishers>> start_publishers(const std::filesystem::path& run, const HandedOver& handed_over,
                                                     const std::string& about) {
  auto all = std::make_unique<AllPublishers>();
  for (const Role role : {Role::kObserver, Role::kPlanner, Role::kPolicy, Role::kActuator}) {
    ASSIGN_OR_RETURN(auto service, StandInServiceRpc::open(run, handed_over, role));
    RETURN_IF_ERROR(all->add(std::move(service), role, about));
  }
  return std::unique_ptr<Publishers>(std::move(all));
}

}  // namespace da::console
