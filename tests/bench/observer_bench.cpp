// Measures the observer: annotating and encoding a 1920x1080 desktop, compared with PIL, and reading a line of text.
// Counters are CPU times in milliseconds and their ratio in this run; PIL's process measures `pil_ms` itself, without
// its start. Image formats and marks report p50. image_for_a_model reports wall times, for which a turn with a model
// waits. If DA_BENCH_FRAME names a raw BGRX file of 1920x1080 pixels, it replaces the drawn desktop.
#include <benchmark/benchmark.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <opencv2/imgproc.hpp>
#include <random>
#include <string>
#include <vector>

#include "lib/base/clock.h"
#include "lib/base/id.h"
#include "services/observer/image/annotate.h"
#include "services/observer/image/image_encoder.h"
#include "services/observer/image/png_encoder.h"
#include "services/observer/image/scale.h"
#include "services/observer/marks/draw_marks.h"
#include "services/observer/marks/marks.h"
#include "services/observer/text/ocr.h"
#include "tests/bench/cpu_time.h"
#include "tests/services/observer/mat_view.h"

extern char** environ;

namespace da::observer {
namespace {

constexpr int kWidth = 1920;
constexpr int kHeight = 1080;

cv::Mat drawn_desktop() {
  cv::Mat desk(kHeight, kWidth, CV_8UC4, cv::Scalar(96, 72, 48, 0));
  const auto window = [&](const cv::Rect& area, const std::string& title, int seed) {
    cv::rectangle(desk, area, cv::Scalar(250, 250, 250, 0), cv::FILLED);
    cv::rectangle(desk, cv::Rect(area.x, area.y, area.width, 28), cv::Scalar(70, 60, 50, 0), cv::FILLED);
    cv::putText(desk, title, {area.x + 10, area.y + 19}, cv::FONT_HERSHEY_SIMPLEX, 0.5, cv::Scalar(255, 255, 255, 0), 1,
                cv::LINE_AA);
    for (int y = area.y + 50; y < area.br().y - 10; y += 19) {
      std::string line;
      for (int i = 0; i < (area.width - 40) / 9; ++i) {
        seed = (seed * 1103515245 + 12345) & 0x7fffffff;
        line += seed % 6 == 0 ? ' ' : static_cast<char>('a' + seed / 64 % 26);
      }
      cv::putText(desk, line, {area.x + 12, y}, cv::FONT_HERSHEY_SIMPLEX, 0.45, cv::Scalar(30, 30, 30, 0), 1,
                  cv::LINE_AA);
    }
  };
  window({40, 60, 900, 700}, "Untitled 1 - Editor", 1);
  window({700, 300, 800, 600}, "Terminal", 2);
  window({1250, 80, 560, 420}, "Files", 3);
  return desk;
}

cv::Mat desktop() {
  const char* const path = std::getenv("DA_BENCH_FRAME");
  if (path == nullptr) return drawn_desktop();
  cv::Mat desk(kHeight, kWidth, CV_8UC4);
  std::ifstream(path, std::ios::binary)
      .read(reinterpret_cast<char*>(desk.data), static_cast<std::streamsize>(desk.total() * desk.elemSize()));
  return desk;
}

// The image's size is the second and third argument. Like our scaling, BOX takes the mean, and is PIL's fastest such
// filter.
constexpr const char* kPilScript = R"(
import sys, time, io
from PIL import Image, ImageDraw
W, H = int(sys.argv[2]), int(sys.argv[3])
raw = open(sys.argv[1], 'rb').read()
def once():
    image = Image.frombuffer('RGB', (1920, 1080), raw, 'raw', 'BGRX', 0, 1)
    if image.size != (W, H): image = image.resize((W, H), Image.BOX)
    inset = image.crop((664, 393, 736, 447)).resize((288, 216), Image.NEAREST)
    layer = Image.new('RGBA', (W, H), (0, 0, 0, 0))
    draw = ImageDraw.Draw(layer)
    for x in range(50, W, 50):
        draw.line((x, 0, x, H), fill=(0, 120, 255, 84 if x % 200 == 0 else 28))
        if x % 200 == 0: draw.text((x + 2, 0), str(x), fill=(255, 255, 255, 255))
    for y in range(50, H, 50):
        draw.line((0, y, W, y), fill=(0, 120, 255, 84 if y % 200 == 0 else 28))
        if y % 200 == 0: draw.text((0, y + 2), str(y), fill=(255, 255, 255, 255))
    draw.line((684, 420, 716, 420), fill=(255, 40, 40, 255))
    draw.line((700, 404, 700, 436), fill=(255, 40, 40, 255))
    draw.text((34, H - 30), 'image=%dx%d' % (W, H), fill=(255, 224, 130, 255))
    image.paste(layer, (0, 0), layer)
    image.paste(inset, (W - 320, H - 248))
    out = io.BytesIO()
    image.save(out, 'PNG')
    return out.tell()
once()
rounds = int(sys.argv[4])
walls = []
begun = time.process_time()
for _ in range(rounds):
    wall = time.perf_counter()
    size = once()
    walls.append((time.perf_counter() - wall) * 1e3)
walls.sort()
print((time.process_time() - begun) * 1e3 / rounds, size, walls[rounds // 2], walls[min(rounds - 1, rounds * 99 // 100)])
)";

struct Peer {
  double ms = 0;
  double bytes = 0;
  double wall_p50_ms = 0;
  double wall_p99_ms = 0;
};

// Runs PIL in the system's Python on the same pixels.
Peer measure_pil(const cv::Mat& desk, Size size, int rounds) {
  std::string path = "/tmp/observer_bench_XXXXXX";
  const int file = mkstemp(path.data());
  if (file < 0 || write(file, desk.data, desk.total() * desk.elemSize()) < 0) return {};
  close(file);
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) return {};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  std::array<std::string, 7> words{
      "/usr/bin/python3",    "-c", kPilScript, path, std::to_string(size.width), std::to_string(size.height),
      std::to_string(rounds)};
  std::array<char*, 8> argv{};
  std::ranges::transform(words, argv.begin(), [](std::string& word) { return word.data(); });
  pid_t pid = 0;
  const int failed = posix_spawn(&pid, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  Peer peer;
  if (failed == 0) {
    if (std::FILE* output = fdopen(ends[0], "r")) {
      if (std::fscanf(output, "%lf %lf %lf %lf", &peer.ms, &peer.bytes, &peer.wall_p50_ms, &peer.wall_p99_ms) != 4)
        peer = {};
      std::fclose(output);
    }
    waitpid(pid, nullptr, 0);
  }
  unlink(path.c_str());
  return peer;
}

void report(benchmark::State& state, double begun, double bytes) {
  const double ours_total = cpu_ms() - begun;
  static const Peer pil = measure_pil(desktop(), {kWidth, kHeight}, 5);
  const double ours = ours_total / static_cast<double>(state.iterations());
  state.counters["ours_ms"] = ours;
  state.counters["bytes"] = bytes;
  if (pil.ms == 0) {
    state.SkipWithError("the peer is missing: install python3-pil");
    return;
  }
  state.counters["pil_ms"] = pil.ms;
  state.counters["pil_bytes"] = pil.bytes;
  state.counters["times_less"] = pil.ms / ours;
}

// Every band of rows changes, so that only buffers are reused.
void annotate_and_encode_whole_frame(benchmark::State& state) {
  cv::Mat desk = desktop();
  Canvas canvas;
  PngEncoder encoder;
  std::size_t bytes = 0;
  annotate(view_of(desk), Point{700, 420}, canvas);
  encoder.encode(canvas);  // Allocates.
  const double begun = cpu_ms();
  for (auto _ : state) {
    for (int y = 0; y < kHeight; y += 32) desk.at<cv::Vec4b>(y, 3)[0] ^= 1;
    annotate(view_of(desk), Point{700, 420}, canvas);
    bytes = encoder.encode(canvas).size();
    if (encoder.packed_bands() != encoder.band_count()) state.SkipWithError("a band was reused");
  }
  report(state, begun, static_cast<double>(bytes));
}
BENCHMARK(annotate_and_encode_whole_frame)->Unit(benchmark::kMillisecond);

// The image that the observer makes of a frame for OpenAI's models.
void image_for_a_model(benchmark::State& state) {
  cv::Mat desk = desktop();
  v1::ImageLimits limits;
  limits.set_long_edge(2048);
  limits.set_short_edge(768);
  const Size size = fit({kWidth, kHeight}, limits);
  std::vector<std::uint8_t> scaled;
  Canvas canvas;
  PngEncoder encoder;
  std::vector<double> walls;
  std::uint8_t shade = 0;
  for (auto _ : state) {
    // Changes all rows, but so little that they compress alike.
    for (int y = 0; y < kHeight; ++y) desk.at<cv::Vec4b>(y, 3)[0] = ++shade;
    const auto begun = system_clock().now();
    annotate(scale_down(view_of(desk), size, scaled), Point{498, 299}, canvas);
    benchmark::DoNotOptimize(to_hex(blake2b(encoder.encode(canvas), 16)));
    walls.push_back(std::chrono::duration<double, std::milli>(system_clock().now() - begun).count());
    if (encoder.packed_bands() != encoder.band_count()) state.SkipWithError("a band was reused");
  }
  std::ranges::sort(walls);
  const Peer pil = measure_pil(desktop(), size, 50);
  state.counters["ours_p50_ms"] = walls[walls.size() / 2];
  state.counters["ours_p99_ms"] = walls[std::min(walls.size() - 1, walls.size() * 99 / 100)];
  state.counters["pil_p50_ms"] = pil.wall_p50_ms;
  state.counters["pil_p99_ms"] = pil.wall_p99_ms;
  if (pil.ms == 0) state.SkipWithError("the peer is missing: install python3-pil");
}
BENCHMARK(image_for_a_model)->Unit(benchmark::kMillisecond)->Iterations(200);

// One typed character changes.
void annotate_and_encode_small_change(benchmark::State& state) {
  cv::Mat desk = desktop();
  Canvas canvas;
  PngEncoder encoder;
  std::size_t bytes = 0;
  int column = 0;
  annotate(view_of(desk), Point{700, 420}, canvas);
  encoder.encode(canvas);
  const double begun = cpu_ms();
  for (auto _ : state) {
    column = (column + 9) % 800;
    cv::rectangle(desk, cv::Rect(60 + column, 200, 8, 12), cv::Scalar(30, 30, column % 256, 0), cv::FILLED);
    annotate(view_of(desk), Point{700, 420}, canvas);
    bytes = encoder.encode(canvas).size();
  }
  report(state, begun, static_cast<double>(bytes));
}
BENCHMARK(annotate_and_encode_small_change)->Unit(benchmark::kMillisecond);

// Medians, because there are few JPEG runs.
double median_ms(benchmark::State& state, const std::function<void()>& once) {
  std::vector<double> times;
  for (auto _ : state) {
    const double begun = cpu_ms();
    once();
    times.push_back(cpu_ms() - begun);
  }
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::ranges::nth_element(times, middle);
  return *middle;
}

// Encodes without reuse, and without the time for drawing.
void encode(benchmark::State& state, const cv::Mat& screen, Formats formats) {
  Canvas canvas;
  draw_plain(view_of(screen), canvas);
  EncodedImage image;
  state.counters["p50_ms"] = median_ms(state, [&] {
    ImageEncoder encoder;  // A new one has no cached bands.
    image = encoder.encode(canvas, formats);
  });
  state.counters["bytes"] = static_cast<double>(image.data.size());
  state.counters["jpeg"] = image.media_type == "image/jpeg" ? 1 : 0;
}

// Smooth shapes with camera noise.
cv::Mat photograph() {
  std::mt19937 random(7);
  cv::Mat coarse(kHeight / 60, kWidth / 60, CV_8UC4);
  for (auto& pixel : cv::Mat_<cv::Vec4b>(coarse)) {
    for (int c = 0; c < 3; ++c) pixel[c] = static_cast<std::uint8_t>(random() % 256);
  }
  cv::Mat screen;
  cv::resize(coarse, screen, {kWidth, kHeight}, 0, 0, cv::INTER_CUBIC);
  for (auto& pixel : cv::Mat_<cv::Vec4b>(screen)) {
    for (int c = 0; c < 3; ++c)
      pixel[c] = cv::saturate_cast<std::uint8_t>(pixel[c] + static_cast<int>(random() % 9) - 4);
  }
  return screen;
}

void encode_text_png(benchmark::State& state) { encode(state, desktop(), Formats::kPng); }
void encode_text_either(benchmark::State& state) { encode(state, desktop(), Formats::kPngOrJpeg); }
void encode_photograph_png(benchmark::State& state) { encode(state, photograph(), Formats::kPng); }
void encode_photograph_either(benchmark::State& state) { encode(state, photograph(), Formats::kPngOrJpeg); }
BENCHMARK(encode_text_png)->Unit(benchmark::kMillisecond);
BENCHMARK(encode_text_either)->Unit(benchmark::kMillisecond);
BENCHMARK(encode_photograph_png)->Unit(benchmark::kMillisecond);
BENCHMARK(encode_photograph_either)->Unit(benchmark::kMillisecond);

// The maximum number of marks, from a tree as large as a browser's, on a desktop full of text.
void choose_and_draw_99_marks(benchmark::State& state) {
  const cv::Mat desk = desktop();
  v1::Window window;
  window.set_window_id("w");
  window.mutable_bounds()->set_width(kWidth);
  window.mutable_bounds()->set_height(kHeight);
  v1::UiTree tree;
  for (int i = 0; i < 5000; ++i) {
    auto& node = *tree.add_nodes();
    node.set_element_id(std::to_string(i));
    if (i > 0) node.set_parent_id(std::to_string((i - 1) / 8));
    node.set_window_id("w");
    node.set_role(i % 40 == 0 ? "push button" : i % 2 == 0 ? "label" : "panel");
    node.set_name("an element");
    node.mutable_bounds()->set_x(i * 37 % (kWidth - 90));
    node.mutable_bounds()->set_y(i * 23 % (kHeight - 30));
    node.mutable_bounds()->set_width(80);
    node.mutable_bounds()->set_height(24);
    node.add_states(v1::UI_STATE_SHOWING);
    node.add_states(v1::UI_STATE_ENABLED);
  }
  const std::array<const v1::Window*, 1> windows{&window};
  Canvas canvas;
  draw_plain(view_of(desk), canvas);
  std::vector<Rect> boxes;
  state.counters["p50_ms"] = median_ms(state, [&] {
    boxes.clear();
    for (const Mark& mark : choose_marks(tree, {windows, {0, 0, kWidth, kHeight}}, 6).marks)
      boxes.push_back(mark.bounds);
    draw_marks({view_of(desk), boxes, {}, {}}, canvas);
  });
  state.counters["marks"] = static_cast<double>(boxes.size());
}
BENCHMARK(choose_and_draw_99_marks)->Unit(benchmark::kMillisecond);

void read_text(benchmark::State& state, const Rect& area) {
  const cv::Mat desk = desktop();
  Ocr ocr;
  if (const auto opened = ocr.read(view_of(desk), {40, 60, 64, 28}); !opened) {
    state.SkipWithError(opened.error().message.c_str());
    return;
  }
  std::size_t lines = 0;
  const double begun = cpu_ms();
  for (auto _ : state) lines = ocr.read(view_of(desk), area)->size();
  state.counters["lines"] = static_cast<double>(lines);
  state.counters["ours_ms"] = (cpu_ms() - begun) / static_cast<double>(state.iterations());
}
void read_one_line(benchmark::State& state) { read_text(state, {44, 100, 640, 22}); }
void read_whole_frame(benchmark::State& state) { read_text(state, {0, 0, kWidth, kHeight}); }
BENCHMARK(read_one_line)->Unit(benchmark::kMillisecond);
BENCHMARK(read_whole_frame)->Unit(benchmark::kMillisecond)->Iterations(1);

}  // namespace
}  // namespace da::observer

BENCHMARK_MAIN();
