#include "lib/recording/fact_intake.h"

#include <google/protobuf/arena.h>
#include <google/protobuf/message.h>

#include <algorithm>

#include "lib/bus/topics.h"

namespace da::recording {
namespace {

// A publisher that owes no more is asked again, so that a fetch of facts that it no longer has does not lose the next
// ones. One that does not answer has no credit.
constexpr Nanoseconds kCredit = Milliseconds(500);
constexpr Milliseconds kLeastTime{50};  // Minimum time that is charged for a fetch that gave nothing.
constexpr int kRepaid = 4;              // A debt is repaid in as many times its time.

// A recording with a fact that its type cannot parse could not be read to its end.
std::optional<RecordedFact> whole_fact(bus::RawFact raw) {
  auto fact = recorded_fact(std::move(raw));
  if (!fact) return std::nullopt;
  google::protobuf::Arena arena;
  auto* message = google::protobuf::MessageFactory::generated_factory()->GetPrototype(fact->type)->New(&arena);
  if (!message->ParseFromString(fact->payload)) return std::nullopt;
  return fact;
}

}  // namespace

Result<void> FactIntake::begin(MonoTime deadline) {
  const auto in_force = source_->wait_in_force(deadline);
  for (const PublishedFacts::Latest& latest : published_.latest()) {
    for (const auto* type : bus::all_facts()) {
      const v1::Topic& topic = *bus::topic_of(*type);
      if (topic.writer() != latest.writer) continue;
      const auto last = latest.sequences.find(topic.name());
      gaps_.note_published(topic.name(), latest.instance, last == latest.sequences.end() ? 0 : last->second);
    }
  }
  return in_force;
}

Result<bool> FactIntake::read(MonoTime deadline) {
  ASSIGN_OR_RETURN(auto raw, source_->receive(deadline));
  if (!raw) return false;
  take(*std::move(raw));
  return true;
}

void FactIntake::take(bus::RawFact raw) {
  const std::string topic = raw.topic;
  auto fact = whole_fact(std::move(raw));
  if (!fact) {
    ++malformed_;
    return;
  }
  begin_sequence(topic, fact->header.instance());
  if (gaps_.has(topic, fact->header)) return;  // Fetched before it arrived.
  if (const auto gap = gaps_.note(topic, fact->header)) fill(fact->header.writer(), *gap);
  callbacks_.fact(*std::move(fact));
}

// A publisher that did not answer begin() was started later, so all of its facts belong to the recording.
void FactIntake::begin_sequence(const std::string& topic, const std::string& instance) {
  static_cast<void>(gaps_.note_published(topic, instance, 0));
}

void FactIntake::catch_up() {
  for (const PublishedFacts::Latest& latest : published_.latest()) {
    for (const auto& [topic, sequence] : latest.sequences) {
      const auto* type = bus::fact_of(topic);
      if (type == nullptr || bus::topic_of(*type)->writer() != latest.writer) continue;
      begin_sequence(topic, latest.instance);
      if (const auto gap = gaps_.note_published(topic, latest.instance, sequence)) fill(latest.writer, *gap);
    }
  }
}

void FactIntake::fill(const std::string& writer, const bus::Gap& gap) {
  std::uint64_t next = gap.from;
  const auto lose = [&](std::uint64_t until) {
    if (until <= next) return;
    v1::RecordingGap lost;
    lost.set_writer(writer);
    lost.set_instance(gap.instance);
    lost.set_topic(gap.topic);
    lost.set_from(next);
    lost.set_to(until - 1);
    callbacks_.gap(std::move(lost));
  };
  const MonoTime begun = system_clock().now();
  if (debt(writer, begun) > kCredit) return lose(gap.to + 1);
  const bool answered = published_.fetch(writer, gap, [&](std::string payload) {
    auto fact = whole_fact({gap.topic, std::move(payload)});
    const std::uint64_t sequence = fact ? fact->header.sequence() : 0;
    if (sequence < next || sequence > gap.to || fact->header.instance() != gap.instance) {
      ++malformed_;
      return;
    }
    lose(sequence);
    next = sequence + 1;
    callbacks_.fact(*std::move(fact));
  });
  const MonoTime ended = system_clock().now();
  if (next == gap.from) {
    const Nanoseconds before = answered ? debt(writer, ended) : kCredit;
    debts_[writer] = {before + std::max<Nanoseconds>(kLeastTime, ended - begun), ended};
  }
  lose(gap.to + 1);
}

Nanoseconds FactIntake::debt(const std::string& writer, MonoTime now) const {
  const auto debt = debts_.find(writer);
  if (debt == debts_.end()) return {};
  return std::max(Nanoseconds(0), debt->second.time - (now - debt->second.since) / kRepaid);
}

}  // namespace da::recording
