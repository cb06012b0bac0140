#include "services/observer/image/image_decoder.h"

#include <spng.h>
#include <turbojpeg.h>

#include <algorithm>
#include <memory>
#include <string>

namespace da::observer {
namespace {

constexpr std::string_view kPngSignature{"\x89PNG\r\n\x1a\n", 8};
constexpr std::string_view kJpegSignature{"\xff\xd8\xff", 3};
// Limits of the chunks beside the pixels: profiles and texts may be compressed.
constexpr std::size_t kMaxChunkBytes = 1 << 20;
constexpr std::size_t kMaxChunkCacheBytes = 4 << 20;

Error bad_image(const std::string& why) { return {Code::kInvalidArgument, "cannot decode the image: " + why}; }

Result<void> check_size(std::uint64_t width, std::uint64_t height, std::int64_t max_pixels) {
  const auto most = static_cast<std::uint64_t>(max_pixels);
  if (width > 0 && height > 0 && width <= most && height <= most && width * height <= most) return ok();
  return bad_image("it has " + std::to_string(width) + "x" + std::to_string(height) + " pixels (at most " +
                   std::to_string(max_pixels) + " in all)");
}

// Moves the alpha values of BGRA pixels to an array of their own.
void split_alpha(DecodedImage& image) {
  bool opaque = true;
  for (std::size_t i = 3; i < image.bgrx.size(); i += 4) opaque = opaque && image.bgrx[i] == 255;
  if (!opaque) image.alpha.reserve(image.bgrx.size() / 4);
  for (std::size_t i = 3; i < image.bgrx.size(); i += 4) {
    if (!opaque) image.alpha.push_back(image.bgrx[i]);
    image.bgrx[i] = 0;
  }
}

Result<DecodedImage> decode_png(std::string_view file, std::int64_t max_pixels) {
  const std::unique_ptr<spng_ctx, void (*)(spng_ctx*)> context(spng_ctx_new(0), spng_ctx_free);
  const auto failed = [](int error) { return bad_image(spng_strerror(error)); };
  if (context == nullptr) return Error{Code::kResourceExhausted, "cannot decode the image: out of memory"};
  spng_set_crc_action(context.get(), SPNG_CRC_ERROR, SPNG_CRC_DISCARD);
  spng_set_chunk_limits(context.get(), kMaxChunkBytes, kMaxChunkCacheBytes);
  if (const int error = spng_set_png_buffer(context.get(), file.data(), file.size())) return failed(error);
  spng_ihdr header{};
  if (const int error = spng_get_ihdr(context.get(), &header)) return failed(error);
  RETURN_IF_ERROR(check_size(header.width, header.height, max_pixels));
  DecodedImage image{static_cast<int>(header.width), static_cast<int>(header.height), {}, {}};
  image.bgrx.resize(std::size_t{header.width} * header.height * frames::kBytesPerPixel);
  if (const int error =
          spng_decode_image(context.get(), image.bgrx.data(), image.bgrx.size(), SPNG_FMT_RGBA8, SPNG_DECODE_TRNS)) {
    return failed(error);
  }
  for (std::size_t i = 0; i < image.bgrx.size(); i += 4) std::swap(image.bgrx[i], image.bgrx[i + 2]);
  split_alpha(image);
  return image;
}

Result<DecodedImage> decode_jpeg(std::string_view file, std::int64_t max_pixels) {
  const std::unique_ptr<void, int (*)(tjhandle)> decoder(tjInitDecompress(), tjDestroy);
  if (decoder == nullptr) return Error{Code::kResourceExhausted, "cannot decode the image: out of memory"};
  const auto* bytes = reinterpret_cast<const unsigned char*>(file.data());
  int width = 0, height = 0, sampling = 0, colours = 0;
  if (tjDecompressHeader3(decoder.get(), bytes, file.size(), &width, &height, &sampling, &colours) != 0) {
    return bad_image(tjGetErrorStr2(decoder.get()));
  }
  RETURN_IF_ERROR(check_size(static_cast<std::uint64_t>(width), static_cast<std::uint64_t>(height), max_pixels));
  DecodedImage image{width, height, {}, {}};
  image.bgrx.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * frames::kBytesPerPixel);
  // A small file of very many scans takes minutes to decode.
  if (tjDecompress2(decoder.get(), bytes, file.size(), image.bgrx.data(), width, 0, height, TJPF_BGRX,
                    TJFLAG_ACCURATEDCT | TJFLAG_STOPONWARNING | TJFLAG_LIMITSCANS) != 0) {
    return bad_image(tjGetErrorStr2(decoder.get()));
  }
  for (std::size_t i = 3; i < image.bgrx.size(); i += 4) image.bgrx[i] = 0;
  return image;
}

}  // namespace

Result<DecodedImage> decode_image(std::string_view file, std::int64_t max_pixels) {
  if (file.starts_with(kPngSignature)) return decode_png(file, max_pixels);
  if (file.starts_with(kJpegSignature)) return decode_jpeg(file, max_pixels);
  return bad_image("it is neither PNG nor JPEG");
}

}  // namespace da::observer
