#include "services/observer/text/ocr.h"

#include <omp.h>
#include <tesseract/baseapi.h>

#include <algorithm>
#include <array>
#include <map>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

#include "services/observer/image/mat.h"
#include "services/observer/text/text_blocks.h"

namespace da::observer {
namespace {

// Letters that are a little narrow are read as well as others, and faster: the time goes with the width of a line.
constexpr double kWider = 1.75;
constexpr double kTaller = 2;
constexpr int kMargin = 8;              // Margin around the area, because tesseract misses text at the edge.
constexpr float kWorstConfidence = 20;  // Percent. Icons and frames give noise below it.
constexpr int kPixelsPerInch = 2 * 96;

// Tesseract's OpenMP threads cost five times the CPU time. This applies to the calling thread; OMP_THREAD_LIMIT is read
// only at the start of a process.
void disable_openmp_threads() { omp_set_max_active_levels(0); }

// The most frequent colour: most pixels of text are background.
cv::Scalar background_of(const cv::Mat& bgra) {
  std::map<std::array<std::uint8_t, 3>, int> counts;
  for (int y = 0; y < bgra.rows; ++y) {
    const std::uint8_t* row = bgra.ptr(y);
    for (int x = 0; x < bgra.cols; ++x) ++counts[{row[4 * x], row[4 * x + 1], row[4 * x + 2]}];
  }
  const auto& [colour, count] = *std::ranges::max_element(counts, {}, [](const auto& each) { return each.second; });
  return {double(colour[0]), double(colour[1]), double(colour[2]), 255};
}

cv::Mat enlarged(const frames::PixelView& frame, const Rect& area, std::span<const Rect> hidden) {
  cv::Mat pixels = mat_of(frame.part(area));
  if (!hidden.empty()) pixels = pixels.clone();
  for (const Rect& each : hidden) {
    const Rect part = intersection(each, area);
    if (part.empty()) continue;
    cv::Mat covered = pixels(cv::Rect(part.x - area.x, part.y - area.y, part.width, part.height));
    covered.setTo(background_of(covered));
  }
  cv::Mat large;
  cv::resize(black_on_white(pixels), large, {}, kWider, kTaller, cv::INTER_CUBIC);
  cv::Mat framed;
  cv::copyMakeBorder(large, framed, kMargin, kMargin, kMargin, kMargin, cv::BORDER_CONSTANT, cv::Scalar(255));
  return framed;
}

Rect to_frame(int left, int top, int right, int bottom, const Rect& area) {
  const auto from_wide = [](int value) { return static_cast<int>(value / kWider); };
  const auto from_tall = [](int value) { return static_cast<int>(value / kTaller); };
  const Rect found{area.x + from_wide(left - kMargin), area.y + from_tall(top - kMargin), from_wide(right - left + 1),
                   from_tall(bottom - top + 1)};
  return intersection(found, area);
}

struct FreeText {
  void operator()(char* text) const { delete[] text; }  // Tesseract allocates with new[].
};

std::vector<OcrWord> recognized_words(tesseract::TessBaseAPI& api, const Rect& area) {
  std::vector<OcrWord> words;
  const std::unique_ptr<tesseract::ResultIterator> at(api.GetIterator());
  if (!at) return words;
  do {
    const std::unique_ptr<char, FreeText> text(at->GetUTF8Text(tesseract::RIL_WORD));
    int left = 0, top = 0, right = 0, bottom = 0;
    if (!text || !at->BoundingBox(tesseract::RIL_WORD, &left, &top, &right, &bottom)) continue;
    const float confidence = at->Confidence(tesseract::RIL_WORD);
    const Rect bounds = to_frame(left, top, right, bottom, area);
    if (confidence < kWorstConfidence || bounds.empty()) continue;
    words.push_back({text.get(), bounds, static_cast<double>(confidence) / 100});
  } while (at->Next(tesseract::RIL_WORD));
  return words;
}

}  // namespace

struct Ocr::Engine {
  tesseract::TessBaseAPI api;
};

Ocr::Ocr(std::string languages, std::string data_directory)
    : languages_(std::move(languages)), data_directory_(std::move(data_directory)) {}
Ocr::~Ocr() = default;

Result<void> Ocr::open() {
  if (engine_) return ok();
  auto engine = std::make_unique<Engine>();
  const char* const directory = data_directory_.empty() ? nullptr : data_directory_.c_str();
  // Before Init, which would print its errors to stderr.
  engine->api.SetVariable("debug_file", "/dev/null");
  if (engine->api.Init(directory, languages_.c_str(), tesseract::OEM_LSTM_ONLY) != 0) {
    return Error{Code::kFailedPrecondition, "cannot read text from the screen: tesseract has no data for \"" +
                                                languages_ + "\"; install the package tesseract-ocr-" +
                                                languages_.substr(0, languages_.find('+'))};
  }
  engine->api.SetVariable("debug_file", "/dev/null");
  // The text is black on white already.
  engine->api.SetVariable("tessedit_do_invert", "0");
  engine->api.SetPageSegMode(tesseract::PSM_SPARSE_TEXT);
  engine_ = std::move(engine);
  return ok();
}

Result<std::vector<OcrLine>> Ocr::read(const frames::PixelView& frame, const Rect& wanted,
                                       std::span<const Rect> hidden) {
  const Rect area = intersection(wanted, {0, 0, frame.width, frame.height});
  if (area.width < 4 || area.height < 4) return std::vector<OcrLine>{};
  disable_openmp_threads();
  RETURN_IF_ERROR(open());
  const cv::Mat image = enlarged(frame, area, hidden);
  auto& api = engine_->api;
  api.SetImage(image.data, image.cols, image.rows, 1, static_cast<int>(image.step));
  api.SetSourceResolution(kPixelsPerInch);
  if (api.Recognize(nullptr) != 0) {
    api.Clear();
    return Error{Code::kInternal, "tesseract could not read " + std::to_string(area.width) + "x" +
                                      std::to_string(area.height) + " pixels"};
  }
  auto words = recognized_words(api, area);
  api.Clear();
  return group_lines(std::move(words));
}

}  // namespace da::observer
