#include "lib/recording/mcap/mcap_reader.h"

#include <algorithm>

namespace da::recording {
namespace {

constexpr std::uint64_t kMaxTogether = 1u << 30;  // Bytes of the records that one call returns.

std::uint64_t size_of(const McapAttachment& attachment) { return attachment.data.size() + attachment.name.size(); }

std::uint64_t size_of(const McapMetadata& metadata) {
  constexpr std::uint64_t kOverhead = 100;  // Of an entry of the map.
  std::uint64_t size = metadata.name.size();
  for (const auto& [name, value] : metadata.values) size += kOverhead + name.size() + value.size();
  return size;
}

}  // namespace

Result<std::unique_ptr<McapReader>> McapReader::open(const std::filesystem::path& file, std::uint64_t max_scan) {
  ASSIGN_OR_RETURN(auto opened, McapFile::open(file));
  std::unique_ptr<McapReader> reader(new McapReader(std::move(opened)));
  if (!reader->read_summary()) reader->scan(max_scan);
  return reader;
}

// False if there is no summary, or a damaged one.
bool McapReader::read_summary() {
  const auto summary = file_.summary();
  return summary && for_each_record(summary->records, [this](McapOp op, std::string_view content) {
           return add_summary_record(op, content);
         });
}

bool McapReader::add_summary_record(McapOp op, std::string_view content) {
  switch (op) {
    case McapOp::kChunkIndex: return decode(content, chunks_.emplace_back());
    case McapOp::kStatistics: return decode(content, statistics_);
    case McapOp::kAttachmentIndex:
    case McapOp::kMetadataIndex: {
      McapDecoder index(content);
      (op == McapOp::kMetadataIndex ? metadata_ : attachments_).insert(index.u64());
      return index.ok();
    }
    default: return definitions_.add(op, content);
  }
}

// Finds by reading from the start what a summary would tell. Stops at the first damage.
void McapReader::scan(std::uint64_t max_scan) {
  definitions_ = {};
  chunks_.clear();
  attachments_.clear();
  metadata_.clear();
  statistics_ = {};
  std::uint64_t offset = kMcapMagic.size();
  std::string why = "it has no end";
  while (offset < file_.size()) {
    if (offset > max_scan) {
      problem_ = "the recording is not complete; only its first " + std::to_string(offset) + " bytes were read";
      return;
    }
    const auto record = file_.record_at(offset);
    if (!record) {
      why = record.error().message;
      break;
    }
    if (record->op == McapOp::kDataEnd) {
      why = "its summary is missing or damaged";
      offset = file_.size();
      break;
    }
    if (const auto scanned = scan_record(*record); !scanned) {
      why = scanned.error().message;
      break;
    }
    offset = record->end();
  }
  problem_ = "the recording is not complete: " + why;
  if (offset < file_.size()) {
    problem_ += "; its last " + std::to_string(file_.size() - offset) + " bytes cannot be read";
  }
}

Result<void> McapReader::scan_record(const McapFile::Record& record) {
  switch (record.op) {
    case McapOp::kChunk: return scan_chunk(record);
    case McapOp::kAttachment: attachments_.insert(record.offset); return ok();
    case McapOp::kMetadata: metadata_.insert(record.offset); return ok();
    case McapOp::kHeader:
    case McapOp::kMessageIndex: return ok();
    default: return is_private(record.op) ? ok() : Result<void>(file_.damaged("record", record.offset));
  }
}

Result<void> McapReader::scan_chunk(const McapFile::Record& record) {
  ASSIGN_OR_RETURN(const auto chunk, file_.chunk(record));
  McapStatistics counted = statistics_;
  McapStatistics own;
  McapDefinitions definitions = definitions_;
  const bool fits = for_each_record(chunk.records, [&](McapOp op, std::string_view content) {
    if (op != McapOp::kMessage) return definitions.add(op, content);
    McapMessage message;
    if (!decode(content, message)) return false;
    count(message, counted);
    count(message, own);
    return true;
  });
  if (!fits) return file_.damaged("chunk", record.offset);
  McapChunkIndex& index = chunks_.emplace_back(McapChunkIndex{.start_ns = own.start_ns,
                                                              .end_ns = own.end_ns,
                                                              .offset = record.offset,
                                                              .length = record.length(),
                                                              .compression = chunk.compression,
                                                              .compressed_size = chunk.compressed_size,
                                                              .uncompressed_size = chunk.records.size()});
  for (const auto& [channel, messages] : own.messages_by_channel) index.message_indexes[channel] = 0;
  definitions_ = std::move(definitions);
  statistics_ = std::move(counted);
  return ok();
}

bool McapReader::may_hold(const McapChunkIndex& chunk, const McapRange& range) const {
  if (chunk.end_ns < range.from_ns || chunk.start_ns > range.to_ns) return false;
  // A writer may leave the message indexes out.
  if (range.topics.empty() || chunk.message_indexes.empty()) return true;
  return std::ranges::any_of(chunk.message_indexes, [&](const auto& entry) {
    const McapChannel* channel = definitions_.channel(entry.first);
    return channel != nullptr && range.topics.contains(channel->topic);
  });
}

bool McapReader::wants(const McapMessage& message, const McapRange& range) const {
  if (message.log_time_ns < range.from_ns || message.log_time_ns > range.to_ns) return false;
  const McapChannel* channel = definitions_.channel(message.channel_id);
  return channel != nullptr && (range.topics.empty() || range.topics.contains(channel->topic));
}

Result<void> McapReader::read(const McapRange& range, const Take& take) const {
  for (const McapChunkIndex& index : chunks_) {
    if (!may_hold(index, range)) continue;
    ASSIGN_OR_RETURN(const auto record, indexed_record(index.offset, McapOp::kChunk, "chunk"));
    ASSIGN_OR_RETURN(const auto chunk, file_.chunk(record));
    Result<void> taken = ok();
    const bool fits = for_each_record(chunk.records, [&](McapOp op, std::string_view content) {
      McapMessage message;
      if (op != McapOp::kMessage) return true;
      if (!decode(content, message)) return false;
      if (wants(message, range)) taken = take(message);
      return taken.has_value();
    });
    RETURN_IF_ERROR(taken);
    if (!fits) return file_.damaged("chunk", index.offset);
  }
  return ok();
}

Result<McapFile::Record> McapReader::indexed_record(std::uint64_t offset, McapOp op, const std::string& name) const {
  auto record = file_.record_at(offset);
  if (!record && record.error().code != Code::kOutOfRange) return std::move(record).error();
  if (!record || record->op != op) return file_.damaged(name, offset);
  return record;
}

template <class Decoded>
Result<void> McapReader::decode_at(const std::set<std::uint64_t>& offsets, McapOp op, const std::string& name,
                                   const std::function<Result<void>(Decoded& decoded)>& take) const {
  for (const std::uint64_t offset : offsets) {
    ASSIGN_OR_RETURN(const auto record, indexed_record(offset, op, name));
    Decoded decoded;
    if (!decode(record.content, decoded)) return file_.damaged(name, offset);
    RETURN_IF_ERROR(take(decoded));
  }
  return ok();
}

template <class Decoded>
Result<std::vector<Decoded>> McapReader::decode_all(const std::set<std::uint64_t>& offsets, McapOp op,
                                                    const std::string& name) const {
  std::vector<Decoded> all;
  std::uint64_t bytes = 0;
  RETURN_IF_ERROR(decode_at<Decoded>(offsets, op, name, [&](Decoded& decoded) -> Result<void> {
    bytes += size_of(decoded);
    if (bytes > kMaxTogether) {
      return Error{Code::kResourceExhausted, file_.path().string() + ": the records of kind " + name +
                                                 " are larger than " + std::to_string(kMaxTogether) + " bytes"};
    }
    all.push_back(std::move(decoded));
    return ok();
  }));
  return all;
}

Result<std::vector<McapAttachment>> McapReader::attachments() const {
  return decode_all<McapAttachment>(attachments_, McapOp::kAttachment, "attachment");
}

Result<void> McapReader::read_attachments(
    const std::function<Result<void>(const McapAttachment& attachment)>& take) const {
  return decode_at<McapAttachment>(attachments_, McapOp::kAttachment, "attachment", take);
}

Result<std::vector<McapMetadata>> McapReader::metadata() const {
  return decode_all<McapMetadata>(metadata_, McapOp::kMetadata, "metadata");
}

}  // namespace da::recording
