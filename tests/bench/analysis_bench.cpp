// Measures the observer's analyses of a 1920x1080 desktop against OpenCV's matchTemplate on one grey channel (the
// peer). Counters are CPU times in milliseconds and their ratio in this run.
#include <benchmark/benchmark.h>

#include <opencv2/imgproc.hpp>

#include "services/observer/analyse/analyser.h"
#include "services/observer/analyse/colours.h"
#include "services/observer/analyse/picture_source.h"
#include "services/observer/analyse/templates/template_search.h"
#include "tests/bench/cpu_time.h"
#include "tests/services/observer/analyse/pictures.h"
#include "tests/services/observer/fake_source.h"

namespace da::observer {
namespace {

const cv::Mat& screen() {
  static const cv::Mat picture = [] {
    Random random(11);
    return desktop_picture(random, {1920, 1080});
  }();
  return picture;
}

// A part of a page of text.
cv::Mat wanted_part() { return screen()(cv::Rect(400, 400, 64, 32)).clone(); }

cv::Mat grey(const cv::Mat& picture) {
  cv::Mat result;
  cv::cvtColor(picture, result, cv::COLOR_BGRA2GRAY);
  return result;
}

double match_template_ms() {
  static const double peer = [] {
    cv::setNumThreads(1);
    const cv::Mat picture = grey(screen());
    const cv::Mat wanted = grey(wanted_part());
    cv::Mat scores;
    cv::matchTemplate(picture, wanted, scores, cv::TM_CCOEFF_NORMED);
    constexpr int kRounds = 10;
    const double begun = cpu_ms();
    for (int i = 0; i < kRounds; ++i) cv::matchTemplate(picture, wanted, scores, cv::TM_CCOEFF_NORMED);
    return (cpu_ms() - begun) / kRounds;
  }();
  return peer;
}

// The limit: each pixel is read once.
double read_pixels_ms() {
  constexpr int kRounds = 10;
  const double begun = cpu_ms();
  for (int i = 0; i < kRounds; ++i) benchmark::DoNotOptimize(cv::sum(screen()));
  return (cpu_ms() - begun) / kRounds;
}

// Each round has a region that was not seen before.
void search_template(benchmark::State& state, const cv::Mat& wanted, const TemplateWish& wish) {
  const double peer = match_template_ms();
  const DecodedImage image = image_of(wanted);
  std::size_t matches = 0;
  const double begun = cpu_ms();
  for (auto _ : state) {
    ImagePyramid pyramid(view_of(screen()));
    matches = find_template(view_of(screen()), pyramid, image, wish, {}).matches.size();
  }
  const double ours = (cpu_ms() - begun) / static_cast<double>(state.iterations());
  state.counters["ours_ms"] = ours;
  state.counters["opencv_ms"] = peer;
  state.counters["limit_ms"] = read_pixels_ms();
  state.counters["times_less"] = peer / ours;
  state.counters["matches"] = static_cast<double>(matches);
}

void exact_template(benchmark::State& state) { search_template(state, wanted_part(), {.stop = Stop::kAfterExact}); }
BENCHMARK(exact_template)->Unit(benchmark::kMillisecond);

// Exact and similar places.
void template_with_rivals(benchmark::State& state) { search_template(state, wanted_part(), {}); }
BENCHMARK(template_with_rivals)->Unit(benchmark::kMillisecond);

void fuzzy_template(benchmark::State& state) {
  cv::Mat wanted = wanted_part();
  Random random(5);
  for (auto& pixel : cv::Mat_<cv::Vec4b>(wanted)) {
    for (int c = 0; c < 3; ++c) pixel[c] = cv::saturate_cast<std::uint8_t>(pixel[c] * 0.9 + number(random, -8, 8));
  }
  search_template(state, wanted, {});
}
BENCHMARK(fuzzy_template)->Unit(benchmark::kMillisecond);

void absent_template(benchmark::State& state) {
  Random random(77);
  search_template(state, photo_picture(random, {64, 32}, 10), {});
}
BENCHMARK(absent_template)->Unit(benchmark::kMillisecond);

void dominant_colours_of_screen(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(dominant_colours(view_of(screen()), 3));
}
BENCHMARK(dominant_colours_of_screen)->Unit(benchmark::kMillisecond);

void average_colour_of_screen(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(average_colour(view_of(screen())));
}
BENCHMARK(average_colour_of_screen)->Unit(benchmark::kMillisecond);

v1::AnalyzeRequest whole_screen() {
  v1::AnalyzeRequest request;
  auto& query = *request.add_regions();
  query.mutable_area()->set_width(1920);
  query.mutable_area()->set_height(1080);
  return request;
}

// Twenty regions that cover the screen, nothing changed since the caller's last answer.
void unchanged_regions(benchmark::State& state) {
  PictureSource source(image_of(screen()));
  FrameCache frames(source);
  Analyser analyser(frames, {});
  v1::AnalyzeRequest request;
  for (int i = 0; i < 20; ++i) {
    auto& query = *request.add_regions();
    *query.mutable_area() = rect_to_wire({i % 5 * 384, i / 5 * 270, 384, 270});
    query.set_average_colour(true);
    query.set_dominant_colours(3);
  }
  const double begun_first = cpu_ms();
  const auto first = analyser.analyze(request, {});
  const double first_ms = cpu_ms() - begun_first;
  for (int i = 0; i < 20; ++i) request.mutable_regions(i)->set_known_content(first->regions(i).content());
  const double begun = cpu_ms();
  for (auto _ : state) {
    if (!analyser.analyze(request, {})->regions(19).unchanged()) state.SkipWithError("a region changed");
  }
  const double ours = (cpu_ms() - begun) / static_cast<double>(state.iterations());
  state.counters["ours_ms"] = ours;
  state.counters["first_ms"] = first_ms;
  state.counters["times_less"] = first_ms / ours;
}
BENCHMARK(unchanged_regions)->Unit(benchmark::kMillisecond);

// One line of text changes on a screen whose text is known. FakeSource copies and compares the whole frame: its time,
// measured without OCR, is subtracted.
void text_of_a_changed_line(benchmark::State& state) {
  ManualClock clock;
  FakeSource source({0, 0, 1920, 1080}, clock);
  cv::Mat pixels(1080, 1920, CV_8UC4, source.pixels.data());
  screen().copyTo(pixels);
  FrameCache frames(source);
  Ocr ocr;
  Analyser analyser(frames, [&](const auto&... part) { return ocr.read(part...); });
  v1::AnalyzeRequest without_text = whole_screen();
  v1::AnalyzeRequest request = whole_screen();
  request.mutable_regions(0)->mutable_ocr();
  const auto timed = [&](const v1::AnalyzeRequest& each) {
    const double begun = cpu_ms();
    if (!analyser.analyze(each, {})) state.SkipWithError("the screen cannot be analysed");
    return cpu_ms() - begun;
  };
  const auto change = [&](int number) {
    cv::rectangle(pixels, cv::Rect(1100, 500, 400, 20), cv::Scalar(250, 250, 250, 0), cv::FILLED);
    cv::putText(pixels, "Copied file " + std::to_string(number) + " of 9000", {1104, 515}, cv::FONT_HERSHEY_SIMPLEX,
                0.5, cv::Scalar(20, 20, 20, 0), 1, cv::LINE_AA);
  };
  change(1);
  timed(without_text);
  const double whole = timed(request);
  double source_only = 0;
  double line = 0;
  int number = 1;
  for (auto _ : state) {
    change(++number);
    source_only += timed(without_text);
    change(++number);
    line += timed(request);
  }
  // The limit: the line is read alone, without looking for it.
  const double begun = cpu_ms();
  for (int i = 0; i < 10; ++i) benchmark::DoNotOptimize(ocr.read(frames.store().pixels(), {1100, 500, 400, 20}));
  state.counters["limit_ms"] = (cpu_ms() - begun) / 10;
  const double ours = std::max(0.001, (line - source_only) / static_cast<double>(state.iterations()));
  state.counters["ours_ms"] = ours;
  state.counters["whole_ms"] = whole;
  state.counters["times_less"] = whole / ours;
}
BENCHMARK(text_of_a_changed_line)->Unit(benchmark::kMillisecond)->Iterations(10);

}  // namespace
}  // namespace da::observer
