#include "lib/recording/reading/recording_check.h"

#include <optional>

#include "lib/recording/embedded_types.h"
#include "lib/recording/fact_sequences.h"
#include "lib/recording/lost_facts.h"
#include "lib/recording/mcap/mcap_check.h"
#include "lib/recording/recording_file.h"

namespace da::recording {
namespace {

using Values = RecordingFile::Values;

class ContentCheck {
 public:
  explicit ContentCheck(const std::function<void(const std::string& fault)>& fault) : fault_(fault) {}

  void take(const McapDefinitions& definitions, const McapMessage& message) {
    const std::string& topic = definitions.channel(message.channel_id)->topic;
    ++counts.messages;
    const auto parsed = types_.parse(definitions, message);
    if (!parsed) {
      return fault("a message of " + topic + " with number " + std::to_string(message.sequence) + ": " +
                   parsed.error().message);
    }
    if (message.log_time_ns < last_time_) fault("a message of " + topic + " is older than the one before it");
    last_time_ = std::max(last_time_, message.log_time_ns);
    if (topic == kGapTopic) return take_gap(message);
    if (const auto header = header_of(**parsed)) take_fact(topic, message, *header);
  }

  void take(const McapMetadata& metadata) {
    if (metadata.name != kAboutMetadata && metadata.name != kEndMetadata) return;
    auto& values = metadata.name == kAboutMetadata ? about_ : end_;
    if (values) fault("the metadata " + metadata.name + " is there twice");
    values = metadata.values;
  }

  void finish() {
    if (!about_)
      fault("the metadata " + std::string(kAboutMetadata) + " is missing: it is no recording of DesktopAssist");
    if (!end_)
      return fault("the metadata " + std::string(kEndMetadata) + " is missing: the recording was not finished");
    compare("facts", counts.facts);
    compare("lost", counts.lost);
  }

  void fault(const std::string& what) {
    ++counts.faults;
    fault_(what);
  }

  CheckCounts counts;

 private:
  void take_fact(const std::string& topic, const McapMessage& message, const v1::Header& header) {
    ++counts.facts;
    const std::string fact = "fact " + std::to_string(header.sequence()) + " of " + topic;
    if (message.sequence != static_cast<std::uint32_t>(header.sequence()))
      fault(fact + " has another number in the file");
    if (sequences_.is_out_of_order(topic, header)) return fault(fact + " is there twice, or out of order");
    take_hole(sequences_.note(topic, header));
  }

  void take_gap(const McapMessage& message) {
    v1::RecordingGap gap;
    const bool fits = gap.ParseFromArray(message.data.data(), static_cast<int>(message.data.size())) &&
                      gap.from() > 0 && gap.to() >= gap.from();
    if (!fits) return fault("a mark of lost facts is wrong");
    count_lost(gap, counts.lost);
    take_hole(sequences_.note(gap));
  }

  void take_hole(const std::optional<v1::RecordingGap>& hole) {
    if (!hole) return;
    const std::uint64_t size = hole->to() - hole->from() + 1;
    // The recording of one task does not hold the facts of others.
    if (about_ && about_->contains("task")) {
      counts.of_other_tasks += size;
      return;
    }
    fault("facts " + std::to_string(hole->from()) + " to " + std::to_string(hole->to()) + " of " + hole->topic() +
          " are missing, and not marked as lost");
  }

  void compare(const std::string& name, std::uint64_t found) {
    const auto said = end_->find(name);
    if (said == end_->end() || said->second != std::to_string(found)) {
      fault("the recording ended with " + name + " = " + (said == end_->end() ? "(nothing)" : said->second) +
            ", but the file has " + std::to_string(found));
    }
  }

  const std::function<void(const std::string& fault)>& fault_;
  EmbeddedTypes types_;
  FactSequences sequences_;
  std::uint64_t last_time_ = 0;
  std::optional<Values> about_;
  std::optional<Values> end_;
};

}  // namespace

CheckCounts check_recording(const McapFile& file, const std::function<void(const std::string& fault)>& fault) {
  ContentCheck content(fault);
  check_mcap(file, {.fault = [&](const std::string& what) { content.fault(what); },
                    .message = [&](const McapDefinitions& definitions,
                                   const McapMessage& message) { content.take(definitions, message); },
                    .metadata = [&](const McapMetadata& metadata) { content.take(metadata); }});
  content.finish();
  return content.counts;
}

}  // namespace da::recording
