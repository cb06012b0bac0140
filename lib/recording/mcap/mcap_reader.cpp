#include "lib/recording/mcap/mcap_reader.h"

#include <algorithm>

namespace da::recording {
namespace {

constexpr std::uint64_t kMaxTogether = 1u << 30;  // Bytes of the records that one call returns.

std::uint64_t size_of(const McapAttachment& attachment) { return attachment.data.size() + attachment.name.size(); }

std::uint64_t size_of(const McapMetadata& metadata) {
  constexpr std::uint64_t kOverhead = 100;  // Overhead of an entry of the map.
  std::uint64_t size = metadata.name.size();
  for (const auto& [name, value] : metadata.values) size += kOverhead + name.size() + value.size();
  return size;
}

}  // namespace

Result<std::unique_ptr<McapReader>> McapReader::open(const std::filesystem::path& file, std::uint64_t max_scan) {
  ASSIGN_OR_RETURN(auto opened, McapFile::open(file));
  auto contents = find_contents(opened, max_scan);
  return std::unique_ptr<McapReader>(new McapReader(std::move(opened), std::move(contents)));
}

bool McapReader::may_hold(const McapChunkIndex& chunk, const McapRange& range) const {
  if (chunk.end_ns < range.from_ns || chunk.start_ns > range.to_ns) return false;
  // A writer may leave the message indexes out.
  if (range.topics.empty() || chunk.message_indexes.empty()) return true;
  return std::ranges::any_of(chunk.message_indexes, [&](const auto& entry) {
    const McapChannel* channel = contents_.definitions.channel(entry.first);
    return channel != nullptr && range.topics.contains(channel->topic);
  });
}

bool McapReader::wants(const McapMessage& message, const McapRange& range) const {
  if (message.log_time_ns < range.from_ns || message.log_time_ns > range.to_ns) return false;
  const McapChannel* channel = contents_.definitions.channel(message.channel_id);
  return channel != nullptr && (range.topics.empty() || range.topics.contains(channel->topic));
}

Result<void> McapReader::read(const McapRange& range, const Take& take) const {
  auto loose = contents_.loose.begin();
  for (const McapChunkIndex& chunk : contents_.chunks) {
    for (; loose != contents_.loose.end() && loose->offset < chunk.offset; ++loose) {
      RETURN_IF_ERROR(read_loose(*loose, range, take));
    }
    RETURN_IF_ERROR(read_chunk(chunk, range, take));
  }
  for (; loose != contents_.loose.end(); ++loose) RETURN_IF_ERROR(read_loose(*loose, range, take));
  return ok();
}

Result<void> McapReader::read_chunk(const McapChunkIndex& index, const McapRange& range, const Take& take) const {
  if (!may_hold(index, range)) return ok();
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
  return fits ? ok() : Result<void>(file_.damaged("chunk", index.offset));
}

Result<void> McapReader::read_loose(const McapLooseRecords& run, const McapRange& range, const Take& take) const {
  if (run.messages.end_ns < range.from_ns || run.messages.start_ns > range.to_ns) return ok();
  for (std::uint64_t offset = run.offset; offset < run.end;) {
    ASSIGN_OR_RETURN(const auto record, file_.record_at(offset));
    offset = record.end();
    McapMessage message;
    if (record.op != McapOp::kMessage) continue;
    if (!decode(record.content, message)) return file_.damaged("message", record.offset);
    if (wants(message, range)) RETURN_IF_ERROR(take(message));
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
  return decode_all<McapAttachment>(contents_.attachments, McapOp::kAttachment, "attachment");
}

Result<void> McapReader::read_attachments(
    const std::function<Result<void>(const McapAttachment& attachment)>& take) const {
  return decode_at<McapAttachment>(contents_.attachments, McapOp::kAttachment, "attachment", take);
}

Result<std::vector<McapMetadata>> McapReader::metadata() const {
  return decode_all<McapMetadata>(contents_.metadata, McapOp::kMetadata, "metadata");
}

}  // namespace da::recording
