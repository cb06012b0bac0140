// Writes an MCAP file: chunks of messages, compressed with zstd, with an index, a checksum and a summary at the end. A
// full chunk is compressed by another thread, and is in the file when the next one is full, or after sync(). What is in
// the file can be read after a crash. Errors are those of the file; after one, every call fails with it. Not
// thread-safe.
//
//   ASSIGN_OR_RETURN(auto writer, McapWriter::create(file));
//   const auto schema = writer->add_schema("da.v1.Outcome", "protobuf", descriptors);
//   const auto channel = writer->add_channel("actuator.outcome", schema, "protobuf");
//   writer->add_message({.channel_id = channel, ..., .data = payload});
//   RETURN_IF_ERROR(writer->sync());    // at moments that must not be lost
//   RETURN_IF_ERROR(writer->finish());
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/base/result.h"
#include "lib/os/unique_fd.h"
#include "lib/recording/mcap/chunk_compressor.h"
#include "lib/recording/mcap/mcap_format.h"

namespace da::recording {

class McapWriter {
 public:
  // Creates the file with mode 0600. kAlreadyExists if it has content.
  static Result<std::unique_ptr<McapWriter>> create(const std::filesystem::path& file);
  McapWriter(const McapWriter&) = delete;
  McapWriter& operator=(const McapWriter&) = delete;

  // Return the new id. At most 65,535 of each.
  std::uint16_t add_schema(std::string name, std::string encoding, std::string data);
  std::uint16_t add_channel(std::string topic, std::uint16_t schema_id, std::string message_encoding,
                            std::map<std::string, std::string> metadata = {});
  // Into the open chunk, which is closed when it is large enough. Log times should not decrease much: chunks are found
  // by them.
  // `rest`: more of the message's data, so that a large part of it need not be copied.
  Result<void> add_message(const McapMessage& message, std::string_view rest = {});
  // Closes the open chunk first, so that they stand in the order of the calls.
  Result<void> add_attachment(const McapAttachment& attachment);
  Result<void> add_metadata(const McapMetadata& metadata);

  // Closes the open chunk and waits until the disk has everything.
  Result<void> sync();
  // Also writes the summary. The file is complete afterwards, and nothing may be added.
  Result<void> finish();

  // Excludes the chunks that are not in the file yet.
  std::uint64_t bytes_written() const { return offset_; }

 private:
  struct Indexed {  // An attachment or metadata record.
    McapOp op;
    std::string content;  // Content of its index record.
  };
  McapWriter(os::UniqueFd file, std::filesystem::path path) : file_(std::move(file)), path_(std::move(path)) {}
  Result<void> write(std::string_view bytes);
  Result<void> close_chunk();
  Result<void> write_all_chunks();
  Result<std::optional<McapChunk>> take_compressed();
  void use_spare_memory(McapChunk& chunk);
  void keep_records_memory(McapChunk& chunk);
  Result<void> write_chunk(McapChunk chunk);
  void add_group(McapOp op, std::string_view records, std::uint64_t summary_start, McapEncoder& summary,
                 McapEncoder& offsets) const;

  const os::UniqueFd file_;
  const std::filesystem::path path_;
  Result<void> state_;  // The first error.
  std::uint64_t offset_ = 0;
  std::uint32_t data_crc_ = 0;  // Checksum of all bytes written so far.
  std::vector<McapSchema> schemas_;
  std::vector<McapChannel> channels_;
  std::vector<McapChunkIndex> chunks_;
  std::vector<Indexed> indexes_;
  McapStatistics statistics_;
  McapChunk open_;
  McapEncoder spare_records_;  // Memory for the next chunk.
  std::unique_ptr<char[]> spare_compressed_;
  std::size_t spare_capacity_ = 0;
  ChunkCompressor compressor_;
};

}  // namespace da::recording
