// Finds lost facts by the sequence numbers of those that arrive. Not thread-safe.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "da/v1/header.pb.h"

namespace da::bus {

// Sequence numbers of one instance and topic that did not arrive.
struct Gap {
  std::string instance;
  std::string topic;
  std::uint64_t from = 0;
  std::uint64_t to = 0;  // Inclusive.

  std::uint64_t size() const { return to - from + 1; }
};

class SequenceGaps {
 public:
  // Whether this fact, or a later one of its topic and instance, has been noted.
  bool has(const std::string& topic, const v1::Header& header) const {
    const auto last = last_.find(topic);
    return last != last_.end() && last->second.instance == header.instance() &&
           header.sequence() <= last->second.sequence;
  }
  // Notes a fact; returns the gap just before it. Facts before a topic's first one are not lost.
  std::optional<Gap> note(const std::string& topic, const v1::Header& header) {
    return note(topic, header.instance(), header.sequence(), header.sequence());
  }
  // Notes that the topic's last published fact has this number; returns those that have not arrived. The first time
  // for a topic, none is lost.
  std::optional<Gap> note_published(const std::string& topic, const std::string& instance, std::uint64_t sequence) {
    return note(topic, instance, sequence, sequence + 1);
  }

 private:
  struct Last {
    std::string instance;
    std::uint64_t sequence = 0;
  };
  // All before `arrived` should have arrived.
  std::optional<Gap> note(const std::string& topic, const std::string& instance, std::uint64_t sequence,
                          std::uint64_t arrived);

  std::map<std::string, Last> last_;  // Keyed by topic.
};

}  // namespace da::bus
