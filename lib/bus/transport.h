// What carries facts: two frames, topic and payload, on one of two lanes. zmq_transport.h and memory_transport.h
// implement it; publisher.h and subscriber.h put types on top.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "lib/base/clock.h"
#include "lib/base/result.h"

namespace da::bus {

// Images have a lane of their own with a small high-water mark, so that they never push facts out.
enum class Lane { kFacts, kImages };

struct RawFact {
  std::string topic;
  std::string payload;
};

// A publisher's end. Never blocks: where a reader is too slow, it loses facts and sees the gap. Any thread.
class Sink {
 public:
  virtual ~Sink() = default;
  virtual Result<void> send(Lane lane, std::string_view topic, std::string_view payload) = 0;
};

// A subscriber's end. One thread.
class Source {
 public:
  virtual ~Source() = default;
  // Returns once every publisher it was opened for is known to honour the subscription: what is published from then on
  // is received. kDeadlineExceeded names the publishers that did not answer.
  virtual Result<void> wait_in_force(MonoTime deadline) = 0;
  // nullopt where nothing came until the deadline.
  virtual Result<std::optional<RawFact>> receive(MonoTime deadline) = 0;
};

}  // namespace da::bus
