#include "lib/recording/reading/recording_summary.h"

#include <algorithm>
#include <limits>

#include "da/v1/recording.pb.h"
#include "lib/base/clock.h"
#include "lib/recording/lost_facts.h"
#include "lib/recording/recording_file.h"

namespace da::recording {
namespace {

// Messages of our own package, except the marks of lost facts.
bool holds_facts(const McapReader& reader, std::uint16_t channel) {
  const McapSchema* schema = reader.definitions().schema_of(channel);
  return schema != nullptr && schema->name.starts_with("da.") &&
         schema->name != v1::RecordingGap::descriptor()->full_name();
}

std::uint64_t count_facts(const McapReader& reader) {
  std::uint64_t facts = 0;
  for (const auto& [channel, messages] : reader.statistics().messages_by_channel) {
    if (holds_facts(reader, channel)) facts += messages;
  }
  return facts;
}

Result<void> read_lost(RecordingSummary& summary) {
  return summary.reader->read({.topics = {kGapTopic}}, [&](const McapMessage& message) -> Result<void> {
    v1::RecordingGap gap;
    const bool fits = message.data.size() <= std::numeric_limits<int>::max() &&
                      gap.ParseFromArray(message.data.data(), static_cast<int>(message.data.size()));
    if (!fits) return Error{Code::kDataLoss, "a mark of lost facts cannot be read"};
    count_lost(gap, summary.lost[gap.topic()]);
    return ok();
  });
}

RecordingState state_of(const McapReader& reader) {
  if (reader.problem().empty()) return RecordingState::kComplete;
  switch (reader.file().writer()) {
    case McapFile::Writer::kSome: return RecordingState::kBeingWritten;
    case McapFile::Writer::kNone: return RecordingState::kCut;
    case McapFile::Writer::kUnknown: break;
  }
  return RecordingState::kNotComplete;
}

}  // namespace

std::string_view to_string(RecordingState state) {
  switch (state) {
    case RecordingState::kComplete: return "complete";
    case RecordingState::kBeingWritten: return "being written";
    case RecordingState::kCut: return "cut";
    case RecordingState::kNotComplete: break;
  }
  return "not complete";
}

std::uint64_t RecordingSummary::lost_facts() const {
  std::uint64_t all = 0;
  for (const auto& [topic, facts] : lost) all += std::min(facts, std::numeric_limits<std::uint64_t>::max() - all);
  return all;
}

double RecordingSummary::seconds() const {
  const McapStatistics& statistics = reader->statistics();
  const std::uint64_t ns = std::max(statistics.end_ns, statistics.start_ns) - statistics.start_ns;
  return std::chrono::duration<double>(Nanoseconds(static_cast<std::int64_t>(ns))).count();
}

Result<RecordingSummary> summarize(const std::filesystem::path& file, std::uint64_t max_scan) {
  RecordingSummary summary;
  ASSIGN_OR_RETURN(summary.reader, McapReader::open(file, max_scan));
  summary.state = state_of(*summary.reader);
  summary.problem = summary.reader->problem();
  ASSIGN_OR_RETURN(auto metadata, summary.reader->metadata());
  bool ours = false;
  for (McapMetadata& record : metadata) {
    ours = ours || record.name == kAboutMetadata;
    if (record.name == kAboutMetadata) summary.about = std::move(record.values);
    if (record.name == kEndMetadata) summary.end = std::move(record.values);
  }
  if (!ours) {
    return Error{Code::kInvalidArgument, file.string() + " is an MCAP file, but no recording of DesktopAssist"};
  }
  summary.facts = count_facts(*summary.reader);
  RETURN_IF_ERROR(read_lost(summary));
  return summary;
}

}  // namespace da::recording
