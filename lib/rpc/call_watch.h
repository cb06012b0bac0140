// Notifies the handlers of blocking calls when their caller goes away. gRPC's blocking server must be polled for that
// (its callback server notifies, but costs each step 0.1 ms more), so one thread polls all running calls. Any thread.
#pragma once

#include <grpcpp/server_context.h>

#include <condition_variable>
#include <list>
#include <mutex>
#include <stop_token>
#include <thread>

namespace da::rpc {

class CallWatch {
  struct Call {
    grpc::ServerContext* context;
    std::stop_source stop;
  };

 public:
  CallWatch() : thread_([this](std::stop_token stop) { watch(stop); }) {}

  // Watches one call. Must not outlive the call's handler.
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
  bool idle_ = false;    // The thread waits for a call. Otherwise it polls.
  std::jthread thread_;  // Last: it uses the other members.
};

}  // namespace da::rpc
