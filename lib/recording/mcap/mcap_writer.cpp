#include "lib/recording/mcap/mcap_writer.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "lib/os/files/file_descriptors.h"

namespace da::recording {
namespace {

// Largest buffer that is kept to be used again: a string that grows may have twice its size.
constexpr std::size_t kMostKept = 4 * ChunkCompressor::kChunkBytes;
constexpr std::string_view kCompression = "zstd";
constexpr std::uint64_t kMessageFields = 2 + 4 + 8 + 8;  // Bytes before a message's data.

}  // namespace

Result<std::unique_ptr<McapWriter>> McapWriter::create(const std::filesystem::path& file) {
  ASSIGN_OR_RETURN(auto opened, os::open_private_to_append(file));
  struct stat info {};
  if (::fstat(opened.get(), &info) != 0) return posix_error("look at " + file.string(), errno);
  if (info.st_size != 0)
    return Error{Code::kAlreadyExists, file.string() + " exists and is not empty; name a new file"};
  std::unique_ptr<McapWriter> writer(new McapWriter(std::move(opened), file));
  McapEncoder start;
  start.bytes = kMcapMagic;
  start.record(McapOp::kHeader, McapEncoder().text("").text("desktopassist").bytes);
  RETURN_IF_ERROR(writer->write(start.bytes));
  return writer;
}

Result<void> McapWriter::write(std::string_view bytes) {
  RETURN_IF_ERROR(state_);
  state_ = os::write_all(file_.get(), bytes, path_);
  RETURN_IF_ERROR(state_);
  data_crc_ = crc32_of(bytes, data_crc_);
  offset_ += bytes.size();
  return ok();
}

std::uint16_t McapWriter::add_schema(std::string name, std::string encoding, std::string data) {
  const auto id = static_cast<std::uint16_t>(schemas_.size() + 1);
  schemas_.push_back({id, std::move(name), std::move(encoding), std::move(data)});
  open_.records.record(McapOp::kSchema, encode(schemas_.back()));
  return id;
}

std::uint16_t McapWriter::add_channel(std::string topic, std::uint16_t schema_id, std::string message_encoding,
                                      std::map<std::string, std::string> metadata) {
  const auto id = static_cast<std::uint16_t>(channels_.size() + 1);
  channels_.push_back({id, schema_id, std::move(topic), std::move(message_encoding), std::move(metadata)});
  open_.records.record(McapOp::kChannel, encode(channels_.back()));
  return id;
}

Result<void> McapWriter::add_message(const McapMessage& message, std::string_view rest) {
  RETURN_IF_ERROR(state_);
  const std::size_t size = message.data.size() + rest.size();
  McapEncoder& records = open_.records;
  if (size >= ChunkCompressor::kLarge) records.bytes.reserve(ChunkCompressor::kUsualBytes);
  open_.message_indexes[message.channel_id].emplace_back(message.log_time_ns, records.bytes.size());
  records.u8(static_cast<std::uint8_t>(McapOp::kMessage)).u64(kMessageFields + size);
  records.u16(message.channel_id).u32(message.sequence).u64(message.log_time_ns).u64(message.publish_time_ns);
  records.bytes.append(message.data).append(rest);
  if (size >= ChunkCompressor::kLarge) open_.large_bytes += size;
  count(message, open_.statistics);
  count(message, statistics_);
  return records.bytes.size() < ChunkCompressor::kChunkBytes ? ok() : close_chunk();
}

// The chunk before it is written while this one is compressed.
Result<void> McapWriter::close_chunk() {
  RETURN_IF_ERROR(state_);
  if (open_.records.bytes.empty()) return ok();
  ASSIGN_OR_RETURN(auto before, take_compressed());
  use_spare_memory(open_);
  compressor_.begin(std::exchange(open_, {}));
  if (before) keep_records_memory(*before);
  open_.records = std::exchange(spare_records_, {});
  return before ? write_chunk(*std::move(before)) : ok();
}

Result<void> McapWriter::write_all_chunks() {
  RETURN_IF_ERROR(state_);
  ASSIGN_OR_RETURN(auto before, take_compressed());
  if (before) {
    keep_records_memory(*before);
    RETURN_IF_ERROR(write_chunk(*std::move(before)));
  }
  if (open_.records.bytes.empty()) return ok();
  use_spare_memory(open_);
  McapChunk last = std::exchange(open_, {});
  state_ = compress_chunk(last);
  RETURN_IF_ERROR(state_);
  open_.records = std::exchange(spare_records_, {});
  keep_records_memory(last);
  return write_chunk(std::move(last));
}

// The chunk that was begun, if any.
Result<std::optional<McapChunk>> McapWriter::take_compressed() {
  if (!compressor_.has_begun()) return std::optional<McapChunk>();
  auto taken = compressor_.take();
  if (!taken) {
    state_ = taken.error();
    return taken.error();
  }
  return std::optional<McapChunk>(*std::move(taken));
}

void McapWriter::use_spare_memory(McapChunk& chunk) {
  chunk.compressed = std::move(spare_compressed_);
  chunk.compressed_capacity = std::exchange(spare_capacity_, 0);
}

// Unless a large message made it much larger than usual.
void McapWriter::keep_records_memory(McapChunk& chunk) {
  if (chunk.records.bytes.capacity() > kMostKept) return;
  spare_records_ = std::move(chunk.records);
  spare_records_.bytes.clear();
}

Result<void> McapWriter::write_chunk(McapChunk chunk) {
  const std::string_view compressed(chunk.compressed.get(), chunk.compressed_size);
  McapEncoder fields;
  fields.u64(chunk.statistics.start_ns).u64(chunk.statistics.end_ns).u64(chunk.records_size).u32(chunk.crc);
  fields.text(kCompression).u64(compressed.size());
  const std::uint64_t length = fields.bytes.size() + compressed.size();
  McapEncoder start;
  start.u8(static_cast<std::uint8_t>(McapOp::kChunk)).u64(length).bytes += fields.bytes;
  McapChunkIndex index{.start_ns = chunk.statistics.start_ns,
                       .end_ns = chunk.statistics.end_ns,
                       .offset = offset_,
                       .length = kRecordPrefix + length,
                       .compression = std::string(kCompression),
                       .compressed_size = compressed.size(),
                       .uncompressed_size = chunk.records_size};
  McapEncoder indexes;
  for (const auto& [channel, entries] : chunk.message_indexes) {
    index.message_indexes[channel] = offset_ + index.length + indexes.bytes.size();
    McapEncoder list;
    for (const auto& [time, offset] : entries) list.u64(time).u64(offset);
    indexes.record(McapOp::kMessageIndex, McapEncoder().u16(channel).text(list.bytes).bytes);
  }
  index.message_index_length = indexes.bytes.size();
  for (const std::string_view part : {std::string_view(start.bytes), compressed, std::string_view(indexes.bytes)}) {
    RETURN_IF_ERROR(write(part));
  }
  // The disk writes while the next chunk is filled, so that sync() has little to wait for. It reports any error.
  static_cast<void>(::sync_file_range(file_.get(), static_cast<off64_t>(index.offset),
                                      static_cast<off64_t>(offset_ - index.offset), SYNC_FILE_RANGE_WRITE));
  chunks_.push_back(std::move(index));
  if (chunk.compressed_capacity <= kMostKept) {
    spare_compressed_ = std::move(chunk.compressed);
    spare_capacity_ = chunk.compressed_capacity;
  }
  return ok();
}

Result<void> McapWriter::add_attachment(const McapAttachment& attachment) {
  RETURN_IF_ERROR(write_all_chunks());
  McapEncoder content;
  content.u64(attachment.log_time_ns).u64(attachment.create_time_ns).text(attachment.name).text(attachment.media_type);
  content.u64(attachment.data.size()).bytes += attachment.data;
  content.u32(crc32_of(content.bytes));
  McapEncoder record;
  record.record(McapOp::kAttachment, content.bytes);
  indexes_.push_back({McapOp::kAttachmentIndex, McapEncoder()
                                                    .u64(offset_)
                                                    .u64(record.bytes.size())
                                                    .u64(attachment.log_time_ns)
                                                    .u64(attachment.create_time_ns)
                                                    .u64(attachment.data.size())
                                                    .text(attachment.name)
                                                    .text(attachment.media_type)
                                                    .bytes});
  return write(record.bytes);
}

Result<void> McapWriter::add_metadata(const McapMetadata& metadata) {
  RETURN_IF_ERROR(write_all_chunks());
  McapEncoder record;
  record.record(McapOp::kMetadata, McapEncoder().text(metadata.name).map(metadata.values).bytes);
  indexes_.push_back(
      {McapOp::kMetadataIndex, McapEncoder().u64(offset_).u64(record.bytes.size()).text(metadata.name).bytes});
  return write(record.bytes);
}

Result<void> McapWriter::sync() {
  RETURN_IF_ERROR(write_all_chunks());
  if (::fdatasync(file_.get()) != 0) state_ = posix_error("write " + path_.string() + " to the disk", errno);
  return state_;
}

void McapWriter::add_group(McapOp op, std::string_view records, std::uint64_t summary_start, McapEncoder& summary,
                           McapEncoder& offsets) const {
  if (records.empty()) return;
  offsets.record(McapOp::kSummaryOffset, McapEncoder()
                                             .u8(static_cast<std::uint8_t>(op))
                                             .u64(summary_start + summary.bytes.size())
                                             .u64(records.size())
                                             .bytes);
  summary.bytes += records;
}

Result<void> McapWriter::finish() {
  RETURN_IF_ERROR(write_all_chunks());
  RETURN_IF_ERROR(write(McapEncoder().record(McapOp::kDataEnd, McapEncoder().u32(data_crc_).bytes).bytes));
  const std::uint64_t start = offset_;
  McapEncoder summary;
  McapEncoder offsets;
  McapEncoder group;
  for (const McapSchema& schema : schemas_) group.record(McapOp::kSchema, encode(schema));
  add_group(McapOp::kSchema, std::exchange(group.bytes, {}), start, summary, offsets);
  for (const McapChannel& channel : channels_) group.record(McapOp::kChannel, encode(channel));
  add_group(McapOp::kChannel, std::exchange(group.bytes, {}), start, summary, offsets);
  const auto count_of = [this](McapOp op) {
    return static_cast<std::uint32_t>(std::ranges::count(indexes_, op, &Indexed::op));
  };
  group.record(McapOp::kStatistics, McapEncoder()
                                        .u64(statistics_.messages)
                                        .u16(static_cast<std::uint16_t>(schemas_.size()))
                                        .u32(static_cast<std::uint32_t>(channels_.size()))
                                        .u32(count_of(McapOp::kAttachmentIndex))
                                        .u32(count_of(McapOp::kMetadataIndex))
                                        .u32(static_cast<std::uint32_t>(chunks_.size()))
                                        .u64(statistics_.start_ns)
                                        .u64(statistics_.end_ns)
                                        .map(statistics_.messages_by_channel)
                                        .bytes);
  add_group(McapOp::kStatistics, std::exchange(group.bytes, {}), start, summary, offsets);
  for (const McapChunkIndex& chunk : chunks_) group.record(McapOp::kChunkIndex, encode(chunk));
  add_group(McapOp::kChunkIndex, std::exchange(group.bytes, {}), start, summary, offsets);
  for (const McapOp op : {McapOp::kAttachmentIndex, McapOp::kMetadataIndex}) {
    for (const Indexed& indexed : indexes_) {
      if (indexed.op == op) group.record(op, indexed.content);
    }
    add_group(op, std::exchange(group.bytes, {}), start, summary, offsets);
  }
  const std::uint64_t offsets_start = start + summary.bytes.size();
  summary.bytes += offsets.bytes;
  constexpr std::uint64_t kFooterContent = 20;
  McapEncoder footer;
  footer.u8(static_cast<std::uint8_t>(McapOp::kFooter)).u64(kFooterContent).u64(start).u64(offsets_start);
  summary.bytes += footer.bytes;
  summary.u32(crc32_of(summary.bytes)).bytes += kMcapMagic;
  RETURN_IF_ERROR(write(summary.bytes));
  return sync();
}

}  // namespace da::recording
