#include "lib/recording/mcap/chunk_compressor.h"

#include <zstd.h>

#include <algorithm>
#include <string>

namespace da::recording {
namespace {

constexpr int kCompressionLevel = 1;  // Higher levels cost more than they save.
// Level for a chunk of mostly large messages: screenshots, which are compressed already. It finds their copies as well.
constexpr int kLevelOfLarge = -1;
// A screenshot's copy for viewers follows it. The window (4 MiB) reaches back to it, so that the copy costs nothing.
constexpr int kWindowLog = 22;
constexpr std::size_t kSmallChunk = 256u << 10;

struct FreeContext {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
};

// nullptr: no memory.
ZSTD_CCtx* context_of_this_thread() {
  thread_local std::unique_ptr<ZSTD_CCtx, FreeContext> context;
  if (context == nullptr) {
    context.reset(ZSTD_createCCtx());
    if (context != nullptr) ZSTD_CCtx_setParameter(context.get(), ZSTD_c_windowLog, kWindowLog);
  }
  return context.get();
}

}  // namespace

void ChunkCompressor::begin(McapChunk chunk) {
  begun_ = true;
  const std::lock_guard lock(mutex_);
  given_ = std::move(chunk);
  changed_.notify_all();
  if (!thread_.joinable()) thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

Result<McapChunk> ChunkCompressor::take() {
  begun_ = false;
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return done_.has_value(); });
  return *std::exchange(done_, std::nullopt);
}

void ChunkCompressor::run(const std::stop_token& stop) {
  for (;;) {
    std::unique_lock lock(mutex_);
    if (!changed_.wait(lock, stop, [this] { return given_.has_value(); })) return;
    McapChunk chunk = *std::exchange(given_, std::nullopt);
    lock.unlock();
    const auto compressed = compress_chunk(chunk);
    lock.lock();
    done_ = compressed ? Result<McapChunk>(std::move(chunk)) : Result<McapChunk>(compressed.error());
    changed_.notify_all();
  }
}

Result<void> compress_chunk(McapChunk& chunk) {
  ZSTD_CCtx* const context = context_of_this_thread();
  if (context == nullptr) return Error{Code::kResourceExhausted, "no memory to compress a recording"};
  const std::string& records = chunk.records.bytes;
  chunk.crc = crc32_of(records);
  chunk.records_size = records.size();
  // A recording that never fills a chunk has only small ones, which sync() closes early. They get no more room than
  // they need, because it may stay open for hours.
  const bool small = records.size() < kSmallChunk;
  const std::size_t bound =
      ZSTD_compressBound(small ? records.size() : std::max(records.size(), ChunkCompressor::kUsualBytes));
  if (chunk.compressed_capacity < bound) {
    chunk.compressed = std::make_unique_for_overwrite<char[]>(bound);
    chunk.compressed_capacity = bound;
  }
  const bool mostly_large = chunk.large_bytes > records.size() / 2;
  ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, mostly_large ? kLevelOfLarge : kCompressionLevel);
  chunk.compressed_size =
      ZSTD_compress2(context, chunk.compressed.get(), chunk.compressed_capacity, records.data(), records.size());
  if (!ZSTD_isError(chunk.compressed_size)) return ok();
  return Error{Code::kInternal, std::string("compress a chunk: ") + ZSTD_getErrorName(chunk.compressed_size)};
}

}  // namespace da::recording
