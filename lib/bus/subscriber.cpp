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
  fact.lost_before = count_gap(fact.header, raw.topic);
  return fact;
}

std::uint64_t Subscriber::count_gap(const v1::Header& header, const std::string& topic) {
  auto [known, first] = last_.try_emplace(topic, header.instance(), header.sequence());
  if (first) return 0;  // Facts before the subscription are not lost.
  const auto [instance, sequence] = std::exchange(known->second, {header.instance(), header.sequence()});
  const std::uint64_t expected = instance == header.instance() ? sequence + 1 : 1;
  if (header.sequence() <= expected) return 0;
  lost_ += header.sequence() - expected;
  return header.sequence() - expected;
}

}  // namespace da::bus
