// Decodes images with independent decoders: libspng, and PIL in a separate process.
#pragma once

#include <gtest/gtest.h>
#include <spng.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace da::observer {

struct Decoded {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> rgb;
};

// Checks all chunk CRCs and the Adler-32.
inline Decoded decode_png(const std::string& png) {
  const std::unique_ptr<spng_ctx, decltype(&spng_ctx_free)> context(spng_ctx_new(0), spng_ctx_free);
  spng_set_crc_action(context.get(), SPNG_CRC_ERROR, SPNG_CRC_ERROR);
  spng_set_png_buffer(context.get(), png.data(), png.size());
  spng_ihdr header{};
  if (spng_get_ihdr(context.get(), &header) != 0) return {};
  Decoded decoded{static_cast<int>(header.width), static_cast<int>(header.height), {}};
  std::size_t size = 0;
  spng_decoded_image_size(context.get(), SPNG_FMT_RGB8, &size);
  decoded.rgb.resize(size);
  if (spng_decode_image(context.get(), decoded.rgb.data(), size, SPNG_FMT_RGB8, 0) != 0) return {};
  return decoded;
}

// Any format that PIL supports; fails the test if PIL cannot read it as `format`.
inline Decoded decode_by_pil(const std::string& image, const std::string& format) {
  std::string path = testing::TempDir() + "image_XXXXXX";
  const int file = mkstemp(path.data());
  EXPECT_EQ(write(file, image.data(), image.size()), static_cast<ssize_t>(image.size()));
  close(file);
  const std::string command =
      "/usr/bin/python3 -c 'import sys; from PIL import Image; i = Image.open(sys.argv[1], formats=[sys.argv[2]]); "
      "sys.stdout.buffer.write(b\"%6d%6d\" % i.size + i.convert(\"RGB\").tobytes())' " +
      path + " " + format;
  std::string out;
  if (std::FILE* pipe = popen(command.c_str(), "r")) {
    std::array<char, 65536> block;
    while (const std::size_t n = std::fread(block.data(), 1, block.size(), pipe)) out.append(block.data(), n);
    EXPECT_EQ(pclose(pipe), 0);
  }
  unlink(path.c_str());
  if (out.size() < 12) return {};
  return {std::stoi(out.substr(0, 6)), std::stoi(out.substr(6, 6)), {out.begin() + 12, out.end()}};
}

}  // namespace da::observer
