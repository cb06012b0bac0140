// Tells handlers of blocking calls that their caller went away. gRPC's blocking server says so only when it is asked,
// and its callback server, which would tell, costs each step 0.1 ms more; so one thread asks, for all calls that run.
// Any thread.
#pragma once

#include <grpcpp/server_context.h>

#include <condition_variable>
#include <list>
#include <mutex>
#include <stop_token>
#include <thread>

namespace da::policy {

class CallWatch {
  struct Call {
    grpc::ServerContext* context;
    std::stop_source stop;
  };

 public:
  CallWatch() : thread_([this](std::stop_token stop) { watch(stop); }) {}

  // Watches one call for its lifetime, which must lie within the handler.
  class Scope {
   public:
    Scope(CallWatch& watch, grpc::ServerContext& context);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
    std::stop_token token() const { return place_->stop.get_token(); }

   private:
    CallWatch& watch_;
    std::list<Call>::iterator place_;
  };

 private:
  void watch(const std::stop_token& stop);

  std::mutex mutex_;
  std::condition_variable_any called_;
  std::list<Call> calls_;
  bool idle_ = false;  // The thread waits for a first call; else it looks again by itself.
  std::jthread thread_;
};

}  // namespace da::policy
