// Writes a Canvas as PNG (8 bit RGB, no filter), fast: bands of rows that are the same as in the image before are not
// packed again. Keeps a copy of the last image, so it costs one canvas of memory. One thread at a time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "services/observer/canvas.h"
#include "services/observer/deflate_band.h"

namespace da::observer {

class PngEncoder {
 public:
  std::string encode(const Canvas& canvas);

  // Bands that the last encode() packed anew, of how many.
  std::size_t packed_bands() const { return packed_bands_; }
  std::size_t band_count() const { return bands_.size(); }

 private:
  struct Band {
    std::vector<std::uint8_t> packed;
    std::uint32_t adler = 1;  // Of its rows.
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
