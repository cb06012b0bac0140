// Compresses the pixels of one FrameChunk with zstd, for TileDecoder. One thread at a time. Errors: kInternal.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "lib/base/result.h"

struct ZSTD_CCtx_s;

namespace da::frames {

class TileCompressor {
 public:
  TileCompressor();
  ~TileCompressor();

  // The result is valid until the next call.
  Result<std::string_view> compress(std::span<const std::uint8_t> pixels);

 private:
  struct FreeContext {
    void operator()(ZSTD_CCtx_s* context) const;
  };
  std::unique_ptr<ZSTD_CCtx_s, FreeContext> context_;
  std::string compressed_;
};

}  // namespace da::frames
