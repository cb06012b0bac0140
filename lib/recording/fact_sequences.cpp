#include "lib/recording/fact_sequences.h"

#include <algorithm>

namespace da::recording {

std::optional<v1::RecordingGap> FactSequences::note(const std::string& topic, const v1::Header& header) {
  return note(header.writer(), header.instance(), topic, header.sequence(), header.sequence());
}

std::optional<v1::RecordingGap> FactSequences::note(const v1::RecordingGap& lost) {
  return note(lost.writer(), lost.instance(), lost.topic(), lost.from(), lost.to());
}

bool FactSequences::is_out_of_order(const std::string& topic, const v1::Header& header) const {
  const auto last = last_.find({topic, header.instance()});
  return last != last_.end() && header.sequence() <= last->second;
}

std::optional<v1::RecordingGap> FactSequences::note(const std::string& writer, const std::string& instance,
                                                    const std::string& topic, std::uint64_t from, std::uint64_t to) {
  const auto [entry, first] = last_.try_emplace({topic, instance}, to);
  const std::uint64_t before = std::exchange(entry->second, first ? to : std::max(entry->second, to));
  // A recording begins at any number.
  if (first || from <= before + 1) return std::nullopt;
  v1::RecordingGap hole;
  hole.set_writer(writer);
  hole.set_instance(instance);
  hole.set_topic(topic);
  hole.set_from(before + 1);
  hole.set_to(from - 1);
  return hole;
}

}  // namespace da::recording
