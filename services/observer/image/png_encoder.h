// Encodes a Canvas as PNG (8 bit RGB, no filter). It compresses only the bands of rows that changed since the last
// image, of which it keeps a copy. One thread at a time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "services/observer/image/canvas.h"
#include "services/observer/image/deflate_band.h"

namespace da::observer {

class PngEncoder {
 public:
  std::string encode(const Canvas& canvas);

  // Bands that the last encode() compressed.
  std::size_t packed_bands() const { return packed_bands_; }
  std::size_t band_count() const { return bands_.size(); }

 private:
  struct Band {
    std::vector<std::uint8_t> packed;
    std::uint32_t adler = 1;  // Checksum of its rows.
    std::size_t size = 0;     // Bytes of its rows.
  };
  void refresh_bands(const Canvas& canvas);

  BandPacker packer_;
  std::vector<Band> bands_;
  std::vector<std::uint8_t> last_;  // The rows that the bands were packed from.
  int width_ = 0;
  int height_ = 0;
  std::size_t packed_bands_ = 0;
};

}  // namespace da::observer
