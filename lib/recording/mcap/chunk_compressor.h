// Compresses the chunks of an MCAP file on a thread of its own, so that the caller fills and writes others meanwhile.
// One chunk at a time. The public functions are for one thread.
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

struct ZSTD_CCtx_s;

namespace da::recording {

// Memory for its records and its compressed data is used again for later chunks, because new memory of this size costs
// more than the compression.
struct McapChunk {
  McapEncoder records;
  McapStatistics statistics;
  std::size_t large_bytes = 0;  // Of its large messages.
  // By channel: log times and offsets of its messages.
  std::map<std::uint16_t, std::vector<std::pair<std::uint64_t, std::uint64_t>>> message_indexes;
  // Set by the compressor.
  std::uint32_t crc = 0;  // Of the records.
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

  static Result<std::unique_ptr<ChunkCompressor>> start();
  ChunkCompressor(const ChunkCompressor&) = delete;
  ChunkCompressor& operator=(const ChunkCompressor&) = delete;

  // Only if none is begun.
  void begin(McapChunk chunk);
  bool has_begun() const { return begun_; }
  // Waits for the chunk that was begun.
  Result<McapChunk> take();
  // Compresses on the caller's thread, only if none is begun. Quicker, if the caller would wait anyway.
  Result<void> compress(McapChunk& chunk);

 private:
  struct FreeContext {
    void operator()(ZSTD_CCtx_s* context) const;
  };
  explicit ChunkCompressor(std::unique_ptr<ZSTD_CCtx_s, FreeContext> context)
      : context_(std::move(context)), thread_([this](const std::stop_token& stop) { run(stop); }) {}
  void run(const std::stop_token& stop);

  const std::unique_ptr<ZSTD_CCtx_s, FreeContext> context_;  // Of the thread, while a chunk is begun.
  bool begun_ = false;                                       // The caller's.
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::optional<McapChunk> given_;
  std::optional<Result<McapChunk>> done_;
  std::jthread thread_;  // Last: it uses the other members.
};

}  // namespace da::recording
