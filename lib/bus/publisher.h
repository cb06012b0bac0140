// Fills in a fact's header and sends it under its type's topic, in call order for each topic. Any thread.
#pragma once

#include <google/protobuf/message.h>

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "da/v1/header.pb.h"
#include "lib/base/clock.h"
#include "lib/bus/fact_ring.h"
#include "lib/bus/transport.h"

namespace da::bus {

// The publisher. publish() aborts on a fact whose topic names another writer, because that is a bug.
struct Writer {
  std::string name;  // "observer", "planner", "policy" or "actuator".
  std::string desktop_id;
  v1::Header::Origin origin = v1::Header::ORIGIN_LIVE;
};

class Publisher {
 public:
  Publisher(std::unique_ptr<Sink> sink, Writer writer, const Clock& clock);

  // Overwrites the fact's header. task_id and cause may be empty; without a cause, the task is
  // the cause. A fact that cannot be sent becomes a gap for readers.
  void publish(google::protobuf::Message& fact, const std::string& task_id, const std::string& cause);
  void publish(google::protobuf::Message&& fact, const std::string& task_id, const std::string& cause) {
    publish(fact, task_id, cause);
  }

  // Call it in a process that is about to end without its destructors: see Sink::flush().
  void flush(Milliseconds timeout) { sink_->flush(timeout); }

  // What it has published last.
  std::shared_ptr<const FactRing> ring() const { return ring_; }

 private:
  std::unique_ptr<Sink> sink_;
  const Writer writer_;
  const std::shared_ptr<FactRing> ring_;
  const Clock& clock_;
  std::mutex mutex_;
  std::map<const google::protobuf::Descriptor*, std::uint64_t> sequences_;
};

}  // namespace da::bus
