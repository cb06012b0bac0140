#include "services/recorder/writer_shares.h"

#include <algorithm>

#include "lib/bus/topics.h"

namespace da::recorder {
namespace {

bool has_share(const std::string& writer) { return writer != "policy" && writer != "actuator"; }

}  // namespace

WriterShares::Use& WriterShares::use_of(const std::string& writer, MonoTime now) {
  Use& use = uses_[writer];
  const auto seconds = std::chrono::duration<double>(now - use.at).count();
  const double forgotten = std::max(0.0, seconds) * static_cast<double>(kBytesPerSecond);
  use.burst -= static_cast<std::uint64_t>(std::min(forgotten, static_cast<double>(use.burst)));
  use.at = now;
  return use;
}

bool WriterShares::admits(const recording::RecordedFact& fact, MonoTime now) {
  const std::string& writer = fact.header.writer();
  if (!has_share(writer)) return true;
  const Use& use = use_of(writer, now);
  const std::uint64_t size = fact.payload.size();
  return use.bytes + size <= bytes_ && use.burst + size <= kBurstBytes;
}

void WriterShares::charge(const std::string& writer, std::uint64_t bytes, MonoTime now) {
  if (!has_share(writer)) return;
  Use& use = use_of(writer, now);
  use.bytes += bytes;
  use.burst += bytes;
}

void WriterShares::leave_out(const recording::RecordedFact& fact) {
  const auto& header = fact.header;
  const std::string& topic = bus::topic_of(*fact.type)->name();
  auto& [waiting, taken] = gaps_[topic];
  if (!waiting.empty() && waiting.back().instance() == header.instance() && header.sequence() > waiting.back().to()) {
    const bool next = waiting.back().to() + 1 == header.sequence();
    if (next || taken + waiting.size() >= kMostGaps) return waiting.back().set_to(header.sequence());
  }
  if (taken + waiting.size() >= 2 * kMostGaps) return;  // Another instance for each fact: a hostile writer.
  v1::RecordingGap& gap = waiting.emplace_back();
  gap.set_writer(header.writer());
  gap.set_instance(header.instance());
  gap.set_topic(topic);
  gap.set_from(header.sequence());
  gap.set_to(header.sequence());
}

std::vector<v1::RecordingGap> WriterShares::take_gaps(const std::string& topic) {
  const auto found = gaps_.find(topic);
  if (found == gaps_.end()) return {};
  found->second.taken += found->second.waiting.size();
  return std::exchange(found->second.waiting, {});
}

std::vector<v1::RecordingGap> WriterShares::take_all_gaps() {
  std::vector<v1::RecordingGap> all;
  for (auto& [topic, gaps] : gaps_) std::ranges::move(take_gaps(topic), std::back_inserter(all));
  return all;
}

}  // namespace da::recorder
