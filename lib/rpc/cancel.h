// Cancels calls from another thread. A call that is made with a Canceller ends with kCancelled as soon as cancel() was
// called, before or during the call. Any thread. Must outlive the calls made with it.
#pragma once

#include <mutex>
#include <set>

namespace grpc {
class ClientContext;
}

namespace da::rpc {

class Canceller {
 public:
  void cancel();
  bool cancelled() const;
  // Calls that are made from now on go ahead. None may be under way.
  void reset();

  // Used by lib/rpc/call.h for the time of one call. Cancels the context at once where cancel() came first.
  void enter(grpc::ClientContext& context);
  void leave(grpc::ClientContext& context);

 private:
  mutable std::mutex mutex_;
  std::set<grpc::ClientContext*> calls_;
  bool cancelled_ = false;
};

}  // namespace da::rpc
