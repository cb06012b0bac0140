// Reads text from pixels with tesseract, in this process and on the calling thread alone.
//
// Small interface text is enlarged twice and turned grey first. The engine is opened at the first read and kept, about
// 90 ms once. One thread at a time. Errors: kFailedPrecondition where the language data is missing, with the package to
// install; kInternal where tesseract fails. Tesseract and OpenCV stay behind this header.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lib/base/result.h"
#include "services/observer/frame_store.h"

namespace da::observer {

struct OcrWord {
  std::string text;       // UTF-8. Foreign.
  Rect bounds;            // Pixels of the frame.
  double confidence = 0;  // 0..1
};

struct OcrLine {
  std::vector<OcrWord> words;  // Left to right.
  Rect bounds;
};

// Words that stand side by side, no further apart than words of a sentence, make a line. Tesseract's own lines break
// between words wherever text is sparse. Pure.
std::vector<OcrLine> group_lines(std::vector<OcrWord> words);

class Ocr {
 public:
  // Language names of tesseract, such as "eng" or "eng+deu"; empty data_directory: where tesseract itself looks.
  explicit Ocr(std::string languages = "eng", std::string data_directory = {});
  ~Ocr();

  // Opens the engine now rather than at the first read.
  Result<void> open();

  // The lines of an area of the frame; bounds are pixels of the whole frame.
  Result<std::vector<OcrLine>> read(const PixelView& frame, const Rect& area);

 private:
  struct Engine;

  const std::string languages_;
  const std::string data_directory_;
  std::unique_ptr<Engine> engine_;
};

}  // namespace da::observer
