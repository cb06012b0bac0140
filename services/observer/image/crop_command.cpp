#include "services/observer/image/crop_command.h"

#include <CLI/CLI.hpp>
#include <array>
#include <iostream>
#include <iterator>
#include <string>

#include "lib/base/text.h"
#include "lib/os/process/confinement.h"
#include "services/observer/image/annotate.h"
#include "services/observer/image/image_decoder.h"
#include "services/observer/image/png_encoder.h"

namespace da::observer {
namespace {

constexpr std::int64_t kMaxPicturePixels = 1 << 25;  // Equals the limit of a desktop (frame_store.cpp).

Result<std::string> crop(const std::string& file, const Rect& part) {
  RETURN_IF_ERROR(os::confine({}, os::Network::kNone));  // The picture may use a fault of its decoder.
  ASSIGN_OR_RETURN(const DecodedImage picture, decode_image(file, kMaxPicturePixels));
  if (part.empty() || intersection(part, {0, 0, picture.width, picture.height}) != part) {
    return Error{Code::kOutOfRange, "the part is not inside of the picture, which has " +
                                        std::to_string(picture.width) + "x" + std::to_string(picture.height) +
                                        " pixels"};
  }
  Canvas canvas;
  draw_plain(picture.view().part(part), canvas);
  return PngEncoder().encode(canvas);
}

}  // namespace

int run_crop(int argc, char** argv) {
  enum ExitCode { kDone = 0, kUnusable = 1, kBadUsage = 2 };
  CLI::App app("Cuts a part out of the picture on stdin, and writes it as PNG to stdout.", "da-observer crop");
  std::array<int, 4> part{};
  app.add_option("--part", part, "in pixels of the picture")->required()->delimiter(',')->type_name("X,Y,WIDTH,HEIGHT");
  try {
    app.parse(argc - 1, argv + 1);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kDone : kBadUsage;
  }
  const std::string file(std::istreambuf_iterator<char>(std::cin), {});
  const auto picture = crop(file, {part[0], part[1], part[2], part[3]});
  if (!picture) {
    std::cerr << "da-observer: " << escape_foreign(picture.error().message) << "\n";
    return kUnusable;
  }
  std::cout << *picture << std::flush;
  return std::cout ? kDone : kUnusable;
}

}  // namespace da::observer
