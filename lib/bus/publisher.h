// Publishes facts: fills in the header and sends the message under the topic that its type names.
// Any thread; facts of one topic keep the order in which publish() was entered.
#pragma once

#include <google/protobuf/message.h>

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "lib/base/clock.h"
#include "lib/bus/transport.h"

namespace da::bus {

// Who publishes. A fact whose topic names another writer is a bug, and aborts.
struct Writer {
  std::string name;  // "observer", "planner", "policy" or "actuator".
  std::string desktop_id;
};

class Publisher {
 public:
  Publisher(std::unique_ptr<Sink> sink, Writer writer, const Clock& clock);

  // task_id and cause may be empty. The fact's header is overwritten. A fact that cannot be sent is logged by the
  // reader as a gap; publishing never fails the work that it reports.
  void publish(google::protobuf::Message& fact, const std::string& task_id, const std::string& cause);
  void publish(google::protobuf::Message&& fact, const std::string& task_id, const std::string& cause) {
    publish(fact, task_id, cause);
  }

 private:
  std::unique_ptr<Sink> sink_;
  const Writer writer_;
  const std::string instance_;
  const Clock& clock_;
  std::mutex mutex_;
  std::map<const google::protobuf::Descriptor*, std::uint64_t> sequences_;
  std::string buffer_;
};

}  // namespace da::bus
