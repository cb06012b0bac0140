// Converts between gRPC status and Error. Only lib/rpc, lib/service and *_rpc.* include this.
#pragma once

#include <grpcpp/support/status.h>

#include <string_view>

#include "lib/base/result.h"

namespace da::rpc {

grpc::Status to_status(const Error& error);

// Answers a handler's call: moves the value into the reply, or returns the error as a status.
template <class Reply>
grpc::Status answer(Result<Reply> result, Reply* reply) {
  if (!result) return to_status(result.error());
  *reply = *std::move(result);
  return grpc::Status::OK;
}

// The error of a failed call: the peer's own answer, or "da-policy did not answer Submit in time (unix:/...)".
Error to_error(const grpc::Status& status, std::string_view peer, std::string_view method, std::string_view address);

}  // namespace da::rpc
