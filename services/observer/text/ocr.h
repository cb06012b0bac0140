// Reads text from pixels with tesseract, in this process and only on the calling thread.
//
// Pixels are first enlarged twice and turned grey. The first read opens the engine, which takes about 90 ms. One thread
// at a time. Errors: kFailedPrecondition if the language data is missing, with the package to install; kInternal if
// tesseract fails.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "lib/base/result.h"
#include "services/observer/frames/frame_store.h"

namespace da::observer {

struct OcrWord {
  std::string text;       // UTF-8, foreign.
  Rect bounds;            // Pixels of the frame.
  double confidence = 0;  // 0..1
};

struct OcrLine {
  std::vector<OcrWord> words;  // Left to right.
  Rect bounds;
};

// The widest gap between two words of a line, times the height of the higher one.
inline constexpr double kWidestGap = 1.3;

// Joins words side by side, with gaps as in a sentence, to lines. Tesseract breaks lines wherever text is sparse. Pure.
std::vector<OcrLine> group_lines(std::vector<OcrWord> words);

class Ocr {
 public:
  // `languages` are tesseract's names: "eng", "eng+deu". An empty data_directory is tesseract's default one.
  explicit Ocr(std::string languages = "eng", std::string data_directory = {});
  ~Ocr();

  // Opens the engine before the first read.
  Result<void> open();

  // The lines in an area of the frame, with bounds in pixels of the frame. `hidden` parts of it are read as if they had
  // their background's colour only.
  Result<std::vector<OcrLine>> read(const frames::PixelView& frame, const Rect& area,
                                    std::span<const Rect> hidden = {});

 private:
  struct Engine;

  const std::string languages_;
  const std::string data_directory_;
  std::unique_ptr<Engine> engine_;
};

}  // namespace da::observer
