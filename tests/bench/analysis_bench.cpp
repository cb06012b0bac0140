// Measures the observer's analyses of a 1920x1080 desktop against OpenCV's matchTemplate on one grey channel (the
// peer). Counters are CPU times in milliseconds and their ratio in this run.
#include <benchmark/benchmark.h>

#include <opencv2/imgproc.hpp>

#include "services/observer/analyse/colours.h"
#include "services/observer/analyse/template_search.h"
#include "tests/bench/cpu_time.h"
#include "tests/services/observer/analyse/pictures.h"

namespace da::observer {
namespace {

const cv::Mat& screen() {
  static const cv::Mat picture = [] {
    Random random(11);
    return desktop_picture(random, {1920, 1080});
  }();
  return picture;
}

// A part with text.
cv::Mat wanted_part() { return screen()(cv::Rect(1000, 500, 64, 32)).clone(); }

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

}  // namespace
}  // namespace da::observer
