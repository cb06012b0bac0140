// The last facts of one publisher, as it sent them, for readers that missed some. Bounded in bytes: facts and images
// each drop their oldest ones. Any thread.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "lib/bus/transport.h"

namespace da::bus {

class FactRing {
 public:
  struct Limits {
    std::size_t facts_bytes = 16 << 20;
    std::size_t images_bytes = 64 << 20;
  };

  explicit FactRing(std::string instance) : FactRing(std::move(instance), Limits()) {}
  FactRing(std::string instance, Limits limits) : instance_(std::move(instance)), limits_(limits) {}

  // Header.instance of all its facts.
  const std::string& instance() const { return instance_; }
  // Adds the topic's next fact. Its sequence number is the previous one's plus one, from 1.
  void add(Lane lane, const std::string& topic, Payload payload);
  // Those of the sequence numbers [from, to] that it still has, in order.
  std::vector<Payload> range(const std::string& topic, std::uint64_t from, std::uint64_t to) const;
  // The sequence number of each topic's last fact.
  std::map<std::string, std::uint64_t> last() const;
  // Memory of all facts that it still has.
  std::size_t bytes() const;

 private:
  struct Topic {
    std::deque<Payload> kept;
    std::uint64_t last = 0;
  };
  struct Kept {
    std::deque<Topic*> order;  // The topic of each kept fact, oldest first.
    std::size_t bytes = 0;
  };

  const std::string instance_;
  const Limits limits_;
  mutable std::mutex mutex_;
  std::map<std::string, Topic> topics_;
  Kept facts_;
  Kept images_;
};

}  // namespace da::bus
