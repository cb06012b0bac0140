#include "services/observer/image/image_encoder.h"

#include <turbojpeg.h>

#include <utility>

namespace da::observer {
namespace {

// Measured in docs/design/0019: at 95 the signal to noise ratio is at least 40 dB wherever JPEG is smaller, and text
// beside a photograph stays as readable; at 90 it is 38 dB. Subsampled colours would blur coloured letters.
constexpr int kQuality = 95;
constexpr int kSampling = TJSAMP_444;

// PNG bytes per pixel from which JPEG is tried. Screens of text take at most a third, and their JPEG would be three
// times as large; photographs take one to three.
constexpr double kTryJpegFrom = 0.4;

}  // namespace

struct ImageEncoder::Jpeg {
  // Empty on an error.
  std::string encode(const Canvas& canvas) const {
    if (compressor == nullptr) return {};
    unsigned char* buffer = nullptr;  // turbojpeg allocates it.
    unsigned long size = 0;
    const int failed =
        tjCompress2(compressor.get(), canvas.pixel(0, 0), canvas.width(), static_cast<int>(canvas.stride()),
                    canvas.height(), TJPF_RGB, &buffer, &size, kSampling, kQuality, TJFLAG_ACCURATEDCT);
    std::string jpeg;
    if (failed == 0) jpeg.assign(reinterpret_cast<const char*>(buffer), size);
    tjFree(buffer);
    return jpeg;
  }

  const std::unique_ptr<void, int (*)(tjhandle)> compressor{tjInitCompress(), tjDestroy};
};

ImageEncoder::ImageEncoder() = default;
ImageEncoder::~ImageEncoder() = default;

EncodedImage ImageEncoder::encode(const Canvas& canvas, Formats formats) {
  EncodedImage image{"image/png", png_.encode(canvas)};
  const auto pixels = static_cast<double>(canvas.width()) * canvas.height();
  if (formats == Formats::kPng || static_cast<double>(image.data.size()) < kTryJpegFrom * pixels) return image;
  if (jpeg_ == nullptr) jpeg_ = std::make_unique<Jpeg>();
  std::string jpeg = jpeg_->encode(canvas);
  if (!jpeg.empty() && jpeg.size() < image.data.size()) image = {"image/jpeg", std::move(jpeg)};
  return image;
}

}  // namespace da::observer
