// Reads pictures as the observer does: read_pieces LANGUAGES FILE... Prints a JSON line for each file: its lines of
// text and the CPU time. The files have width and height as text, a newline, and the pixels (BGRA).
#include <ctime>
#include <fstream>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "services/observer/text/ocr.h"

namespace {

double cpu_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

}  // namespace

int main(int count, char** arguments) {
  using namespace da;
  if (count < 3) {
    std::cerr << "usage: read_pieces LANGUAGES FILE...\n";
    return 2;
  }
  observer::Ocr ocr(arguments[1]);
  if (const auto opened = ocr.open(); !opened) {
    std::cerr << opened.error().message << "\n";
    return 1;
  }
  for (int i = 2; i < count; ++i) {
    std::ifstream file(arguments[i], std::ios::binary);
    int width = 0;
    int height = 0;
    file >> width >> height;
    file.get();
    const std::string pixels(std::istreambuf_iterator<char>(file), {});
    if (pixels.size() != static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 4) {
      std::cerr << arguments[i] << " is not a picture\n";
      return 1;
    }
    const frames::PixelView view{reinterpret_cast<const std::uint8_t*>(pixels.data()), width, height,
                                 static_cast<std::size_t>(width) * 4};
    const double began = cpu_seconds();
    const auto lines = ocr.read(view, {0, 0, width, height});
    const double took = cpu_seconds() - began;
    nlohmann::json read{{"file", arguments[i]}, {"cpu_s", took}, {"lines", nlohmann::json::array()}};
    if (!lines) read["error"] = lines.error().message;
    for (std::size_t at = 0; lines && at < lines->size(); ++at) {
      std::string text;
      for (const auto& word : (*lines)[at].words) text += (text.empty() ? "" : " ") + word.text;
      const Rect& place = (*lines)[at].bounds;
      read["lines"].push_back({{"text", text}, {"box", {place.x, place.y, place.width, place.height}}});
    }
    std::cout << read.dump() << std::endl;
  }
  return 0;
}
