// Calls over a stream that stays open: one reply for each request, in order. This saves the setup of a call, which is
// half the cost of a short one. Heavy headers: include it in *_rpc.cpp files only.
//
//   rpc::UnaryStreams<v1::Policy, v1::SubmitRequest, v1::SubmitReply> submit(channel, "Submit",
//                                                                             &v1::Policy::Stub::AsyncSubmit);
//   ASSIGN_OR_RETURN(auto reply, submit.ask(request, Milliseconds(5000)));
//
//   grpc::Status Submit(grpc::ServerContext*, rpc::Listener<v1::SubmitRequest, v1::SubmitReply>* caller) override {
//     return rpc::serve_unary_stream(peers_, *caller, [&](const v1::SubmitRequest& one) { return submit(one); });
//   }
//
// Each concurrent request has its own stream. Idle streams are reused after a check that the peer has not closed them.
// A stream ends with its first error, also an error that the handler returns. Errors: see lib/rpc/call.h.
#pragma once

#include <google/protobuf/message.h>
#include <google/protobuf/unknown_field_set.h>
#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>
#include <grpcpp/completion_queue.h>
#include <grpcpp/support/async_stream.h>
#include <grpcpp/support/sync_stream.h>

#include <chrono>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "lib/base/clock.h"
#include "lib/base/result.h"
#include "lib/identity/known_peers.h"
#include "lib/rpc/call.h"
#include "lib/rpc/channel.h"
#include "lib/rpc/status.h"

namespace da::rpc {

// One stream. Single-threaded.
template <class Stub, class Request, class Reply>
class UnaryStream {
 public:
  using Stream = grpc::ClientAsyncReaderWriter<Request, Reply>;
  using Begin = std::unique_ptr<Stream> (Stub::*)(grpc::ClientContext*, grpc::CompletionQueue*, void*);

  UnaryStream(Stub& stub, Begin begin) {
    // Sends the metadata together with the first request, without waiting.
    context_.set_initial_metadata_corked(true);
    stream_ = (stub.*begin)(&context_, &queue_, nullptr);
  }
  ~UnaryStream() {
    context_.TryCancel();
    queue_.Shutdown();
    void* tag = nullptr;
    bool ok = false;
    while (queue_.Next(&tag, &ok)) {
    }
  }
  UnaryStream(const UnaryStream&) = delete;
  UnaryStream& operator=(const UnaryStream&) = delete;

  // False if the peer has ended the stream. gRPC does not read an idle connection, so after kRest this waits up to
  // Channel::kLook while gRPC reads pending data.
  bool is_open() {
    const bool rested = system_clock().now() - asked_ >= Channel::kRest;
    take_event(rested ? std::chrono::system_clock::now() + Channel::kLook : Time());
    return !ended_;
  }

  // The stream is unusable after any status but OK.
  grpc::Status ask(const Request& request, Reply& reply, Milliseconds timeout, const std::stop_token& stop) {
    const auto deadline = std::chrono::system_clock::now() + timeout;
    const CallScope scope(context_, stop);
    good_ = writing_ = reading_ = true;
    // Write before Read: gRPC then sends the enlarged receive window together with the request. In the other order it
    // would send it alone, and wake the peer's threads needlessly.
    stream_->Write(request, kWritten);
    stream_->Read(&reply, kRead);
    asked_ = system_clock().now();
    bool in_time = true;
    while (writing_ || reading_) {
      if (take_event(in_time ? deadline : kNever)) continue;
      // Cancelling completes the pending operations.
      context_.TryCancel();
      in_time = false;
    }
    if (!in_time) return {grpc::StatusCode::DEADLINE_EXCEEDED, ""};
    await_end();
    if (good_) return grpc::Status::OK;
    while (!ended_) take_event(kNever);
    if (status_.ok()) return {grpc::StatusCode::UNAVAILABLE, "the peer ended the stream"};
    return status_;
  }

 private:
  using Time = std::chrono::system_clock::time_point;
  static constexpr Time kNever = Time::max();
  // Tags for the completion queue: distinct addresses.
  static inline char tags_[3];
  static constexpr void* kWritten = &tags_[0];
  static constexpr void* kRead = &tags_[1];
  static constexpr void* kEnded = &tags_[2];

  // After the first reply, always await the stream's end, so that is_open() notices it.
  void await_end() {
    if (awaiting_end_) return;
    awaiting_end_ = true;
    stream_->Finish(&status_, kEnded);
  }

  // Returns false if no event came in time.
  bool take_event(Time until) {
    void* tag = nullptr;
    bool ok = false;
    if (queue_.AsyncNext(&tag, &ok, until) != grpc::CompletionQueue::GOT_EVENT) return false;
    if (tag == kEnded) {
      ended_ = true;
      return true;
    }
    (tag == kWritten ? writing_ : reading_) = false;
    good_ = good_ && ok;
    return true;
  }

  grpc::ClientContext context_;
  grpc::CompletionQueue queue_;
  std::unique_ptr<Stream> stream_;
  grpc::Status status_;
  bool writing_ = false;
  bool reading_ = false;
  bool good_ = true;  // Whether all operations since the last request succeeded.
  bool awaiting_end_ = false;
  bool ended_ = false;
  MonoTime asked_;
};

// All streams for one method of one peer. Any thread.
template <class Service, class Request, class Reply>
class UnaryStreams {
 public:
  using Stub = typename Service::Stub;
  using One = UnaryStream<Stub, Request, Reply>;

  UnaryStreams(Channel channel, std::string method, typename One::Begin begin)
      : channel_(std::move(channel)),
        method_(std::move(method)),
        begin_(begin),
        stub_(Service::NewStub(channel_.grpc())) {}

  Result<Reply> ask(const Request& request, Milliseconds timeout, const std::stop_token& stop = {}) {
    std::unique_ptr<One> one = take_idle();
    if (!one) {
      channel_.get_ready();
      one = std::make_unique<One>(*stub_, begin_);
    }
    Reply reply;
    const grpc::Status status = one->ask(request, reply, timeout, stop);
    if (!status.ok()) return to_error(status, channel_.peer(), method_, channel_.address());
    const std::lock_guard hold(mutex_);
    if (idle_.size() < kMostIdle) idle_.push_back(std::move(one));
    return reply;
  }

 private:
  static constexpr std::size_t kMostIdle = 4;
  // If the peer goes away, its connection ends up to this much later than an idle stream.
  static constexpr Milliseconds kEndOfConnection{100};

  std::unique_ptr<One> take_idle() {
    const std::lock_guard hold(mutex_);
    while (!idle_.empty()) {
      std::unique_ptr<One> last = std::move(idle_.back());
      idle_.pop_back();
      if (last->is_open()) return last;
      channel_.notice_end(kEndOfConnection);
    }
    return nullptr;
  }

  const Channel channel_;
  const std::string method_;
  const typename One::Begin begin_;
  const std::unique_ptr<Stub> stub_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<One>> idle_;
};

// The server's end of a stream.
template <class Request, class Reply>
using Listener = grpc::ServerReaderWriter<Reply, Request>;

// Detects whether Read() failed on a message that cannot be parsed: it returns false then as at the end of the stream.
// Parsing clears the message first, so an unknown field that was put into it is gone if a message came.
class UnreadMark {
 public:
  explicit UnreadMark(google::protobuf::Message& message) : message_(message) {}
  void put() { fields().AddVarint(kNumber, 0); }
  bool is_there() {
    const google::protobuf::UnknownFieldSet& all = fields();
    return !all.empty() && all.field(all.field_count() - 1).number() == kNumber;
  }

 private:
  static constexpr int kNumber = 536'870'911;  // The highest field number.
  google::protobuf::UnknownFieldSet& fields() { return *message_.GetReflection()->MutableUnknownFields(&message_); }
  google::protobuf::Message& message_;
};

// Ends at the caller's end, an error of `answer`, or an unreadable peers file, which may revoke the caller.
// What `begin` returns lives from each request until its reply has been handed to the system's network.
template <class Request, class Reply, class Answer, class Begin>
grpc::Status serve_unary_stream(const identity::KnownPeers& peers, Listener<Request, Reply>& caller, Answer&& answer,
                                Begin&& begin) {
  Request request;
  UnreadMark unread(request);
  while (unread.put(), caller.Read(&request)) {
    [[maybe_unused]] const auto under_way = begin();
    if (const auto read = peers.check_read(); !read) return to_status(read.error());
    const Result<Reply> reply = answer(request);
    if (!reply) return to_status(reply.error());
    if (!caller.Write(*reply)) return grpc::Status::OK;
  }
  if (unread.is_there()) return grpc::Status::OK;
  return {grpc::StatusCode::INVALID_ARGUMENT, "the request cannot be parsed"};
}

template <class Request, class Reply, class Answer>
grpc::Status serve_unary_stream(const identity::KnownPeers& peers, Listener<Request, Reply>& caller, Answer&& answer) {
  return serve_unary_stream(peers, caller, std::forward<Answer>(answer), [] { return 0; });
}

}  // namespace da::rpc
