// Writes a Canvas as PNG, or as JPEG where that is wanted and smaller: screens of text stay exact, photographs become a
// quarter. turbojpeg stays behind this header. One thread at a time.
#pragma once

#include <memory>
#include <string>

#include "services/observer/canvas.h"
#include "services/observer/png_encoder.h"

namespace da::observer {

enum class Formats { kPng, kPngOrJpeg };

struct EncodedImage {
  std::string media_type;  // "image/png" or "image/jpeg"
  std::string data;
};

class ImageEncoder {
 public:
  ImageEncoder();
  ~ImageEncoder();

  EncodedImage encode(const Canvas& canvas, Formats formats);

 private:
  struct Jpeg;

  PngEncoder png_;
  std::unique_ptr<Jpeg> jpeg_;  // Opened at the first use.
};

}  // namespace da::observer
