#include "lib/bus/subscriber.h"

#include "lib/bus/topics.h"

namespace da::bus {

Result<std::optional<Fact>> Subscriber::next(MonoTime deadline) {
  while (true) {
    ASSIGN_OR_RETURN(const std::optional<RawFact> raw, source_->receive(deadline));
    if (!raw) return std::optional<Fact>();
    if (auto fact = parse(*raw)) return fact;
    ++malformed_;
  }
}

std::optional<Fact> Subscriber::parse(const RawFact& raw) {
  const auto* type = fact_of(raw.topic);
  if (type == nullptr) return std::nullopt;
  const auto* prototype = google::protobuf::MessageFactory::generated_factory()->GetPrototype(type);
  Fact fact{.topic = raw.topic, .message = std::unique_ptr<google::protobuf::Message>(prototype->New())};
  if (!fact.message->ParseFromString(raw.payload)) return std::nullopt;
  const auto* field = type->FindFieldByNumber(1);
  fact.header = static_cast<const v1::Header&>(fact.message->GetReflection()->GetMessage(*fact.message, field));
  if (fact.header.writer() != topic_of(*type)->writer()) return std::nullopt;
  if (const auto gap = gaps_.note(raw.topic, fact.header)) fact.lost_before = gap->size();
  lost_ += fact.lost_before;
  return fact;
}

}  // namespace da::bus
