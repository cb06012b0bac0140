#include "services/console/replay/stand_in/stand_in_rpc.h"

#include <algorithm>

#include "lib/contract/digest.h"
#include "lib/contract/evidence/sealed_evidence.h"
#include "lib/rpc/status.h"

namespace da::console {
namespace {

// Takes the next entry of this action; the last entry is repeated. nullptr: the recording has no entry.
template <class Recorded>
const Recorded* take(std::map<std::string, std::deque<Recorded>>& recorded, const std::string& digest) {
  const auto found = recorded.find(digest);
  if (found == recorded.end()) return nullptr;
  auto& queue = found->second;
  if (queue.size() > 1) queue.pop_front();
  return &queue.front();
}

WallTime time_of(const v1::Header& fact) { return WallTime(Nanoseconds(fact.wall_ns())); }

}  // namespace

Result<v1::ObserverAnswer> StandInObserverRpc::answer(v1::ObserverAnswer asked, const std::string& task_id,
                                                      const std::string& cause) {
  asked.mutable_header()->set_cause(cause);
  const v1::ObserverAnswer* recorded = nullptr;
  {
    const std::lock_guard hold(mutex_);
    recorded = book_.next(asked);
  }
  if (recorded == nullptr) return Error{Code::kNotFound, "the recording has no answer to this request"};
  pace_.wait_for(time_of(recorded->header()));
  v1::ObserverAnswer fact = *recorded;
  if (fact.has_observation()) {
    v1::Observation observation = fact.observation();
    bus_.publish(observation, task_id, cause);
  }
  bus_.publish(fact, task_id, cause);
  if (!fact.error().empty()) return Error{Code::kUnavailable, fact.error()};
  return fact;
}

grpc::Status StandInObserverRpc::Observe(grpc::ServerContext*, const v1::ObserveRequest* request,
                                         v1::Observation* reply) {
  v1::ObserverAnswer asked;
  *asked.mutable_observe() = *request;
  auto found = answer(std::move(asked), request->task_id(), request->cause());
  if (!found) return rpc::to_status(found.error());
  *reply = std::move(*found->mutable_observation());
  if (reply->image_hash().empty()) return grpc::Status::OK;
  auto image = task_.image(reply->image_hash());
  if (!image) return rpc::to_status(image.error());
  bus_.publish(*image, request->task_id(), request->cause());
  if (request->return_image()) *reply->mutable_returned_image() = *std::move(image);
  return grpc::Status::OK;
}

grpc::Status StandInObserverRpc::Locate(grpc::ServerContext*, const v1::LocateRequest* request,
                                        v1::LocateReply* reply) {
  v1::ObserverAnswer asked;
  *asked.mutable_locate() = *request;
  auto found = answer(std::move(asked), request->task_id(), request->cause());
  if (!found) return rpc::to_status(found.error());
  *reply = std::move(*found->mutable_located());
  return grpc::Status::OK;
}

grpc::Status StandInObserverRpc::ReadUi(grpc::ServerContext*, const v1::ReadUiRequest* request, v1::UiTree* reply) {
  v1::ObserverAnswer asked;
  *asked.mutable_read_ui() = *request;
  auto found = answer(std::move(asked), request->task_id(), request->cause());
  if (!found) return rpc::to_status(found.error());
  *reply = std::move(*found->mutable_tree());
  if (!request->element_id().empty()) {
    auto& nodes = *reply->mutable_nodes();
    const auto is_other = [&](const v1::UiNode& node) { return node.element_id() != request->element_id(); };
    nodes.erase(std::remove_if(nodes.begin(), nodes.end(), is_other), nodes.end());
  }
  return grpc::Status::OK;
}

grpc::Status StandInObserverRpc::Zoom(grpc::ServerContext*, const v1::ZoomRequest* request, v1::ImageFact* reply) {
  v1::ObserverAnswer asked;
  *asked.mutable_zoom() = *request;
  const auto found = answer(std::move(asked), request->task_id(), request->cause());
  if (!found) return rpc::to_status(found.error());
  return rpc::answer(task_.image(found->image_hash()), reply);
}

grpc::Status StandInObserverRpc::Analyze(grpc::ServerContext*, const v1::AnalyzeRequest* request,
                                         v1::AnalyzeReply* reply) {
  v1::ObserverAnswer asked;
  *asked.mutable_analyze() = *request;
  auto found = answer(std::move(asked), request->task_id(), request->cause());
  if (!found) return rpc::to_status(found.error());
  *reply = std::move(*found->mutable_analysis());
  return grpc::Status::OK;
}

grpc::Status StandInObserverRpc::ReadImage(grpc::ServerContext*, const v1::ReadImageRequest* request,
                                           v1::ImageFact* reply) {
  return rpc::answer(task_.image(request->image_hash()), reply);
}

StandInActuatorRpc::StandInActuatorRpc(const RecordedTask& task, const ReplayPace& pace, bus::Publisher& bus,
                                       const identity::KnownPeers& peers)
    : pace_(pace), bus_(bus), peers_(peers) {
  for (const TracedStep* step : task.trace().steps()) {
    for (const v1::StepJudged& judged : step->judged) {
      if (judged.has_evidence()) evidence_[contract::digest(judged.step().action())].push_back(judged);
    }
    // If a person edited the action, the edited one was carried out.
    const v1::Action& action = step->judged.empty() ? step->step.action() : step->judged.back().step().action();
    if (step->outcome) outcomes_[contract::digest(action)].push_back(*step->outcome);
  }
  for (const RecordedQuestion& question : task.questions()) {
    pictured_[contract::digest(question.asked.step().action())].push_back(question.asked.evidence());
  }
  // take() drops the first one, so that the last one stays.
  const auto prepare = [](auto& recorded) {
    for (auto& [digest, queue] : recorded) queue.push_front(queue.front());
  };
  prepare(evidence_);
  prepare(pictured_);
  prepare(outcomes_);
}

grpc::Status StandInActuatorRpc::Act(grpc::ServerContext*, rpc::Listener<v1::ActRequest, v1::ActReply>* caller) {
  return rpc::serve_unary_stream(peers_, *caller, [&](const v1::ActRequest& request) { return act(request); });
}

Result<v1::ActReply> StandInActuatorRpc::act(const v1::ActRequest& request) {
  v1::ActReply reply;
  if (request.has_prepare()) {
    ASSIGN_OR_RETURN(auto found, evidence(request.prepare()));
    reply.set_evidence(contract::seal(std::move(found)).bytes);
  } else {
    *reply.mutable_outcome() = outcome(request.execute());
  }
  return reply;
}

Result<v1::Evidence> StandInActuatorRpc::evidence(const v1::PrepareRequest& request) {
  const std::string digest = contract::digest(request.action());
  const Error missing{Code::kNotFound, "the recording has no evidence of this step"};
  v1::StepJudged judged;
  {
    const std::lock_guard hold(mutex_);
    if (request.with_picture()) {
      if (const auto* pictured = take(pictured_, digest)) return *pictured;
    }
    const auto* found = take(evidence_, digest);
    if (found == nullptr) return missing;
    judged = *found;
  }
  pace_.wait_for(time_of(judged.header()));
  return judged.evidence();
}

v1::Outcome StandInActuatorRpc::outcome(const v1::ExecuteRequest& request) {
  v1::GrantClaims claims;
  v1::Outcome outcome;
  if (!claims.ParseFromString(request.grant().claims())) {
    outcome.set_kind(v1::Outcome::KIND_REFUSED);
    outcome.set_code(v1::Outcome::CODE_BAD_GRANT);
    return outcome;
  }
  {
    const std::lock_guard hold(mutex_);
    if (const auto* recorded = take(outcomes_, contract::digest(request.action()))) {
      outcome = *recorded;
    } else {
      outcome.set_kind(v1::Outcome::KIND_REFUSED);
      outcome.set_code(v1::Outcome::CODE_UNSUPPORTED);
      outcome.set_message("the recording has no outcome of this step: it was not carried out");
    }
  }
  if (outcome.has_header()) pace_.wait_for(time_of(outcome.header()));
  outcome.set_step_id(claims.step_id());
  outcome.set_grant_id(claims.grant_id());
  bus_.publish(outcome, claims.task_id(), claims.step_id());
  outcome.clear_header();
  return outcome;
}

}  // namespace da::console
