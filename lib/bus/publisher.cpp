#include "lib/bus/publisher.h"

#include <cstdlib>
#include <iostream>

#include "da/v1/header.pb.h"
#include "lib/base/id.h"
#include "lib/bus/topics.h"

namespace da::bus {
namespace {

v1::Header& header_of(google::protobuf::Message& fact) {
  const auto* field = fact.GetDescriptor()->FindFieldByNumber(1);
  return static_cast<v1::Header&>(*fact.GetReflection()->MutableMessage(&fact, field));
}

[[noreturn]] void abort_publish(const google::protobuf::Message& fact, const std::string& writer) {
  std::cerr << "bus: " << writer << " must not publish " << fact.GetTypeName() << "\n";
  std::abort();
}

}  // namespace

Publisher::Publisher(std::unique_ptr<Sink> sink, Writer writer, const Clock& clock)
    : sink_(std::move(sink)),
      writer_(std::move(writer)),
      ring_(std::make_shared<FactRing>(random_hex(8))),
      clock_(clock) {}

void Publisher::publish(google::protobuf::Message& fact, const std::string& task_id, const std::string& cause) {
  const v1::Topic* topic = topic_of(*fact.GetDescriptor());
  if (topic == nullptr || topic->writer() != writer_.name) abort_publish(fact, writer_.name);
  v1::Header& header = header_of(fact);
  header.set_task_id(task_id);
  header.set_cause(cause.empty() ? task_id : cause);
  header.set_desktop_id(writer_.desktop_id);
  header.set_writer(writer_.name);
  header.set_instance(ring_->instance());
  header.set_origin(writer_.origin);

  const std::lock_guard lock(mutex_);
  header.set_sequence(++sequences_[fact.GetDescriptor()]);
  header.set_monotonic_ns(clock_.now().time_since_epoch().count());
  header.set_wall_ns(clock_.wall_now().time_since_epoch().count());
  const auto payload = std::make_shared<const std::string>(fact.SerializeAsString());
  const Lane lane = topic->image() ? Lane::kImages : Lane::kFacts;
  ring_->add(lane, topic->name(), payload);
  sink_->send(lane, topic->name(), payload);
}

}  // namespace da::bus
