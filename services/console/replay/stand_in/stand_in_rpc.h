// The recording as observer and as actuator: answers their calls with what they answered then, not before the time at
// which they did. Nothing acts on any desktop. Any thread.
#pragma once

#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <string>

#include "da/v1/actuator_rpc.grpc.pb.h"
#include "da/v1/observer_rpc.grpc.pb.h"
#include "lib/bus/publisher.h"
#include "lib/identity/known_peers.h"
#include "lib/rpc/unary_stream.h"
#include "services/console/replay/playback/replay_pace.h"
#include "services/console/replay/recorded_task.h"
#include "services/console/replay/stand_in/answer_book.h"

namespace da::console {

class StandInObserverRpc final : public v1::Observer::Service {
 public:
  StandInObserverRpc(const RecordedTask& task, const ReplayPace& pace, bus::Publisher& bus)
      : task_(task), pace_(pace), bus_(bus), book_(task.answers()) {}

  grpc::Status Observe(grpc::ServerContext* context, const v1::ObserveRequest* request,
                       v1::Observation* reply) override;
  grpc::Status Locate(grpc::ServerContext* context, const v1::LocateRequest* request, v1::LocateReply* reply) override;
  grpc::Status ReadUi(grpc::ServerContext* context, const v1::ReadUiRequest* request, v1::UiTree* reply) override;
  grpc::Status Zoom(grpc::ServerContext* context, const v1::ZoomRequest* request, v1::ImageFact* reply) override;
  grpc::Status Analyze(grpc::ServerContext* context, const v1::AnalyzeRequest* request,
                       v1::AnalyzeReply* reply) override;
  grpc::Status ReadImage(grpc::ServerContext* context, const v1::ReadImageRequest* request,
                         v1::ImageFact* reply) override;

 private:
  // The recorded answer; publishes it.
  Result<v1::ObserverAnswer> answer(v1::ObserverAnswer asked, const std::string& task_id, const std::string& cause);

  const RecordedTask& task_;
  const ReplayPace& pace_;
  bus::Publisher& bus_;
  std::mutex mutex_;
  AnswerBook book_;
};

class StandInActuatorRpc final : public v1::Actuator::Service {
 public:
  StandInActuatorRpc(const RecordedTask& task, const ReplayPace& pace, bus::Publisher& bus,
                     const identity::KnownPeers& peers);

  grpc::Status Act(grpc::ServerContext* context, rpc::Listener<v1::ActRequest, v1::ActReply>* caller) override;
  grpc::Status Heartbeat(grpc::ServerContext*, const v1::HeartbeatRequest*, v1::HeartbeatReply*) override {
    return grpc::Status::OK;
  }
  grpc::Status Resume(grpc::ServerContext*, const v1::ActuatorResumeRequest*, v1::ActuatorResumeReply*) override {
    return grpc::Status::OK;
  }
  grpc::Status Halt(grpc::ServerContext*, const v1::ActuatorHaltRequest*, v1::ActuatorHaltReply*) override {
    return grpc::Status::OK;
  }
  grpc::Status Pause(grpc::ServerContext*, const v1::ActuatorPauseRequest*, v1::ActuatorPauseReply*) override {
    return grpc::Status::OK;
  }

 private:
  template <class Recorded>
  using ByAction = std::map<std::string, std::deque<Recorded>>;  // Keyed by the action's digest.

  Result<v1::ActReply> act(const v1::ActRequest& request);
  Result<v1::Evidence> evidence(const v1::PrepareRequest& request);
  v1::Outcome outcome(const v1::ExecuteRequest& request);

  const ReplayPace& pace_;
  bus::Publisher& bus_;
  const identity::KnownPeers& peers_;
  std::mutex mutex_;
  ByAction<v1::StepJudged> evidence_;
  ByAction<v1::Evidence> pictured_;  // Evidence of questions, as people saw it.
  ByAction<v1::Outcome> outcomes_;
};

}  // namespace da::console
