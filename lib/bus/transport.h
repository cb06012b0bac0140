// Transports facts as two frames, topic and payload. Implemented by zmq_transport.h and memory_transport.h.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "lib/base/clock.h"
#include "lib/base/result.h"

namespace da::bus {

// Images have their own lane with a small high-water mark, so that they never displace facts.
enum class Lane { kFacts, kImages };

using Payload = std::shared_ptr<const std::string>;

struct RawFact {
  std::string topic;
  std::string payload;
};

// The publisher's end. Any thread.
class Sink {
 public:
  virtual ~Sink() = default;
  // Never blocks. What cannot be sent becomes a gap for the readers.
  virtual void send(Lane lane, std::string_view topic, Payload payload) = 0;
  // Waits until everything sent before is on its way, or the transport's own thread is about to write it to the network
  // (nothing reports that it has). Waits at most for `timeout`.
  virtual void flush(Milliseconds timeout) = 0;
};

// The subscriber's end. One thread.
class Source {
 public:
  virtual ~Source() = default;
  // Waits until all publishers have confirmed the subscription. kDeadlineExceeded names those that did not.
  virtual Result<void> wait_in_force(MonoTime deadline) = 0;
  // nullopt at the deadline.
  virtual Result<std::optional<RawFact>> receive(MonoTime deadline) = 0;
};

}  // namespace da::bus
