#include "lib/recording/mcap/mcap_contents.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace da::recording {
namespace {

constexpr std::uint64_t kChecksumWindow = 1u << 20;

// Whether the definitions are there for all messages that the statistics count.
bool are_defined(const McapContents& contents) {
  const auto& schemas = contents.definitions.schemas;
  const auto& channels = contents.definitions.channels;
  std::uint64_t counted = 0;
  for (const auto& [channel, messages] : contents.statistics.messages_by_channel) {
    if (messages > 0 && !channels.contains(channel)) return false;
    counted += messages;
  }
  return counted == contents.statistics.messages && std::ranges::all_of(channels, [&](const auto& entry) {
           return entry.second.schema_id == 0 || schemas.contains(entry.second.schema_id);
         });
}

// What the summary tells, if it tells where everything is.
class SummaryReading {
 public:
  explicit SummaryReading(const McapFile& file) : file_(file) {}

  // nullopt if there is no summary, a damaged one, or one that leaves something out.
  std::optional<McapContents> run() {
    const auto summary = file_.summary();
    if (!summary) return std::nullopt;
    const bool fits =
        for_each_record(summary->records, [this](McapOp op, std::string_view content) { return take(op, content); });
    if (!fits || !has_statistics_ || found_.chunks.size() != found_.statistics.chunks || !are_defined(found_)) {
      return std::nullopt;
    }
    if (!covers_data(summary->footer.summary_start)) return std::nullopt;
    std::ranges::sort(found_.chunks, {}, &McapChunkIndex::offset);
    return std::move(found_);
  }

 private:
  bool take(McapOp op, std::string_view content) {
    switch (op) {
      case McapOp::kChunkIndex: {
        McapChunkIndex& index = found_.chunks.emplace_back();
        return decode(content, index) && know(index.offset, index.length, index.message_index_length);
      }
      case McapOp::kStatistics: has_statistics_ = true; return decode(content, found_.statistics);
      case McapOp::kAttachmentIndex:
      case McapOp::kMetadataIndex: {
        McapDecoder index(content);
        const std::uint64_t offset = index.u64();
        (op == McapOp::kMetadataIndex ? found_.metadata : found_.attachments).insert(offset);
        return know(offset, index.u64(), 0) && index.ok();
      }
      default: return found_.definitions.add(op, content);
    }
  }

  bool know(std::uint64_t offset, std::uint64_t length, std::uint64_t more) {
    if (offset > file_.size() || length > file_.size() || more > file_.size()) return false;
    known_.emplace_back(offset, offset + length + more);
    return true;
  }

  // Whether only known records and those without content of their own are in the data section. A damaged record there
  // hides no indexed one: then the rest is read as the summary says, and the problem is told.
  bool covers_data(std::uint64_t end) {
    std::ranges::sort(known_);
    std::uint64_t at = kMcapMagic.size();
    for (const auto& [begin, known_end] : known_) {
      if (begin > at && !passes(at, begin)) return false;
      at = std::max(at, known_end);
    }
    return passes(at, end);
  }

  bool passes(std::uint64_t at, std::uint64_t end) {
    while (at < end) {
      const auto prefix = file_.bytes_at(at, kRecordPrefix);
      if (!prefix) return note_damage(at, end);
      McapDecoder fields(*prefix);
      const auto op = static_cast<McapOp>(fields.u8());
      const std::uint64_t length = fields.u64();
      if (length > end - at || kRecordPrefix > end - at - length) return note_damage(at, end);
      switch (op) {
        case McapOp::kHeader:
        case McapOp::kMessageIndex:
        case McapOp::kDataEnd: break;
        case McapOp::kMessage:
        case McapOp::kSchema:
        case McapOp::kChannel:
        case McapOp::kChunk:
        case McapOp::kAttachment:
        case McapOp::kMetadata: return false;
        default:
          if (!is_private(op)) return note_damage(at, end);
      }
      at += kRecordPrefix + length;
    }
    return true;
  }

  bool note_damage(std::uint64_t at, std::uint64_t end) {
    found_.state = McapState::kDamaged;
    found_.problem = file_.damaged("record", at).message + "; " + std::to_string(end - at) + " bytes cannot be read";
    return true;
  }

  const McapFile& file_;
  McapContents found_;
  bool has_statistics_ = false;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> known_;  // Begin and end of the indexed records.
};

// Finds by reading from the start what a summary would tell. Stops at the first damage.
class Scan {
 public:
  Scan(const McapFile& file, std::uint64_t max_scan) : file_(file), max_scan_(max_scan) { found_.by_scan = true; }

  McapContents run() {
    std::uint64_t offset = kMcapMagic.size();
    std::string why = "it has no end";
    McapState state = McapState::kCut;
    while (offset < file_.size()) {
      if (offset > max_scan_) {
        set_problem(McapState::kCut,
                    "the recording is not complete; only its first " + std::to_string(offset) + " bytes were read");
        return finish();
      }
      const auto record = file_.record_at(offset);
      if (!record) {
        why = record.error().message;
        if (record.error().code != Code::kOutOfRange) state = McapState::kDamaged;
        break;
      }
      if (record->op == McapOp::kDataEnd) {
        end_data(*record);
        return finish();
      }
      if (const auto scanned = take(*record); !scanned) {
        why = scanned.error().message;
        state = McapState::kDamaged;
        break;
      }
      offset = record->end();
    }
    std::string problem = "the recording is not complete: " + why;
    if (offset < file_.size()) {
      problem += "; its last " + std::to_string(file_.size() - offset) + " bytes cannot be read";
    }
    set_problem(state, std::move(problem));
    return finish();
  }

 private:
  // Keeps the first problem.
  void set_problem(McapState state, std::string problem) {
    found_.state = std::max(found_.state, state);
    if (found_.problem.empty()) found_.problem = std::move(problem);
  }

  Result<void> take(const McapFile::Record& record) {
    switch (record.op) {
      case McapOp::kChunk: return take_chunk(record);
      case McapOp::kAttachment: found_.attachments.insert(record.offset); return ok();
      case McapOp::kMetadata: found_.metadata.insert(record.offset); return ok();
      case McapOp::kSchema:
      case McapOp::kChannel:
      case McapOp::kMessage: return take_loose(record);
      case McapOp::kHeader:
      case McapOp::kMessageIndex: return ok();
      default: return is_private(record.op) ? ok() : Result<void>(file_.damaged("record", record.offset));
    }
  }

  Result<void> take_loose(const McapFile::Record& record) {
    McapMessage message;
    const bool is_message = record.op == McapOp::kMessage;
    const bool fits = is_message ? decode(record.content, message) : found_.definitions.add(record.op, record.content);
    if (!fits) return file_.damaged("record", record.offset);
    if (found_.loose.empty() || found_.loose.back().end != record.offset) {
      found_.loose.push_back({.offset = record.offset});
    }
    McapLooseRecords& run = found_.loose.back();
    run.end = record.end();
    if (!is_message) return ok();
    count(message, run.messages);
    count(message, found_.statistics);
    return ok();
  }

  Result<void> take_chunk(const McapFile::Record& record) {
    const auto chunk = file_.chunk(record);
    if (!chunk && chunk.error().code == Code::kUnimplemented) {
      set_problem(McapState::kDamaged, chunk.error().message);
      return ok();
    }
    if (!chunk) return chunk.error();
    McapStatistics counted = found_.statistics;
    McapStatistics own;
    McapDefinitions definitions;
    const bool fits = for_each_record(chunk->records, [&](McapOp op, std::string_view content) {
      if (op != McapOp::kMessage) return definitions.add(op, content);
      McapMessage message;
      if (!decode(content, message)) return false;
      count(message, counted);
      count(message, own);
      return true;
    });
    if (!fits || !found_.definitions.add(std::move(definitions))) return file_.damaged("chunk", record.offset);
    McapChunkIndex& index = found_.chunks.emplace_back(McapChunkIndex{.start_ns = own.start_ns,
                                                                      .end_ns = own.end_ns,
                                                                      .offset = record.offset,
                                                                      .length = record.length(),
                                                                      .compression = chunk->compression,
                                                                      .compressed_size = chunk->compressed_size,
                                                                      .uncompressed_size = chunk->records.size()});
    for (const auto& [channel, messages] : own.messages_by_channel) index.message_indexes[channel] = 0;
    found_.statistics = std::move(counted);
    return ok();
  }

  // A file without a summary is complete if its footer says that there is none.
  void end_data(const McapFile::Record& record) {
    const auto summary = file_.summary();
    const auto footer = file_.footer();
    if (!footer || (footer->summary_start != 0 && !summary)) {
      set_problem(McapState::kCut, "the recording is not complete: its summary is missing or damaged");
    }
    // Only chunks have checksums of their own.
    if (!found_.loose.empty() && !has_right_checksum(record)) {
      set_problem(McapState::kDamaged, file_.path().string() +
                                           ": the checksum of the data section is wrong, so a message outside of "
                                           "chunks may be damaged");
    }
    if (!summary) return;
    // Definitions that are nowhere else; they never replace those of the data.
    for_each_record(summary->records, [this](McapOp op, std::string_view content) {
      if (op == McapOp::kSchema || op == McapOp::kChannel) found_.definitions.add(op, content);
      return true;
    });
  }

  bool has_right_checksum(const McapFile::Record& end) const {
    McapDecoder fields(end.content);
    const std::uint32_t expected = fields.u32();
    if (!fields.ok()) return false;
    if (expected == 0) return true;
    std::uint32_t crc = 0;
    for (std::uint64_t offset = 0; offset < end.offset; offset += kChecksumWindow) {
      const auto bytes = file_.bytes_at(offset, std::min(kChecksumWindow, end.offset - offset));
      if (!bytes) return false;
      crc = crc32_of(*bytes, crc);
    }
    return crc == expected;
  }

  McapContents finish() {
    std::uint64_t undefined = 0;
    for (const auto& [channel, messages] : found_.statistics.messages_by_channel) {
      if (found_.definitions.channel(channel) == nullptr) undefined += messages;
    }
    if (undefined > 0) {
      set_problem(McapState::kDamaged, file_.path().string() + ": " + std::to_string(undefined) +
                                           " messages are left out, because nothing in the file defines their "
                                           "channels");
    }
    return std::move(found_);
  }

  const McapFile& file_;
  const std::uint64_t max_scan_;
  McapContents found_;
};

}  // namespace

McapContents find_contents(const McapFile& file, std::uint64_t max_scan) {
  if (auto told = SummaryReading(file).run()) return *std::move(told);
  return Scan(file, max_scan).run();
}

}  // namespace da::recording
