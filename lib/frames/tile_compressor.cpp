#include "lib/frames/tile_compressor.h"

#include <zstd.h>

namespace da::frames {
namespace {

constexpr int kCompressionLevel = 1;

}  // namespace

void TileCompressor::FreeContext::operator()(ZSTD_CCtx_s* context) const { ZSTD_freeCCtx(context); }

TileCompressor::TileCompressor() : context_(ZSTD_createCCtx()) {}
TileCompressor::~TileCompressor() = default;

Result<std::string_view> TileCompressor::compress(std::span<const std::uint8_t> pixels) {
  compressed_.resize(ZSTD_compressBound(pixels.size()));
  const std::size_t size = ZSTD_compressCCtx(context_.get(), compressed_.data(), compressed_.size(), pixels.data(),
                                             pixels.size(), kCompressionLevel);
  if (ZSTD_isError(size) != 0U) {
    return Error{Code::kInternal, std::string("cannot compress a frame: ") + ZSTD_getErrorName(size)};
  }
  return std::string_view(compressed_).substr(0, size);
}

}  // namespace da::frames
