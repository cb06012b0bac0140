#include "lib/recording/mcap/mcap_summary_check.h"

#include <optional>
#include <set>

namespace da::recording {
namespace {

using Fault = std::function<void(const std::string& fault)>;

// The records of one kind in the summary must stand together, so that summary offsets can name them.
struct Group {
  std::uint64_t start = 0;
  std::uint64_t length = 0;

  bool operator==(const Group&) const = default;
};

class SummaryCheck {
 public:
  SummaryCheck(const McapFile::Summary& summary, const McapExpected& expected, const Fault& fault)
      : summary_(summary), expected_(expected), fault_(fault) {}

  void run() {
    const bool fits = for_each_record(summary_.records, [this](McapOp op, std::string_view content) {
      take(op, content);
      return true;
    });
    if (!fits) fault_("the summary holds a record that does not fit");
    if (expected_.is_whole) {
      check_definitions();
      check_statistics();
    }
    for (const auto& [offset, chunk] : expected_.chunks) missing(offset, "chunk");
    for (const auto& [offset, attachment] : expected_.attachments) missing(offset, "attachment");
    for (const auto& [offset, metadata] : expected_.metadata) missing(offset, "metadata record");
    check_offsets();
  }

 private:
  void take(McapOp op, std::string_view content) {
    const auto start = summary_.footer.summary_start +
                       static_cast<std::uint64_t>(content.data() - summary_.records.data()) - kRecordPrefix;
    if (op != McapOp::kSummaryOffset) {
      Group& group = groups_.try_emplace(op, Group{start, 0}).first->second;
      if (group.start + group.length != start) fault_("records of one kind do not stand together in the summary");
      group.length += kRecordPrefix + content.size();
    }
    switch (op) {
      case McapOp::kSchema:
      case McapOp::kChannel:
        if (!definitions_.add(op, content)) fault_("a schema or channel in the summary does not fit");
        break;
      case McapOp::kStatistics:
        if (!decode(content, statistics_.emplace())) fault_("the statistics do not fit");
        break;
      case McapOp::kChunkIndex: take_chunk_index(content); break;
      case McapOp::kAttachmentIndex: take_index(content, expected_.attachments, "attachment"); break;
      case McapOp::kMetadataIndex: take_index(content, expected_.metadata, "metadata record"); break;
      case McapOp::kSummaryOffset: take_offset(content); break;
      default:
        if (!is_private(op)) fault_("the summary holds a record that does not belong there");
    }
  }

  void take_chunk_index(std::string_view content) {
    McapChunkIndex index;
    if (!decode(content, index)) return fault_("the index of a chunk does not fit");
    const auto chunk = expected_.chunks.find(index.offset);
    const std::string where = "the index of the chunk at byte " + std::to_string(index.offset);
    if (chunk == expected_.chunks.end()) return fault_(where + " points at no intact chunk");
    if (!indexed_.insert(index.offset).second) return fault_(where + " is there twice");
    if (encode(index) != encode(chunk->second)) fault_(where + " is wrong");
  }

  void take_index(std::string_view content, const std::map<std::uint64_t, std::string>& expected,
                  const std::string& what) {
    const std::uint64_t offset = McapDecoder(content).u64();
    const std::string where = "the index of the " + what + " at byte " + std::to_string(offset);
    const auto record = expected.find(offset);
    if (record == expected.end()) return fault_(where + " points at nothing intact");
    if (!indexed_.insert(offset).second) return fault_(where + " is there twice");
    if (record->second != content) fault_(where + " is wrong");
  }

  void take_offset(std::string_view content) {
    McapDecoder fields(content);
    const auto op = static_cast<McapOp>(fields.u8());
    Group group{.start = fields.u64()};
    group.length = fields.u64();
    if (!fields.ok() || !offsets_.emplace(op, group).second) fault_("a summary offset does not fit, or is there twice");
  }

  void missing(std::uint64_t offset, const std::string& what) const {
    if (!indexed_.contains(offset)) {
      fault_("the " + what + " at byte " + std::to_string(offset) + " is missing in the summary");
    }
  }

  void check_definitions() const {
    const auto& schemas = expected_.definitions.schemas;
    const auto& channels = expected_.definitions.channels;
    for (const auto& [id, schema] : definitions_.schemas) {
      if (!schemas.contains(id) || schemas.at(id) != schema) {
        fault_("schema " + std::to_string(id) + " of the summary is not that of the data");
      }
    }
    for (const auto& [id, channel] : definitions_.channels) {
      if (!channels.contains(id) || channels.at(id) != channel) {
        fault_("channel " + std::to_string(id) + " of the summary is not that of the data");
      }
    }
    for (const auto& [id, channel] : channels) {
      if (!definitions_.channels.contains(id)) fault_("channel " + std::to_string(id) + " is missing in the summary");
    }
    for (const auto& [id, schema] : schemas) {
      if (!definitions_.schemas.contains(id)) fault_("schema " + std::to_string(id) + " is missing in the summary");
    }
  }

  void check_statistics() const {
    if (!statistics_) return fault_("the summary has no statistics");
    McapStatistics expected = expected_.statistics;
    expected.schemas = static_cast<std::uint16_t>(expected_.definitions.schemas.size());
    expected.channels = static_cast<std::uint32_t>(expected_.definitions.channels.size());
    expected.attachments = static_cast<std::uint32_t>(expected_.attachments.size());
    expected.metadata = static_cast<std::uint32_t>(expected_.metadata.size());
    expected.chunks = static_cast<std::uint32_t>(expected_.chunks.size());
    if (statistics_->messages != expected.messages) {
      fault_("the statistics count " + std::to_string(statistics_->messages) + " messages, but there are " +
             std::to_string(expected.messages));
    } else if (*statistics_ != expected) {
      fault_("the statistics are wrong");
    }
  }

  void check_offsets() const {
    for (const auto& [op, group] : offsets_) {
      const auto found = groups_.find(op);
      if (found == groups_.end() || found->second != group) {
        fault_("the summary offset of records of kind " + std::to_string(static_cast<int>(op)) + " is wrong");
      }
    }
    const std::uint64_t start = summary_.footer.offsets_start;
    const std::uint64_t end = summary_.footer.summary_start + summary_.records.size();
    if (start != 0 && (start < summary_.footer.summary_start || start > end)) {
      fault_("the footer does not say where the summary offsets are");
    }
  }

  const McapFile::Summary& summary_;
  const McapExpected& expected_;
  const Fault& fault_;
  McapDefinitions definitions_;
  std::optional<McapStatistics> statistics_;
  std::set<std::uint64_t> indexed_;  // Offsets.
  std::map<McapOp, Group> groups_;
  std::map<McapOp, Group> offsets_;
};

}  // namespace

void check_summary(const McapFile::Summary& summary, const McapExpected& expected, const Fault& fault) {
  SummaryCheck(summary, expected, fault).run();
}

}  // namespace da::recording
