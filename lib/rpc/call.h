// One unary or server-streaming call with a deadline. Heavy headers: include it in *_rpc.cpp files only.
//
//   rpc::Client<v1::Policy> policy(channel);
//   ASSIGN_OR_RETURN(auto reply, policy.call("Unlock", &v1::Policy::Stub::Unlock, request, Milliseconds(5000)));
//
// Errors: kUnavailable (the peer is gone), kDeadlineExceeded (it hangs), kCancelled, or the peer's answer. Each names
// the peer. Any thread may use a Client.
#pragma once

#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>
#include <grpcpp/support/sync_stream.h>

#include <functional>
#include <memory>
#include <stop_token>
#include <string_view>

#include "lib/base/clock.h"
#include "lib/base/result.h"
#include "lib/rpc/channel.h"
#include "lib/rpc/status.h"

namespace da::rpc {

// Cancels a call if stop is requested before or during it.
class CallScope {
 public:
  CallScope(grpc::ClientContext& context, const std::stop_token& stop)
      : cancel_(stop, [&context] { context.TryCancel(); }) {}

 private:
  std::stop_callback<std::function<void()>> cancel_;
};

template <class Service>
class Client {
 public:
  using Stub = typename Service::Stub;

  explicit Client(Channel channel) : channel_(std::move(channel)), stub_(Service::NewStub(channel_.grpc())) {}

  const Channel& channel() const { return channel_; }

  template <class Request, class Reply>
  Result<Reply> call(std::string_view method, grpc::Status (Stub::*stub)(grpc::ClientContext*, const Request&, Reply*),
                     const Request& request, Milliseconds timeout, const std::stop_token& stop = {}) const {
    channel_.get_ready();
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + timeout);
    const CallScope scope(context, stop);
    Reply reply;
    const grpc::Status status = (stub_.get()->*stub)(&context, request, &reply);
    if (!status.ok()) return error(status, method);
    return reply;
  }

  // Passes each message of the stream to `take`. If `take` fails, the call is cancelled and returns its error.
  template <class Request, class Message>
  Result<void> stream(std::string_view method,
                      std::unique_ptr<grpc::ClientReader<Message>> (Stub::*stub)(grpc::ClientContext*, const Request&),
                      const Request& request, Milliseconds timeout, const std::function<Result<void>(Message&)>& take,
                      const std::stop_token& stop = {}) const {
    channel_.get_ready();
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + timeout);
    const CallScope scope(context, stop);
    const auto reader = (stub_.get()->*stub)(&context, request);
    Message message;
    Result<void> taken;
    while (taken && reader->Read(&message)) taken = take(message);
    if (!taken) context.TryCancel();
    const grpc::Status status = reader->Finish();
    if (!taken) return taken;
    if (!status.ok()) return error(status, method);
    return ok();
  }

 private:
  Error error(const grpc::Status& status, std::string_view method) const {
    return to_error(status, channel_.peer(), method, channel_.address());
  }

  Channel channel_;
  std::unique_ptr<Stub> stub_;
};

}  // namespace da::rpc
