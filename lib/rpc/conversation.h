// Calls over a stream that stays open: one reply for each request, in order. What setting up a call costs falls away,
// which is half of a short one. Heavy headers: included by *_rpc.cpp files alone.
//
//   rpc::Conversations<v1::Policy, v1::SubmitRequest, v1::SubmitReply> submit(channel, "Submit",
//                                                                             &v1::Policy::Stub::AsyncSubmit);
//   ASSIGN_OR_RETURN(auto reply, submit.ask(request, Milliseconds(5000)));
//
//   grpc::Status Submit(grpc::ServerContext*, rpc::Listener<v1::SubmitRequest, v1::SubmitReply>* caller) override {
//     return rpc::converse(peers_, *caller, [&](const v1::SubmitRequest& request) { return submit(request); });
//   }
//
// Each question that runs has a stream of its own; idle ones are kept for the next, which finds out first whether the
// peer ended it meanwhile. A stream ends with the first error, also one that the handler answers with.
// Errors: as lib/rpc/call.h.
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
#include <string>
#include <utility>
#include <vector>

#include "lib/base/clock.h"
#include "lib/base/result.h"
#include "lib/identity/known_peers.h"
#include "lib/rpc/call.h"
#include "lib/rpc/cancel.h"
#include "lib/rpc/channel.h"
#include "lib/rpc/status.h"

namespace da::rpc {

// One stream. One thread at a time.
template <class Stub, class Request, class Reply>
class Conversation {
 public:
  using Stream = grpc::ClientAsyncReaderWriter<Request, Reply>;
  using Begin = std::unique_ptr<Stream> (Stub::*)(grpc::ClientContext*, grpc::CompletionQueue*, void*);

  Conversation(Stub& stub, Begin begin) {
    // Travels with the first request; nothing is waited for.
    context_.set_initial_metadata_corked(true);
    stream_ = (stub.*begin)(&context_, &queue_, nullptr);
  }
  ~Conversation() {
    context_.TryCancel();
    queue_.Shutdown();
    void* tag = nullptr;
    bool ok = false;
    while (queue_.Next(&tag, &ok)) {
    }
  }
  Conversation(const Conversation&) = delete;
  Conversation& operator=(const Conversation&) = delete;

  // False once the peer has ended it. Nobody reads the connection meanwhile, so after a rest this takes
  // Channel::kLook, in which what came is read.
  bool is_open() {
    const bool rested = system_clock().now() - asked_ >= Channel::kRest;
    take_event(rested ? std::chrono::system_clock::now() + Channel::kLook : Time());
    return !ended_;
  }

  // Unless the status is OK, the conversation is over.
  grpc::Status ask(const Request& request, Reply& reply, Milliseconds timeout, Canceller* canceller) {
    const auto deadline = std::chrono::system_clock::now() + timeout;
    const CallScope scope(context_, canceller);
    good_ = writing_ = reading_ = true;
    // In this order: gRPC tells the peer at once how much more it may send when a read begins and less was allowed,
    // but with the request where that is written first. Told by itself, it wakes the peer's threads for nothing.
    stream_->Write(request, kWritten);
    stream_->Read(&reply, kRead);
    asked_ = system_clock().now();
    bool in_time = true;
    while (writing_ || reading_) {
      if (take_event(in_time ? deadline : kNever)) continue;
      // What is pending ends with the stream.
      context_.TryCancel();
      in_time = false;
    }
    if (!in_time) return {grpc::StatusCode::DEADLINE_EXCEEDED, ""};
    await_end();
    if (good_) return grpc::Status::OK;
    while (!ended_) take_event(kNever);
    if (status_.ok()) return {grpc::StatusCode::UNAVAILABLE, "it ended the conversation"};
    return status_;
  }

 private:
  using Time = std::chrono::system_clock::time_point;
  static constexpr Time kNever = Time::max();
  // What the queue hands back for each operation: addresses that differ.
  static inline char tags_[3];
  static constexpr void* kWritten = &tags_[0];
  static constexpr void* kRead = &tags_[1];
  static constexpr void* kEnded = &tags_[2];

  // Once there was a reply, its end is always awaited, so that the end of an idle stream is noticed.
  void await_end() {
    if (awaiting_end_) return;
    awaiting_end_ = true;
    stream_->Finish(&status_, kEnded);
  }

  // False where none came until then.
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
  bool good_ = true;  // What was written and read since the last question.
  bool awaiting_end_ = false;
  bool ended_ = false;
  MonoTime asked_;
};

// All conversations about one method with one peer. Any thread.
template <class Service, class Request, class Reply>
class Conversations {
 public:
  using Stub = typename Service::Stub;
  using One = Conversation<Stub, Request, Reply>;

  Conversations(Channel channel, std::string method, typename One::Begin begin)
      : channel_(std::move(channel)),
        method_(std::move(method)),
        begin_(begin),
        stub_(Service::NewStub(channel_.grpc())) {}

  Result<Reply> ask(const Request& request, Milliseconds timeout, Canceller* canceller = nullptr) {
    std::unique_ptr<One> one = take_idle();
    if (!one) {
      channel_.get_ready();
      one = std::make_unique<One>(*stub_, begin_);
    }
    Reply reply;
    const grpc::Status status = one->ask(request, reply, timeout, canceller);
    if (!status.ok()) return to_error(status, channel_.peer(), method_, channel_.address());
    const std::lock_guard hold(mutex_);
    if (idle_.size() < kMostIdle) idle_.push_back(std::move(one));
    return reply;
  }

 private:
  static constexpr std::size_t kMostIdle = 4;
  // How much later than an idle stream its connection ends, where the peer goes away.
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

// The server's end of a conversation.
template <class Request, class Reply>
using Listener = grpc::ServerReaderWriter<Reply, Request>;

// Whether a message came: Read() tells a message that cannot be parsed as it tells the end. Parsing clears the message
// before it begins, so an unknown field that is put into it is gone then.
class UnreadMark {
 public:
  explicit UnreadMark(google::protobuf::Message& message) : message_(message) {}
  void put() { fields().AddVarint(kNumber, 0); }
  bool is_there() {
    const google::protobuf::UnknownFieldSet& all = fields();
    return !all.empty() && all.field(all.field_count() - 1).number() == kNumber;
  }

 private:
  static constexpr int kNumber = 536'870'911;  // The highest that there is.
  google::protobuf::UnknownFieldSet& fields() { return *message_.GetReflection()->MutableUnknownFields(&message_); }
  google::protobuf::Message& message_;
};

// Answers until the caller ends the conversation, goes away, an answer is an error, or who is known cannot be read any
// more: the caller may have been revoked.
template <class Request, class Reply, class Answer>
grpc::Status converse(const identity::KnownPeers& peers, Listener<Request, Reply>& caller, Answer&& answer) {
  Request request;
  UnreadMark unread(request);
  while (unread.put(), caller.Read(&request)) {
    if (const auto read = peers.check_read(); !read) return to_status(read.error());
    const Result<Reply> reply = answer(request);
    if (!reply) return to_status(reply.error());
    if (!caller.Write(*reply)) return grpc::Status::OK;
  }
  if (unread.is_there()) return grpc::Status::OK;
  return {grpc::StatusCode::INVALID_ARGUMENT, "a request that cannot be parsed"};
}

}  // namespace da::rpc
