#include "services/observer/image_encoder.h"

#include <turbojpeg.h>

#include <utility>

namespace da::observer {
namespace {

// By measurement (docs/design/0019): at 95 the signal to noise ratio is 40 dB or more wherever JPEG is smaller, and
// text beside a photograph reads the same; at 90 it is 38 dB. Full colour resolution, because coloured letters blur
// without.
constexpr int kQuality = 95;
constexpr int kSampling = TJSAMP_444;

// Bytes of PNG for each pixel. Screens of text take a third at most, photographs one to three. Below this,
// PNG is small anyway, and letters would cost JPEG three times as much: its time is not spent.
constexpr double kWorthTrying = 0.4;

}  // namespace

struct ImageEncoder::Jpeg {
  Jpeg() : compressor(tjInitCompress()) {}
  ~Jpeg() {
    if (compressor != nullptr) tjDestroy(compressor);
  }
  Jpeg(const Jpeg&) = delete;
  Jpeg& operator=(const Jpeg&) = delete;

  // Empty where it cannot be done.
  std::string encode(const Canvas& canvas) const {
    if (compressor == nullptr) return {};
    unsigned char* buffer = nullptr;  // turbojpeg allocates it.
    unsigned long size = 0;
    const int failed = tjCompress2(compressor, canvas.pixel(0, 0), canvas.width(), static_cast<int>(canvas.stride()),
                                   canvas.height(), TJPF_RGB, &buffer, &size, kSampling, kQuality, TJFLAG_ACCURATEDCT);
    std::string jpeg;
    if (failed == 0) jpeg.assign(reinterpret_cast<const char*>(buffer), size);
    tjFree(buffer);
    return jpeg;
  }

  tjhandle compressor;
};

ImageEncoder::ImageEncoder() = default;
ImageEncoder::~ImageEncoder() = default;

EncodedImage ImageEncoder::encode(const Canvas& canvas, Formats formats) {
  EncodedImage image{"image/png", png_.encode(canvas)};
  const auto pixels = static_cast<double>(canvas.width()) * canvas.height();
  if (formats == Formats::kPng || static_cast<double>(image.data.size()) < kWorthTrying * pixels) return image;
  if (jpeg_ == nullptr) jpeg_ = std::make_unique<Jpeg>();
  std::string jpeg = jpeg_->encode(canvas);
  if (!jpeg.empty() && jpeg.size() < image.data.size()) image = {"image/jpeg", std::move(jpeg)};
  return image;
}

}  // namespace da::observer
