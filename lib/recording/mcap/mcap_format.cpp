#include "lib/recording/mcap/mcap_format.h"

#include <libdeflate.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace da::recording {

McapEncoder& McapEncoder::text(std::string_view value) {
  u32(static_cast<std::uint32_t>(value.size()));
  bytes += value;
  return *this;
}

McapEncoder& McapEncoder::map(const std::map<std::string, std::string>& values) {
  McapEncoder entries;
  for (const auto& [key, value] : values) entries.text(key).text(value);
  return text(entries.bytes);
}

McapEncoder& McapEncoder::map(const std::map<std::uint16_t, std::uint64_t>& values) {
  McapEncoder entries;
  for (const auto& [key, value] : values) entries.u16(key).u64(value);
  return text(entries.bytes);
}

McapEncoder& McapEncoder::record(McapOp op, std::string_view content) {
  u8(static_cast<std::uint8_t>(op)).u64(content.size());
  bytes += content;
  return *this;
}

std::string encode(const McapSchema& schema) {
  return McapEncoder().u16(schema.id).text(schema.name).text(schema.encoding).text(schema.data).bytes;
}

std::string encode(const McapChannel& channel) {
  return McapEncoder()
      .u16(channel.id)
      .u16(channel.schema_id)
      .text(channel.topic)
      .text(channel.message_encoding)
      .map(channel.metadata)
      .bytes;
}

std::string encode(const McapChunkIndex& index) {
  return McapEncoder()
      .u64(index.start_ns)
      .u64(index.end_ns)
      .u64(index.offset)
      .u64(index.length)
      .map(index.message_indexes)
      .u64(index.message_index_length)
      .text(index.compression)
      .u64(index.compressed_size)
      .u64(index.uncompressed_size)
      .bytes;
}

std::string_view McapDecoder::raw(std::uint64_t size) {
  if (!ok_ || size > rest_.size()) {
    ok_ = false;
    rest_ = {};
    return {};
  }
  const std::string_view field = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return field;
}

std::map<std::string, std::string> McapDecoder::text_map() {
  std::map<std::string, std::string> values;
  McapDecoder entries(text());
  while (entries.ok() && !entries.at_end()) {
    const std::string key(entries.text());
    values[key] = entries.text();
  }
  ok_ = ok_ && entries.ok();
  return values;
}

std::map<std::uint16_t, std::uint64_t> McapDecoder::number_map() {
  std::map<std::uint16_t, std::uint64_t> values;
  McapDecoder entries(text());
  while (entries.ok() && !entries.at_end()) {
    const std::uint16_t key = entries.u16();
    values[key] = entries.u64();
  }
  ok_ = ok_ && entries.ok();
  return values;
}

bool decode(std::string_view bytes, McapSchema& schema) {
  McapDecoder fields(bytes);
  schema.id = fields.u16();
  schema.name = fields.text();
  schema.encoding = fields.text();
  schema.data = fields.text();
  return fields.ok() && schema.id != 0;
}

bool decode(std::string_view bytes, McapChannel& channel) {
  McapDecoder fields(bytes);
  channel.id = fields.u16();
  channel.schema_id = fields.u16();
  channel.topic = fields.text();
  channel.message_encoding = fields.text();
  channel.metadata = fields.text_map();
  return fields.ok();
}

bool decode(std::string_view bytes, McapMessage& message) {
  McapDecoder fields(bytes);
  message.channel_id = fields.u16();
  message.sequence = fields.u32();
  message.log_time_ns = fields.u64();
  message.publish_time_ns = fields.u64();
  message.data = fields.rest();
  return fields.ok();
}

bool decode(std::string_view bytes, McapChunkIndex& index) {
  McapDecoder fields(bytes);
  index.start_ns = fields.u64();
  index.end_ns = fields.u64();
  index.offset = fields.u64();
  index.length = fields.u64();
  index.message_indexes = fields.number_map();
  index.message_index_length = fields.u64();
  index.compression = fields.text();
  index.compressed_size = fields.u64();
  index.uncompressed_size = fields.u64();
  return fields.ok();
}

bool decode(std::string_view bytes, McapAttachment& attachment) {
  McapDecoder fields(bytes);
  attachment.log_time_ns = fields.u64();
  attachment.create_time_ns = fields.u64();
  attachment.name = fields.text();
  attachment.media_type = fields.text();
  attachment.data = fields.raw(fields.u64());
  const std::string_view covered = bytes.substr(0, bytes.size() - fields.left());
  const std::uint32_t crc = fields.u32();
  return fields.ok() && (crc == 0 || crc == crc32_of(covered));
}

bool decode(std::string_view bytes, McapMetadata& metadata) {
  McapDecoder fields(bytes);
  metadata.name = fields.text();
  metadata.values = fields.text_map();
  return fields.ok();
}

bool decode(std::string_view bytes, McapStatistics& statistics) {
  McapDecoder fields(bytes);
  statistics.messages = fields.u64();
  statistics.schemas = fields.u16();
  statistics.channels = fields.u32();
  statistics.attachments = fields.u32();
  statistics.metadata = fields.u32();
  statistics.chunks = fields.u32();
  statistics.start_ns = fields.u64();
  statistics.end_ns = fields.u64();
  statistics.messages_by_channel = fields.number_map();
  return fields.ok();
}

bool decode(std::string_view bytes, McapFooter& footer) {
  McapDecoder fields(bytes);
  footer.summary_start = fields.u64();
  footer.offsets_start = fields.u64();
  footer.crc = fields.u32();
  return fields.ok();
}

namespace {

std::uint64_t size_of(const McapSchema& schema) {
  return schema.name.size() + schema.encoding.size() + schema.data.size();
}

std::uint64_t size_of(const McapChannel& channel) {
  std::uint64_t size = channel.topic.size() + channel.message_encoding.size();
  for (const auto& [key, value] : channel.metadata) size += key.size() + value.size();
  return size;
}

// The size of those of `more` that are not in `known`; nullopt if one has another meaning there.
template <class Definitions>
std::optional<std::uint64_t> size_of_new(const Definitions& known, const Definitions& more) {
  std::uint64_t size = 0;
  for (const auto& [id, definition] : more) {
    const auto found = known.find(id);
    if (found == known.end()) {
      size += size_of(definition);
    } else if (found->second != definition) {
      return std::nullopt;
    }
  }
  return size;
}

}  // namespace

bool McapDefinitions::add(McapOp op, std::string_view content) {
  McapDefinitions one;
  if (op == McapOp::kSchema) {
    McapSchema schema;
    if (!decode(content, schema)) return false;
    one.schemas.emplace(schema.id, std::move(schema));
  } else if (op == McapOp::kChannel) {
    McapChannel channel;
    if (!decode(content, channel)) return false;
    one.channels.emplace(channel.id, std::move(channel));
  }
  return add(std::move(one));
}

bool McapDefinitions::add(McapDefinitions more) {
  const auto schema_bytes = size_of_new(schemas, more.schemas);
  const auto channel_bytes = size_of_new(channels, more.channels);
  if (!schema_bytes || !channel_bytes || *schema_bytes + *channel_bytes > kMaxBytes - bytes) return false;
  bytes += *schema_bytes + *channel_bytes;
  schemas.merge(more.schemas);
  channels.merge(more.channels);
  return true;
}

const McapChannel* McapDefinitions::channel(std::uint16_t id) const {
  const auto found = channels.find(id);
  return found == channels.end() ? nullptr : &found->second;
}

const McapSchema* McapDefinitions::schema_of(std::uint16_t channel_id) const {
  const McapChannel* of = channel(channel_id);
  const auto found = of == nullptr ? schemas.end() : schemas.find(of->schema_id);
  return found == schemas.end() ? nullptr : &found->second;
}

bool for_each_record(std::string_view bytes, const std::function<bool(McapOp op, std::string_view content)>& each) {
  McapDecoder records(bytes);
  while (!records.at_end()) {
    const auto op = static_cast<McapOp>(records.u8());
    const std::string_view content = records.raw(records.u64());
    if (!records.ok() || !each(op, content)) return false;
  }
  return true;
}

void count(const McapMessage& message, McapStatistics& statistics) {
  const bool first = statistics.messages++ == 0;
  statistics.start_ns = first ? message.log_time_ns : std::min(statistics.start_ns, message.log_time_ns);
  statistics.end_ns = first ? message.log_time_ns : std::max(statistics.end_ns, message.log_time_ns);
  ++statistics.messages_by_channel[message.channel_id];
}

std::uint32_t crc32_of(std::string_view bytes, std::uint32_t before) {
  return libdeflate_crc32(before, bytes.data(), bytes.size());
}

}  // namespace da::recording
