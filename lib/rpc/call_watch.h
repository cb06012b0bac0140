// Notifies the handlers of blocking calls when their caller goes away, and cancels calls that take too long. gRPC's
// blocking server must be polled for the former (its callback server notifies, but costs each step 0.1 ms more), so one
// thread polls all running calls: every 50 ms, and those that are older than a second every 250 ms. Any thread.
#pragma once

#include <grpcpp/server_context.h>

#include <chrono>
#include <condition_variable>
#include <list>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

namespace da::rpc {

class CallWatch {
  using Time = std::chrono::steady_clock::time_point;
  struct Call {
    grpc::ServerContext* context;
    Time begun;
    std::stop_source stop;
    std::optional<Time> ends;
  };

 public:
  CallWatch() : thread_([this](std::stop_token stop) { watch(stop); }) {}

  // Watches one call. Must not outlive the call's handler.
  class Scope {
   public:
    // `limit`: the call is cancelled when the scope lasts longer, so that a Write() to a reader that stalls returns.
    Scope(CallWatch& watch, grpc::ServerContext& context, std::optional<std::chrono::milliseconds> limit = {});
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
  // The thread waits for a call, or polls old calls only, which it does less often. A new call wakes it.
  bool awaits_call_ = false;
  bool has_new_call_ = false;
  std::jthread thread_;  // Last: it uses the other members.
};

}  // namespace da::rpc
