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

bool WriterShares::admits(const std::string& writer, std::uint64_t size, MonoTime now) {
  if (!has_share(writer)) return true;
  Use& use = use_of(writer, now);
  if (use.waits && use.burst > kBurstBytes / 2) return false;
  use.waits = use.burst + size > kBurstBytes;
  return !use.waits && use.bytes + size <= bytes_;
}

bool WriterShares::admits(const recording::RecordedFact& fact, MonoTime now) {
  return admits(fact.header.writer(), fact.payload.size(), now);
}

bool WriterShares::admits(const v1::RecordingGap& lost, MonoTime now) {
  return admits(lost.writer(), lost.ByteSizeLong(), now);
}

void WriterShares::charge(const std::string& writer, std::uint64_t bytes, MonoTime now) {
  if (!has_share(writer)) return;
  Use& use = use_of(writer, now);
  use.bytes += bytes;
  use.burst += bytes;
}

void WriterShares::leave_out(const recording::RecordedFact& fact) {
  v1::RecordingGap gap;
  gap.set_writer(fact.header.writer());
  gap.set_instance(fact.header.instance());
  gap.set_topic(bus::topic_of(*fact.type)->name());
  gap.set_from(fact.header.sequence());
  gap.set_to(fact.header.sequence());
  leave_out(gap);
}

void WriterShares::leave_out(const v1::RecordingGap& lost) {
  auto& waiting = gaps_[lost.topic()];
  if (!waiting.empty() && waiting.back().instance() == lost.instance() && lost.from() > waiting.back().to()) {
    const bool next = waiting.back().to() + 1 == lost.from();
    if (next || waiting.size() >= kMostGaps) return waiting.back().set_to(lost.to());
  }
  // A service has one instance as long as it runs. Another one for each fact is a lie, and not worth the place.
  if (waiting.size() < 2 * kMostGaps) waiting.push_back(lost);
}

std::vector<v1::RecordingGap> WriterShares::take_gaps(const std::string& topic) {
  const auto found = gaps_.find(topic);
  return found == gaps_.end() ? std::vector<v1::RecordingGap>() : std::exchange(found->second, {});
}

std::vector<v1::RecordingGap> WriterShares::take_all_gaps() {
  std::vector<v1::RecordingGap> all;
  for (auto& [topic, gaps] : gaps_) std::ranges::move(take_gaps(topic), std::back_inserter(all));
  return all;
}

}  // namespace da::recorder
