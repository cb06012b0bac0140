// Compresses the chunks of an MCAP file. A full chunk is compressed by a thread, so that the caller fills and writes
// others meanwhile; the thread starts with the first one, because most recordings never fill a chunk. One chunk at a
// time. The public functions are for one thread.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "lib/base/result.h"
#include "lib/recording/mcap/mcap_format.h"

namespace da::recording {

// Memory for its records and its compressed data is used again for later chunks, because new memory of this size costs
// more than the compression.
struct McapChunk {
  McapEncoder records;
  McapStatistics statistics;
  std::size_t large_bytes = 0;  // Size of its large messages.
  // Log times and offsets of the messages of each channel.
  std::map<std::uint16_t, std::vector<std::pair<std::uint64_t, std::uint64_t>>> message_indexes;
  // Set by the compressor.
  std::uint32_t crc = 0;  // Checksum of the records.
  std::size_t records_size = 0;
  std::unique_ptr<char[]> compressed;
  std::size_t compressed_size = 0;
  std::size_t compressed_capacity = 0;
};

class ChunkCompressor {
 public:
  static constexpr std::size_t kChunkBytes = 4u << 20;  // A chunk is closed at this size.
  // Room for the message that fills a chunk. A larger one makes the memory grow, which copies the chunk.
  static constexpr std::size_t kUsualBytes = kChunkBytes + (1u << 20);
  static constexpr std::size_t kLarge = 64u << 10;  // Size of a large message, such as a screenshot.

  // Only if none is begun.
  void begin(McapChunk chunk);
  bool has_begun() const { return begun_; }
  // Waits for the chunk that was begun.
  Result<McapChunk> take();

 private:
  void run(const std::stop_token& stop);

  bool begun_ = false;  // The caller's.
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::optional<McapChunk> given_;
  std::optional<Result<McapChunk>> done_;
  std::jthread thread_;  // Last: it uses the other members.
};

// Compresses on the caller's thread, which is quicker if the caller would wait anyway. The chunks of a thread share the
// memory that compressing needs.
Result<void> compress_chunk(McapChunk& chunk);

}  // namespace da::recording
