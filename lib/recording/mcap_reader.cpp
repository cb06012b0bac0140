#include "lib/recording/mcap_reader.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>

namespace da::recording {
namespace {

// Larger records and chunks are refused before memory is allocated for them.
constexpr std::uint64_t kMaxRecord = 1u << 30;
constexpr std::uint64_t kMaxChunk = 256u << 20;
constexpr std::uint64_t kFooterContent = 20;
constexpr std::uint64_t kEnd = kRecordPrefix + kFooterContent + kMcapMagic.size();

// Calls `each` with the records in `bytes`. False if they do not fit.
bool for_each_record(std::string_view bytes, const std::function<bool(McapOp, std::string_view)>& each) {
  McapDecoder records(bytes);
  while (!records.at_end()) {
    const auto op = static_cast<McapOp>(records.u8());
    const std::string_view content = records.raw(records.u64());
    if (!records.ok() || !each(op, content)) return false;
  }
  return true;
}

}  // namespace

Result<std::unique_ptr<McapReader>> McapReader::open(const std::filesystem::path& file) {
  os::UniqueFd opened(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (opened.get() < 0) return posix_error("open " + file.string(), errno);
  struct stat info {};
  if (::fstat(opened.get(), &info) != 0) return posix_error("look at " + file.string(), errno);
  if (!S_ISREG(info.st_mode)) return Error{Code::kInvalidArgument, file.string() + " is not a regular file"};
  std::unique_ptr<McapReader> reader(new McapReader(std::move(opened), file, static_cast<std::uint64_t>(info.st_size)));
  const auto magic = reader->bytes_at(0, kMcapMagic.size());
  if (!magic || *magic != kMcapMagic) return Error{Code::kDataLoss, file.string() + " is not an MCAP file"};
  if (!reader->read_summary()) reader->scan();
  return reader;
}

Error McapReader::damaged(const std::string& what, std::uint64_t offset) const {
  return {Code::kDataLoss, path_.string() + ": the " + what + " at byte " + std::to_string(offset) + " is damaged"};
}

Result<std::string> McapReader::bytes_at(std::uint64_t offset, std::uint64_t size) const {
  if (offset > size_ || size > size_ - offset) {
    return Error{Code::kDataLoss, path_.string() + " ends before byte " + std::to_string(offset) + " and the " +
                                      std::to_string(size) + " bytes after it"};
  }
  std::string bytes(size, '\0');
  std::size_t done = 0;
  while (done < size) {
    const ssize_t got =
        ::pread(file_.get(), bytes.data() + done, size - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return posix_error("read " + path_.string(), errno);
    if (got == 0) return Error{Code::kDataLoss, path_.string() + " became shorter while it was read"};
    done += static_cast<std::size_t>(got);
  }
  return bytes;
}

Result<McapReader::Record> McapReader::record_at(std::uint64_t offset) const {
  ASSIGN_OR_RETURN(const std::string prefix, bytes_at(offset, kRecordPrefix));
  McapDecoder fields(prefix);
  const auto op = static_cast<McapOp>(fields.u8());
  const std::uint64_t length = fields.u64();
  if (length > kMaxRecord) return damaged("record", offset);
  ASSIGN_OR_RETURN(std::string content, bytes_at(offset + kRecordPrefix, length));
  return Record{op, std::move(content)};
}

// The decompressed records of a chunk, whose checksum is right.
Result<std::string> McapReader::chunk_records(std::string_view content, std::uint64_t offset) const {
  McapDecoder fields(content);
  fields.u64();  // Start and end: in the index.
  fields.u64();
  const std::uint64_t size = fields.u64();
  const std::uint32_t crc = fields.u32();
  const std::string_view compression = fields.text();
  const std::string_view compressed = fields.raw(fields.u64());
  if (!fields.ok() || size > kMaxChunk) return damaged("chunk", offset);
  std::string records;
  if (compression.empty()) {
    records = compressed;
  } else if (compression == "zstd") {
    records.resize(size);
    if (ZSTD_decompress(records.data(), records.size(), compressed.data(), compressed.size()) != size) {
      return damaged("chunk", offset);
    }
  } else {
    return Error{Code::kUnimplemented, path_.string() + ": chunks compressed with \"" + std::string(compression) +
                                           "\" cannot be read, only zstd"};
  }
  if (records.size() != size || (crc != 0 && crc != crc32_of(records))) return damaged("chunk", offset);
  return records;
}

// False if there is no summary, or a damaged one.
bool McapReader::read_summary() {
  if (size_ < kMcapMagic.size() + kEnd) return false;
  const auto end = bytes_at(size_ - kEnd, kEnd);
  if (!end || !end->ends_with(kMcapMagic)) return false;
  McapDecoder fields(*end);
  const bool is_footer = static_cast<McapOp>(fields.u8()) == McapOp::kFooter && fields.u64() == kFooterContent;
  const std::uint64_t start = fields.u64();
  fields.u64();  // Where the offsets start.
  const std::uint32_t crc = fields.u32();
  if (!is_footer || start == 0 || start > size_ - kEnd || size_ - start > kMaxRecord) return false;
  constexpr std::uint64_t kCrcAndMagic = 4 + kMcapMagic.size();
  const auto summary = bytes_at(start, size_ - start - kCrcAndMagic);
  if (!summary || (crc != 0 && crc != crc32_of(*summary))) return false;
  const std::string_view records = std::string_view(*summary).substr(0, size_ - kEnd - start);
  return for_each_record(records, [this](McapOp op, std::string_view content) {
    McapDecoder index(content);
    switch (op) {
      case McapOp::kSchema: {
        McapSchema schema;
        if (!decode(content, schema)) return false;
        schemas_[schema.id] = std::move(schema);
        return true;
      }
      case McapOp::kChannel: {
        McapChannel channel;
        if (!decode(content, channel)) return false;
        channels_[channel.id] = std::move(channel);
        return true;
      }
      case McapOp::kChunkIndex: return decode(content, chunks_.emplace_back());
      case McapOp::kStatistics: return decode(content, statistics_);
      case McapOp::kAttachmentIndex:
      case McapOp::kMetadataIndex: {
        const std::uint64_t offset = index.u64();
        const std::uint64_t length = index.u64();
        (op == McapOp::kMetadataIndex ? metadata_ : attachments_).push_back({offset, length});
        return index.ok();
      }
      default: return true;
    }
  });
}

// Finds by reading from the start what a summary would tell. Stops at the first damage.
void McapReader::scan() {
  schemas_.clear();
  channels_.clear();
  chunks_.clear();
  attachments_.clear();
  metadata_.clear();
  statistics_ = {};
  std::uint64_t offset = kMcapMagic.size();
  std::string why = "it has no end";
  while (offset < size_) {
    const auto record = record_at(offset);
    if (!record) {
      why = record.error().message;
      break;
    }
    if (record->op == McapOp::kDataEnd) {
      why = "its summary is missing or damaged";
      offset = size_;
      break;
    }
    if (const auto scanned = scan_record(*record, offset); !scanned) {
      why = scanned.error().message;
      break;
    }
    offset += kRecordPrefix + record->content.size();
  }
  problem_ = "the recording is not complete: " + why;
  if (offset < size_) problem_ += "; its last " + std::to_string(size_ - offset) + " bytes cannot be read";
}

Result<void> McapReader::scan_record(const Record& record, std::uint64_t offset) {
  const Place place{offset, kRecordPrefix + record.content.size()};
  switch (record.op) {
    case McapOp::kChunk: return scan_chunk(record, offset);
    case McapOp::kAttachment: attachments_.push_back(place); return ok();
    case McapOp::kMetadata: metadata_.push_back(place); return ok();
    case McapOp::kHeader:
    case McapOp::kMessageIndex: return ok();
    default: {
      const bool is_private = static_cast<std::uint8_t>(record.op) >= 0x80;
      return is_private ? ok() : Result<void>(damaged("record", offset));
    }
  }
}

Result<void> McapReader::scan_chunk(const Record& record, std::uint64_t offset) {
  ASSIGN_OR_RETURN(const std::string records, chunk_records(record.content, offset));
  McapChunkIndex chunk{.start_ns = std::numeric_limits<std::uint64_t>::max(),
                       .offset = offset,
                       .length = kRecordPrefix + record.content.size(),
                       .uncompressed_size = records.size()};
  McapStatistics counted = statistics_;
  auto schemas = schemas_;
  auto channels = channels_;
  const bool fits = for_each_record(records, [&](McapOp op, std::string_view content) {
    if (op == McapOp::kSchema) {
      McapSchema schema;
      if (!decode(content, schema)) return false;
      schemas[schema.id] = std::move(schema);
    } else if (op == McapOp::kChannel) {
      McapChannel channel;
      if (!decode(content, channel)) return false;
      channels[channel.id] = std::move(channel);
    } else if (op == McapOp::kMessage) {
      McapMessage message;
      if (!decode(content, message)) return false;
      counted.start_ns = counted.messages == 0 ? message.log_time_ns : std::min(counted.start_ns, message.log_time_ns);
      counted.end_ns = std::max(counted.end_ns, message.log_time_ns);
      ++counted.messages;
      ++counted.messages_by_channel[message.channel_id];
      chunk.start_ns = std::min(chunk.start_ns, message.log_time_ns);
      chunk.end_ns = std::max(chunk.end_ns, message.log_time_ns);
      chunk.message_indexes[message.channel_id] = 0;
    }
    return true;
  });
  if (!fits) return damaged("chunk", offset);
  schemas_ = std::move(schemas);
  channels_ = std::move(channels);
  statistics_ = std::move(counted);
  chunks_.push_back(std::move(chunk));
  return ok();
}

bool McapReader::may_hold(const McapChunkIndex& chunk, const McapRange& range) const {
  if (chunk.end_ns < range.from_ns || chunk.start_ns > range.to_ns) return false;
  // A writer may leave the message indexes out.
  if (range.topics.empty() || chunk.message_indexes.empty()) return true;
  return std::ranges::any_of(chunk.message_indexes, [&](const auto& entry) {
    const auto channel = channels_.find(entry.first);
    return channel != channels_.end() && range.topics.contains(channel->second.topic);
  });
}

bool McapReader::wants(const McapMessage& message, const McapRange& range) const {
  if (message.log_time_ns < range.from_ns || message.log_time_ns > range.to_ns) return false;
  const auto channel = channels_.find(message.channel_id);
  return channel != channels_.end() && (range.topics.empty() || range.topics.contains(channel->second.topic));
}

Result<void> McapReader::read(const McapRange& range, const Take& take) const {
  for (const McapChunkIndex& chunk : chunks_) {
    if (!may_hold(chunk, range)) continue;
    ASSIGN_OR_RETURN(const auto record, record_at(chunk.offset));
    if (record.op != McapOp::kChunk) return damaged("chunk", chunk.offset);
    ASSIGN_OR_RETURN(const std::string records, chunk_records(record.content, chunk.offset));
    Result<void> taken = ok();
    const bool fits = for_each_record(records, [&](McapOp op, std::string_view content) {
      McapMessage message;
      if (op != McapOp::kMessage) return true;
      if (!decode(content, message)) return false;
      if (wants(message, range)) taken = take(message);
      return taken.has_value();
    });
    RETURN_IF_ERROR(taken);
    if (!fits) return damaged("chunk", chunk.offset);
  }
  return ok();
}

Result<std::vector<McapAttachment>> McapReader::attachments() const {
  std::vector<McapAttachment> all;
  for (const Place& place : attachments_) {
    ASSIGN_OR_RETURN(const auto record, record_at(place.offset));
    McapDecoder fields(record.content);
    McapAttachment attachment{.log_time_ns = fields.u64(), .create_time_ns = fields.u64()};
    attachment.name = fields.text();
    attachment.media_type = fields.text();
    attachment.data = fields.raw(fields.u64());
    const std::string_view covered = std::string_view(record.content).substr(0, record.content.size() - fields.left());
    const std::uint32_t crc = fields.u32();
    const bool right = fields.ok() && (crc == 0 || crc == crc32_of(covered));
    if (record.op != McapOp::kAttachment || !right) return damaged("attachment", place.offset);
    all.push_back(std::move(attachment));
  }
  return all;
}

Result<std::vector<McapMetadata>> McapReader::metadata() const {
  std::vector<McapMetadata> all;
  for (const Place& place : metadata_) {
    ASSIGN_OR_RETURN(const auto record, record_at(place.offset));
    if (record.op != McapOp::kMetadata || !decode(record.content, all.emplace_back())) {
      return damaged("metadata", place.offset);
    }
  }
  return all;
}

}  // namespace da::recording
