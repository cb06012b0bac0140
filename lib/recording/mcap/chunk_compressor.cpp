#include "lib/recording/mcap/chunk_compressor.h"

#include <zstd.h>

#include <algorithm>
#include <string>

namespace da::recording {
namespace {

constexpr int kCompressionLevel = 1;  // Higher levels cost more than they save.
// Of a chunk that is mostly large messages: screenshots, which are compressed already. Finds their copies as well.
constexpr int kLevelOfLarge = -1;
// A screenshot's copy for viewers follows it. The window (4 MiB) reaches back to it, so that the copy costs nothing.
constexpr int kWindowLog = 22;

}  // namespace

void ChunkCompressor::FreeContext::operator()(ZSTD_CCtx_s* context) const { ZSTD_freeCCtx(context); }

Result<std::unique_ptr<ChunkCompressor>> ChunkCompressor::start() {
  std::unique_ptr<ZSTD_CCtx_s, FreeContext> context(ZSTD_createCCtx());
  if (context == nullptr) return Error{Code::kResourceExhausted, "no memory to compress a recording"};
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_windowLog, kWindowLog);
  return std::unique_ptr<ChunkCompressor>(new ChunkCompressor(std::move(context)));
}

void ChunkCompressor::begin(McapChunk chunk) {
  begun_ = true;
  const std::lock_guard lock(mutex_);
  given_ = std::move(chunk);
  changed_.notify_all();
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
    const auto compressed = compress(chunk);
    lock.lock();
    done_ = compressed ? Result<McapChunk>(std::move(chunk)) : Result<McapChunk>(compressed.error());
    changed_.notify_all();
  }
}

Result<void> ChunkCompressor::compress(McapChunk& chunk) {
  const std::string& records = chunk.records.bytes;
  chunk.crc = crc32_of(records);
  chunk.records_size = records.size();
  const std::size_t bound = ZSTD_compressBound(std::max(records.size(), kUsualBytes));
  if (chunk.compressed_capacity < bound) {
    chunk.compressed = std::make_unique_for_overwrite<char[]>(bound);
    chunk.compressed_capacity = bound;
  }
  const bool mostly_large = chunk.large_bytes > records.size() / 2;
  ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_compressionLevel, mostly_large ? kLevelOfLarge : kCompressionLevel);
  chunk.compressed_size =
      ZSTD_compress2(context_.get(), chunk.compressed.get(), chunk.compressed_capacity, records.data(), records.size());
  if (!ZSTD_isError(chunk.compressed_size)) return ok();
  return Error{Code::kInternal, std::string("compress a chunk: ") + ZSTD_getErrorName(chunk.compressed_size)};
}

}  // namespace da::recording
