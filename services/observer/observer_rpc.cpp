#include "services/observer/observer_rpc.h"

#include <grpcpp/server_context.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "da/v1/history.pb.h"
#include "lib/base/text.h"
#include "lib/rpc/status.h"
#include "services/observer/locate/nearest_names.h"

namespace da::observer {
namespace {

// The newest image, and the one before it, which a client may be about to read.
constexpr std::size_t kKeptImages = 2;

v1::ObserveRequest& request_in(v1::ObserverAnswer& fact, const v1::ObserveRequest&) { return *fact.mutable_observe(); }
v1::LocateRequest& request_in(v1::ObserverAnswer& fact, const v1::LocateRequest&) { return *fact.mutable_locate(); }
v1::ReadUiRequest& request_in(v1::ObserverAnswer& fact, const v1::ReadUiRequest&) { return *fact.mutable_read_ui(); }
v1::ZoomRequest& request_in(v1::ObserverAnswer& fact, const v1::ZoomRequest&) { return *fact.mutable_zoom(); }
v1::AnalyzeRequest& request_in(v1::ObserverAnswer& fact, const v1::AnalyzeRequest&) { return *fact.mutable_analyze(); }

void set_reply(v1::ObserverAnswer& fact, const Observed& seen) { *fact.mutable_observation() = seen.observation; }
void set_reply(v1::ObserverAnswer& fact, const v1::LocateReply& reply) { *fact.mutable_located() = reply; }
void set_reply(v1::ObserverAnswer& fact, const v1::UiTree& reply) { *fact.mutable_tree() = reply; }
void set_reply(v1::ObserverAnswer& fact, const v1::AnalyzeReply& reply) {
  *fact.mutable_analysis() = reply;
  for (v1::RegionAnalysis& region : *fact.mutable_analysis()->mutable_regions()) {
    if (region.has_picture()) region.mutable_picture()->mutable_image()->clear_data();
  }
}
void set_reply(v1::ObserverAnswer& fact, const v1::ImageFact& reply) { fact.set_image_hash(reply.image_hash()); }

template <class Request>
void drop_images(Request&) {}
void drop_images(v1::AnalyzeRequest& request) {
  for (v1::Template& sent : *request.mutable_templates()) sent.clear_image();
}

// Request and reply, for the record.
template <class Request, class Reply>
v1::ObserverAnswer answer_of(const Request& request, const Result<Reply>& reply) {
  v1::ObserverAnswer fact;
  Request& asked = request_in(fact, request);
  asked = request;
  asked.clear_observation_token();
  drop_images(asked);
  if (reply) {
    set_reply(fact, *reply);
    // The request whose `seen` it repeats has the regions. A recording would have them many times a second.
    if (fact.analysis().unchanged()) fact.mutable_analyze()->clear_regions();
  } else {
    fact.set_error(reply.error().message);
  }
  return fact;
}

}  // namespace

grpc::Status ObserverRpc::Observe(grpc::ServerContext*, const v1::ObserveRequest* request, v1::Observation* reply) {
  auto observed = observations_.observe(*request);
  auto fact = answer_of(*request, observed);
  if (!observed) {
    bus_.publish(fact, request->task_id(), request->cause());
    return rpc::to_status(observed.error());
  }
  // Publish the image first, so that readers of the observation find it.
  std::optional<v1::ImageFact> returned;
  if (observed->image) {
    bus_.publish(*observed->image, request->task_id(), request->cause());
    if (request->return_image()) returned = observed->image;
    const std::lock_guard lock(mutex_);
    images_.push_back({*std::move(observed->image), request->observation_token()});
    if (images_.size() > kKeptImages) images_.pop_front();
  }
  bus_.publish(observed->observation, request->task_id(), request->cause());
  bus_.publish(fact, request->task_id(), request->cause());
  *reply = std::move(observed->observation);
  if (returned) *reply->mutable_returned_image() = *std::move(returned);
  return grpc::Status::OK;
}

grpc::Status ObserverRpc::ReadImage(grpc::ServerContext*, const v1::ReadImageRequest* request, v1::ImageFact* reply) {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find_if(images_, [&](const KeptImage& kept) {
    return kept.image.image_hash() == request->image_hash() && kept.observation_token == request->observation_token();
  });
  if (found == images_.end()) {
    return rpc::to_status(
        {Code::kNotFound, "the image " + escape_foreign(request->image_hash(), 80) + " was evicted; observe again"});
  }
  *reply = found->image;
  return grpc::Status::OK;
}

grpc::Status ObserverRpc::Zoom(grpc::ServerContext*, const v1::ZoomRequest* request, v1::ImageFact* reply) {
  auto image = observations_.zoom(*request);
  if (image) bus_.publish(*image, request->task_id(), request->cause());
  return answer(*request, std::move(image), reply);
}

grpc::Status ObserverRpc::ReadUi(grpc::ServerContext*, const v1::ReadUiRequest* request, v1::UiTree* reply) {
  return answer(*request, request->nameable() ? locator_.nameable(*request) : observations_.read_ui(*request), reply);
}

grpc::Status ObserverRpc::Locate(grpc::ServerContext* context, const v1::LocateRequest* request,
                                 v1::LocateReply* reply) {
  const rpc::CallWatch::Scope scope(watch_, *context);
  auto located = locator_.locate(*request, scope.token());
  if (located) add_nearest(frames_, *request, *located);
  return answer(*request, std::move(located), reply);
}

grpc::Status ObserverRpc::Analyze(grpc::ServerContext* context, const v1::AnalyzeRequest* request,
                                  v1::AnalyzeReply* reply) {
  const rpc::CallWatch::Scope scope(watch_, *context);
  auto analysis = analyser_.analyze(*request, scope.token());
  for (int i = 0; analysis && i < analysis->regions_size(); ++i) {
    if (!analysis->regions(i).has_picture()) continue;
    v1::ImageFact& image = *analysis->mutable_regions(i)->mutable_picture()->mutable_image();
    if (!image.data().empty()) bus_.publish(image, request->task_id(), request->cause());
    image.clear_header();  // The publisher's.
    if (request->regions(i).picture().for_recording()) image.clear_data();
  }
  return answer(*request, std::move(analysis), reply);
}

template <class Request, class Reply>
grpc::Status ObserverRpc::answer(const Request& request, Result<Reply> result, Reply* reply) {
  bus_.publish(answer_of(request, result), request.task_id(), request.cause());
  return rpc::answer(std::move(result), reply);
}

}  // namespace da::observer
