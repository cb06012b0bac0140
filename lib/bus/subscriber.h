// Reads facts as typed messages and counts lost ones. One thread.
#pragma once

#include <google/protobuf/message.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "da/v1/header.pb.h"
#include "lib/bus/sequence_gaps.h"
#include "lib/bus/transport.h"

namespace da::bus {

struct Fact {
  std::string topic;
  std::unique_ptr<google::protobuf::Message> message;
  v1::Header header;
  std::uint64_t lost_before = 0;  // Facts of this writer and topic lost just before this one.

  // The message if it has this type, else nullptr.
  template <class T>
  const T* as() const {
    return message->GetDescriptor() == T::descriptor() ? static_cast<const T*>(message.get()) : nullptr;
  }
};

class Subscriber {
 public:
  explicit Subscriber(std::unique_ptr<Source> source) : source_(std::move(source)) {}

  Result<void> wait_in_force(MonoTime deadline) { return source_->wait_in_force(deadline); }

  // The next fact; nullopt at the deadline. Counts and skips unknown topics, broken payloads and wrong writers.
  Result<std::optional<Fact>> next(MonoTime deadline);

  std::uint64_t lost() const { return lost_; }
  std::uint64_t malformed() const { return malformed_; }

 private:
  std::optional<Fact> parse(const RawFact& raw);

  std::unique_ptr<Source> source_;
  SequenceGaps gaps_;
  std::uint64_t lost_ = 0;
  std::uint64_t malformed_ = 0;
};

}  // namespace da::bus
