// The records of an MCAP file (https://mcap.dev/spec) that we write and read, and the encoding of their fields:
// little-endian integers, texts with a length of 32 bits, maps with a length in bytes. Pure; any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace da::recording {

inline constexpr std::string_view kMcapMagic("\x89MCAP0\r\n", 8);
inline constexpr std::size_t kRecordPrefix = 9;  // Opcode and length.

enum class McapOp : std::uint8_t {
  kHeader = 0x01,
  kFooter = 0x02,
  kSchema = 0x03,
  kChannel = 0x04,
  kMessage = 0x05,
  kChunk = 0x06,
  kMessageIndex = 0x07,
  kChunkIndex = 0x08,
  kAttachment = 0x09,
  kAttachmentIndex = 0x0a,
  kStatistics = 0x0b,
  kMetadata = 0x0c,
  kMetadataIndex = 0x0d,
  kSummaryOffset = 0x0e,
  kDataEnd = 0x0f,
};

// Private records are for applications; other readers skip them.
inline bool is_private(McapOp op) { return static_cast<std::uint8_t>(op) >= 0x80; }

struct McapSchema {
  std::uint16_t id = 0;  // Valid ids begin at 1.
  std::string name;      // "da.v1.Outcome"
  std::string encoding;  // "protobuf": data is a serialised FileDescriptorSet.
  std::string data;

  bool operator==(const McapSchema&) const = default;
};

struct McapChannel {
  std::uint16_t id = 0;
  std::uint16_t schema_id = 0;  // 0: none.
  std::string topic;
  std::string message_encoding;
  std::map<std::string, std::string> metadata;

  bool operator==(const McapChannel&) const = default;
};

struct McapMessage {
  std::uint16_t channel_id = 0;
  std::uint32_t sequence = 0;
  std::uint64_t log_time_ns = 0;      // When the recorder got it; wall clock.
  std::uint64_t publish_time_ns = 0;  // When the writer sent it; wall clock.
  std::string_view data;              // Points into a chunk or record; valid during the callback that passes it.
};

struct McapAttachment {
  std::uint64_t log_time_ns = 0;
  std::uint64_t create_time_ns = 0;
  std::string name;
  std::string media_type;
  std::string data;
};

struct McapMetadata {
  std::string name;
  std::map<std::string, std::string> values;
};

// A chunk of messages, from its index.
struct McapChunkIndex {
  std::uint64_t start_ns = 0;  // Earliest log time of its messages.
  std::uint64_t end_ns = 0;
  std::uint64_t offset = 0;                                // Offset of the record in the file.
  std::uint64_t length = 0;                                // Includes the record's prefix.
  std::map<std::uint16_t, std::uint64_t> message_indexes;  // File offset of each channel's message index.
  std::uint64_t message_index_length = 0;
  std::string compression;
  std::uint64_t compressed_size = 0;
  std::uint64_t uncompressed_size = 0;
};

struct McapStatistics {
  std::uint64_t messages = 0;
  std::uint64_t start_ns = 0;
  std::uint64_t end_ns = 0;
  std::map<std::uint16_t, std::uint64_t> messages_by_channel;
  std::uint16_t schemas = 0;
  std::uint32_t channels = 0;
  std::uint32_t attachments = 0;
  std::uint32_t metadata = 0;
  std::uint32_t chunks = 0;

  bool operator==(const McapStatistics&) const = default;
};

// The last record of a complete file.
struct McapFooter {
  std::uint64_t summary_start = 0;  // 0: none.
  std::uint64_t offsets_start = 0;  // 0: none.
  std::uint32_t crc = 0;            // Checksum of the summary up to this field; 0: none.
};

// Schemas and channels, by id.
struct McapDefinitions {
  static constexpr std::uint64_t kMaxBytes = 32u << 20;

  std::map<std::uint16_t, McapSchema> schemas;
  std::map<std::uint16_t, McapChannel> channels;
  std::uint64_t bytes = 0;  // Size of their texts and data.

  // Adds the schema or channel of a record; ignores other records. False if it does not fit, if its id already has
  // another meaning, or if all together are larger than kMaxBytes.
  bool add(McapOp op, std::string_view content);
  // Adds all of them, or none and returns false, as add() does.
  bool add(McapDefinitions more);
  const McapChannel* channel(std::uint16_t id) const;
  // nullptr if the channel is unknown or has no schema.
  const McapSchema* schema_of(std::uint16_t channel_id) const;
};

// Appends encoded fields to `bytes`.
class McapEncoder {
 public:
  std::string bytes;

  McapEncoder& u8(std::uint8_t value) { return integer(value); }
  McapEncoder& u16(std::uint16_t value) { return integer(value); }
  McapEncoder& u32(std::uint32_t value) { return integer(value); }
  McapEncoder& u64(std::uint64_t value) { return integer(value); }
  McapEncoder& text(std::string_view value);
  McapEncoder& map(const std::map<std::string, std::string>& values);
  McapEncoder& map(const std::map<std::uint16_t, std::uint64_t>& values);
  // Opcode, length and content.
  McapEncoder& record(McapOp op, std::string_view content);

 private:
  template <class Integer>
  McapEncoder& integer(Integer value) {
    for (std::size_t i = 0; i < sizeof(value); ++i) bytes += static_cast<char>(value >> (8 * i));
    return *this;
  }
};

std::string encode(const McapSchema& schema);
std::string encode(const McapChannel& channel);
std::string encode(const McapChunkIndex& index);

// Reads fields in order. After a field that does not fit, ok() is false and every field is empty.
class McapDecoder {
 public:
  explicit McapDecoder(std::string_view bytes) : rest_(bytes) {}

  bool ok() const { return ok_; }
  bool at_end() const { return rest_.empty(); }
  std::size_t left() const { return rest_.size(); }
  std::uint8_t u8() { return integer<std::uint8_t>(); }
  std::uint16_t u16() { return integer<std::uint16_t>(); }
  std::uint32_t u32() { return integer<std::uint32_t>(); }
  std::uint64_t u64() { return integer<std::uint64_t>(); }
  std::string_view raw(std::uint64_t size);
  std::string_view text() { return raw(u32()); }
  std::string_view rest() { return raw(rest_.size()); }
  std::map<std::string, std::string> text_map();
  std::map<std::uint16_t, std::uint64_t> number_map();

 private:
  template <class Integer>
  Integer integer() {
    const std::string_view field = raw(sizeof(Integer));
    Integer value = 0;
    for (std::size_t i = 0; i < field.size(); ++i) {
      value = static_cast<Integer>(
          value | static_cast<Integer>(static_cast<Integer>(static_cast<std::uint8_t>(field[i])) << (8 * i)));
    }
    return value;
  }
  std::string_view rest_;
  bool ok_ = true;
};

// False if the bytes do not fit; what follows the known fields is ignored, as the specification asks.
bool decode(std::string_view bytes, McapSchema& schema);
bool decode(std::string_view bytes, McapChannel& channel);
bool decode(std::string_view bytes, McapMessage& message);
bool decode(std::string_view bytes, McapChunkIndex& index);
// Also false if the checksum is wrong.
bool decode(std::string_view bytes, McapAttachment& attachment);
bool decode(std::string_view bytes, McapMetadata& metadata);
bool decode(std::string_view bytes, McapStatistics& statistics);
bool decode(std::string_view bytes, McapFooter& footer);

// Calls `each` with the records in `bytes` until it returns false. False if it did, or if they do not fit.
bool for_each_record(std::string_view bytes, const std::function<bool(McapOp op, std::string_view content)>& each);

// Counts a message, with its times.
void count(const McapMessage& message, McapStatistics& statistics);

// CRC-32 as zlib computes it; `before` is the value of the bytes before.
std::uint32_t crc32_of(std::string_view bytes, std::uint32_t before = 0);

}  // namespace da::recording
