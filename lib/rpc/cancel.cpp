#include "lib/rpc/cancel.h"

#include <grpcpp/client_context.h>

namespace da::rpc {

void Canceller::cancel() {
  const std::lock_guard lock(mutex_);
  cancelled_ = true;
  for (grpc::ClientContext* call : calls_) call->TryCancel();
}

void Canceller::reset() {
  const std::lock_guard lock(mutex_);
  cancelled_ = false;
}

bool Canceller::cancelled() const {
  const std::lock_guard lock(mutex_);
  return cancelled_;
}

void Canceller::enter(grpc::ClientContext& context) {
  const std::lock_guard lock(mutex_);
  calls_.insert(&context);
  if (cancelled_) context.TryCancel();
}

void Canceller::leave(grpc::ClientContext& context) {
  const std::lock_guard lock(mutex_);
  calls_.erase(&context);
}

}  // namespace da::rpc
