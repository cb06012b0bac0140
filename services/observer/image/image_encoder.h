// Encodes a Canvas as PNG, or as JPEG if that is allowed and smaller: text stays exact, photographs shrink to a
// quarter. One thread at a time.
#pragma once

#include <memory>
#include <string>

#include "services/observer/image/canvas.h"
#include "services/observer/image/png_encoder.h"

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
  std::unique_ptr<Jpeg> jpeg_;  // Created at the first use.
};

}  // namespace da::observer
