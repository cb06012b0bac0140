#include "lib/recording/mcap/mcap_check.h"

#include <algorithm>
#include <optional>

#include "lib/recording/mcap/mcap_summary_check.h"
#include "lib/recording/mcap/mcap_walk.h"

namespace da::recording {
namespace {

constexpr std::uint64_t kCrcWindow = 1u << 20;

using IndexEntries = std::vector<std::pair<std::uint64_t, std::uint64_t>>;  // Log time and offset in the chunk.

std::string place_of(const std::string& what, std::uint64_t offset) {
  return what + " at byte " + std::to_string(offset);
}

class Check {
 public:
  Check(const McapFile& file, const McapCheck& callbacks) : file_(file), callbacks_(callbacks) {}

  void run() {
    const auto walked = walk(file_, {.record =
                                         [this](const McapFile::Record& record, const McapFile::Chunk* chunk) {
                                           take(record, chunk);
                                           return ok();
                                         },
                                     .damage =
                                         [this](const McapDamage& damage) {
                                           finish_chunk(damage.offset);
                                           expected_.is_whole = false;
                                           fault(std::to_string(damage.size) + " bytes at byte " +
                                                 std::to_string(damage.offset) + " cannot be read: " + damage.why);
                                           return ok();
                                         }});
    if (!walked) fault(walked.error().message);
    finish_chunk(file_.size());
    if (!end_) {
      fault("the data section has no end");
    } else {
      check_data_crc();
      check_end();
    }
  }

 private:
  void fault(const std::string& what) const { callbacks_.fault(what); }

  void take(const McapFile::Record& record, const McapFile::Chunk* chunk) {
    if (first_ && record.op != McapOp::kHeader) fault("the first record is not the header");
    first_ = false;
    if (record.op != McapOp::kMessageIndex) finish_chunk(record.offset);
    if (end_) return take_after_data(record);
    switch (record.op) {
      case McapOp::kHeader: break;
      case McapOp::kChunk: take_chunk(record, *chunk); break;
      case McapOp::kMessageIndex: take_index(record); break;
      case McapOp::kSchema:
      case McapOp::kChannel: define(record.op, record.content, place_of("the record", record.offset)); break;
      case McapOp::kMessage: take_message(record.content, place_of("the message", record.offset), nullptr); break;
      case McapOp::kAttachment: take_attachment(record); break;
      case McapOp::kMetadata: take_metadata(record); break;
      case McapOp::kDataEnd: end_ = record; break;
      default:
        if (!is_private(record.op))
          fault(place_of("the record", record.offset) + " does not belong into the data section");
    }
  }

  void take_chunk(const McapFile::Record& record, const McapFile::Chunk& chunk) {
    const std::string where = place_of("the chunk", record.offset);
    McapStatistics own;
    entries_.clear();
    const bool fits = for_each_record(chunk.records, [&](McapOp op, std::string_view content) {
      const auto offset = static_cast<std::uint64_t>(content.data() - chunk.records.data()) - kRecordPrefix;
      if (op == McapOp::kMessage) {
        take_message(content, "a message in " + where, &own);
        if (McapMessage message; decode(content, message)) {
          entries_[message.channel_id].emplace_back(message.log_time_ns, offset);
        }
      } else if (op == McapOp::kSchema || op == McapOp::kChannel) {
        define(op, content, where);
      } else if (!is_private(op)) {
        fault(where + " holds a record that does not belong into a chunk");
      }
      return true;
    });
    if (!fits) fault(where + " holds a record that does not fit");
    if (own.start_ns != chunk.start_ns || own.end_ns != chunk.end_ns) fault(where + " gives wrong times");
    chunk_ = McapChunkIndex{.start_ns = own.start_ns,
                            .end_ns = own.end_ns,
                            .offset = record.offset,
                            .length = record.length(),
                            .compression = chunk.compression,
                            .compressed_size = chunk.compressed_size,
                            .uncompressed_size = chunk.records.size()};
  }

  void take_index(const McapFile::Record& record) {
    const std::string where = place_of("the message index", record.offset);
    if (!chunk_) return;  // Its chunk is damaged, which is a fault already.
    McapDecoder fields(record.content);
    const std::uint16_t channel = fields.u16();
    McapDecoder list(fields.text());
    IndexEntries entries;
    while (list.ok() && !list.at_end()) {
      const std::uint64_t time = list.u64();
      entries.emplace_back(time, list.u64());
    }
    if (!fields.ok() || !list.ok()) return fault(where + " does not fit");
    auto expected = entries_.contains(channel) ? entries_.at(channel) : IndexEntries();
    std::ranges::sort(entries);
    std::ranges::sort(expected);
    if (entries != expected) {
      fault(where + " does not say where the messages of channel " + std::to_string(channel) + " are");
    }
    if (!chunk_->message_indexes.try_emplace(channel, record.offset).second) fault(where + " is a second one");
  }

  // The message indexes of a chunk end where another record begins.
  void finish_chunk(std::uint64_t end) {
    if (!chunk_) return;
    chunk_->message_index_length = end - chunk_->offset - chunk_->length;
    if (!chunk_->message_indexes.empty()) {
      for (const auto& [channel, entries] : entries_) {
        if (!chunk_->message_indexes.contains(channel)) {
          fault(place_of("the chunk", chunk_->offset) + " has no index of channel " + std::to_string(channel));
        }
      }
    }
    expected_.chunks.emplace(chunk_->offset, *std::move(chunk_));
    chunk_.reset();
  }

  void take_message(std::string_view content, const std::string& where, McapStatistics* own) {
    McapMessage message;
    if (!decode(content, message)) return fault(where + " does not fit");
    if (own != nullptr) count(message, *own);
    count(message, expected_.statistics);
    if (expected_.definitions.channel(message.channel_id) == nullptr) {
      return fault(where + " is of channel " + std::to_string(message.channel_id) + ", which is not defined before");
    }
    callbacks_.message(expected_.definitions, message);
  }

  void define(McapOp op, std::string_view content, const std::string& where) {
    if (!expected_.definitions.add(op, content)) {
      fault(where + " defines a schema or channel that does not fit, or changes an earlier one");
    }
    if (McapChannel channel; op == McapOp::kChannel && decode(content, channel) && channel.schema_id != 0 &&
                             !expected_.definitions.schemas.contains(channel.schema_id)) {
      fault(where + " defines channel " + std::to_string(channel.id) + " before its schema");
    }
  }

  void take_attachment(const McapFile::Record& record) {
    McapAttachment attachment;
    if (!decode(record.content, attachment)) return;  // The walk has checked it.
    expected_.attachments[record.offset] = McapEncoder()
                                               .u64(record.offset)
                                               .u64(record.length())
                                               .u64(attachment.log_time_ns)
                                               .u64(attachment.create_time_ns)
                                               .u64(attachment.data.size())
                                               .text(attachment.name)
                                               .text(attachment.media_type)
                                               .bytes;
  }

  void take_metadata(const McapFile::Record& record) {
    McapMetadata metadata;
    if (!decode(record.content, metadata)) return;
    expected_.metadata[record.offset] = McapEncoder().u64(record.offset).u64(record.length()).text(metadata.name).bytes;
    callbacks_.metadata(metadata);
  }

  void take_after_data(const McapFile::Record& record) {
    if (record.op == McapOp::kFooter) footer_ = record;
  }

  void check_data_crc() const {
    McapDecoder fields(end_->content);
    const std::uint32_t expected = fields.u32();
    if (!fields.ok()) return fault("the end of the data section does not fit");
    if (expected == 0) return;
    std::uint32_t crc = 0;
    for (std::uint64_t offset = 0; offset < end_->offset; offset += kCrcWindow) {
      const auto bytes = file_.bytes_at(offset, std::min(kCrcWindow, end_->offset - offset));
      if (!bytes) return fault(bytes.error().message);
      crc = crc32_of(*bytes, crc);
    }
    if (crc != expected) fault("the checksum of the data section is wrong");
  }

  void check_end() const {
    if (!footer_) return fault("the file has no footer");
    const auto magic = file_.bytes_at(footer_->end(), kMcapMagic.size());
    if (!magic || *magic != kMcapMagic || footer_->end() + kMcapMagic.size() != file_.size()) {
      fault("the file does not end after its footer");
    }
    const auto summary = file_.summary();
    if (!summary) {
      if (summary.error().code == Code::kNotFound) return fault("the file has no summary, so it cannot be searched");
      return fault(summary.error().message);
    }
    if (summary->footer.summary_start != end_->end()) fault("the summary does not begin after the data section");
    check_summary(*summary, expected_, callbacks_.fault);
  }

  const McapFile& file_;
  const McapCheck& callbacks_;
  bool first_ = true;
  McapExpected expected_;
  std::optional<McapChunkIndex> chunk_;            // The last chunk, until its message indexes are over.
  std::map<std::uint16_t, IndexEntries> entries_;  // Its messages.
  std::optional<McapFile::Record> end_;
  std::optional<McapFile::Record> footer_;
};

}  // namespace

void check_mcap(const McapFile& file, const McapCheck& callbacks) { Check(file, callbacks).run(); }

}  // namespace da::recording
