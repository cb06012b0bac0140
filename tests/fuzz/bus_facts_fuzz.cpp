// Several bus messages of a hostile writer: each topic follows its length in one byte, each payload its length in two
// bytes. Each message must be a valid fact or counted as malformed. The reported loss never exceeds the sequence
// number, and all output is escaped.
#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>

#include "lib/base/text.h"
#include "lib/bus/subscriber.h"
#include "lib/bus/topics.h"
#include "services/console/terminal/stream/event_text.h"
#include "tests/fuzz/require.h"

namespace {

using da::fuzz::require;

class Recorded final : public da::bus::Source {
 public:
  explicit Recorded(std::deque<da::bus::RawFact> facts) : facts_(std::move(facts)) {}
  da::Result<void> wait_in_force(da::MonoTime) override { return da::ok(); }
  da::Result<std::optional<da::bus::RawFact>> receive(da::MonoTime) override {
    if (facts_.empty()) return std::optional<da::bus::RawFact>();
    std::optional<da::bus::RawFact> next = std::move(facts_.front());
    facts_.pop_front();
    return next;
  }

 private:
  std::deque<da::bus::RawFact> facts_;
};

std::deque<da::bus::RawFact> facts_of(std::string_view input) {
  const auto take = [&](std::size_t length) {
    const std::string taken(input.substr(0, length));
    input.remove_prefix(taken.size());
    return taken;
  };
  const auto take_length = [&](std::size_t bytes) {
    std::size_t length = 0;
    for (const char c : take(bytes)) length = length << 8 | static_cast<unsigned char>(c);
    return length;
  };
  std::deque<da::bus::RawFact> facts;
  while (!input.empty()) {
    std::string topic = take(take_length(1));
    std::string payload = take(take_length(2));
    facts.push_back({std::move(topic), std::move(payload)});
  }
  return facts;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  auto facts = facts_of({reinterpret_cast<const char*>(data), size});
  const std::size_t sent = facts.size();
  da::bus::Subscriber subscriber(std::make_unique<Recorded>(std::move(facts)));
  std::size_t received = 0;
  while (true) {
    const auto fact = subscriber.next({});
    require(fact.has_value(), "a broken fact is not an error of the bus");
    if (!*fact) break;
    ++received;
    require(da::bus::topic_of(*(*fact)->message->GetDescriptor())->name() == (*fact)->topic, "a topic has its type");
    require((*fact)->lost_before <= (*fact)->header.sequence(), "no more was lost than was sent");
    for (const std::string& text : {da::console::event_line(**fact), da::console::event_json(**fact)}) {
      require(da::escape_foreign_lines(text, text.size()) == text, "the output is escaped");
    }
  }
  require(received + subscriber.malformed() == sent, "every fact is received or counted as malformed");
  return 0;
}
