#include "services/observer/observer_rpc.h"

#include <grpcpp/server_context.h>

#include "lib/rpc/status.h"

namespace da::observer {

grpc::Status ObserverRpc::Observe(grpc::ServerContext*, const v1::ObserveRequest* request, v1::Observation* reply) {
  auto observed = observations_.observe(*request);
  if (!observed) return rpc::to_status(observed.error());
  // The image first: whoever reads the observation then finds it.
  if (observed->image) bus_.publish(*observed->image, request->task_id(), request->cause());
  bus_.publish(observed->observation, request->task_id(), request->cause());
  *reply = std::move(observed->observation);
  return grpc::Status::OK;
}

grpc::Status ObserverRpc::Locate(grpc::ServerContext* context, const v1::LocateRequest* request,
                                 v1::LocateReply* reply) {
  return rpc::answer(locator_.locate(*request, [&] { return context->IsCancelled(); }), reply);
}

}  // namespace da::observer
