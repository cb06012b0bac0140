#include "lib/recording/mcap_writer.h"

#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>

#include "lib/os/files.h"

namespace da::recording {
namespace {

constexpr std::size_t kChunkBytes = 4u << 20;
constexpr int kCompressionLevel = 1;  // Screens compress well at once; higher levels cost more than they save.
constexpr std::string_view kCompression = "zstd";

Result<std::string> compress(std::string_view bytes) {
  std::string compressed(ZSTD_compressBound(bytes.size()), '\0');
  const std::size_t size =
      ZSTD_compress(compressed.data(), compressed.size(), bytes.data(), bytes.size(), kCompressionLevel);
  if (ZSTD_isError(size)) return Error{Code::kInternal, std::string("compress a chunk: ") + ZSTD_getErrorName(size)};
  compressed.resize(size);
  return compressed;
}

}  // namespace

Result<std::unique_ptr<McapWriter>> McapWriter::create(const std::filesystem::path& file) {
  ASSIGN_OR_RETURN(auto opened, os::open_private_to_append(file));
  struct stat info {};
  if (::fstat(opened.get(), &info) != 0) return posix_error("look at " + file.string(), errno);
  if (info.st_size != 0) return Error{Code::kAlreadyExists, file.string() + " exists and is not empty; name a new file"};
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
  records_.record(McapOp::kSchema, encode(schemas_.back()));
  return id;
}

std::uint16_t McapWriter::add_channel(std::string topic, std::uint16_t schema_id, std::string message_encoding,
                                      std::map<std::string, std::string> metadata) {
  const auto id = static_cast<std::uint16_t>(channels_.size() + 1);
  channels_.push_back({id, schema_id, std::move(topic), std::move(message_encoding), std::move(metadata)});
  records_.record(McapOp::kChannel, encode(channels_.back()));
  return id;
}

Result<void> McapWriter::add_message(const McapMessage& message) {
  RETURN_IF_ERROR(state_);
  message_indexes_[message.channel_id].emplace_back(message.log_time_ns, records_.bytes.size());
  records_.record(McapOp::kMessage, McapEncoder()
                                        .u16(message.channel_id)
                                        .u32(message.sequence)
                                        .u64(message.log_time_ns)
                                        .u64(message.publish_time_ns)
                                        .bytes.append(message.data));
  count(message, chunk_);
  count(message, statistics_);
  return records_.bytes.size() < kChunkBytes ? ok() : close_chunk();
}

Result<void> McapWriter::close_chunk() {
  if (records_.bytes.empty()) return state_;
  ASSIGN_OR_RETURN(const std::string compressed, compress(records_.bytes));
  McapEncoder content;
  content.u64(chunk_.start_ns).u64(chunk_.end_ns).u64(records_.bytes.size()).u32(crc32_of(records_.bytes));
  content.text(kCompression).u64(compressed.size()).bytes += compressed;
  McapEncoder bytes;
  bytes.record(McapOp::kChunk, content.bytes);
  McapChunkIndex index{.start_ns = chunk_.start_ns,
                       .end_ns = chunk_.end_ns,
                       .offset = offset_,
                       .length = bytes.bytes.size(),
                       .compression = std::string(kCompression),
                       .compressed_size = compressed.size(),
                       .uncompressed_size = records_.bytes.size()};
  for (const auto& [channel, entries] : message_indexes_) {
    index.message_indexes[channel] = offset_ + bytes.bytes.size();
    McapEncoder list;
    for (const auto& [time, offset] : entries) list.u64(time).u64(offset);
    bytes.record(McapOp::kMessageIndex, McapEncoder().u16(channel).text(list.bytes).bytes);
  }
  index.message_index_length = bytes.bytes.size() - index.length;
  RETURN_IF_ERROR(write(bytes.bytes));
  chunks_.push_back(std::move(index));
  records_.bytes.clear();
  chunk_ = {};
  message_indexes_.clear();
  return ok();
}

Result<void> McapWriter::add_attachment(const McapAttachment& attachment) {
  RETURN_IF_ERROR(close_chunk());
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
  RETURN_IF_ERROR(close_chunk());
  McapEncoder record;
  record.record(McapOp::kMetadata, McapEncoder().text(metadata.name).map(metadata.values).bytes);
  indexes_.push_back(
      {McapOp::kMetadataIndex, McapEncoder().u64(offset_).u64(record.bytes.size()).text(metadata.name).bytes});
  return write(record.bytes);
}

Result<void> McapWriter::sync() {
  RETURN_IF_ERROR(close_chunk());
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
  RETURN_IF_ERROR(close_chunk());
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
