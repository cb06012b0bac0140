// Measures one back end of the desktop with the target program of the contract tests, and prints one line for each
// figure: its name and its value. tests/bench/wine compares the same figures of the X11 and the Windows back end.
//
//   capture_ms, area_ms   a capture of the whole desktop; of 64x64 pixels
//   click_ms              one click, until the target has received all of them
//   character_ms          one typed character, until the target shows all of them
//   step_ms               what a step costs beside the services: find the window and the element under a point, look at
//                         its pixels, click, and wait until the application has read it
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>

#include "tests/services/actuator/contract/stage.h"

namespace da::actuator::contract {
namespace {

constexpr int kCaptures = 100;
constexpr int kClicks = 200;
constexpr int kCharacters = 1'000;
constexpr int kSteps = 50;
constexpr Rect kNeighbourhood{0, 0, 64, 64};

// Milliseconds per repetition.
template <class Work>
double time_ms(int repetitions, Work&& work) {
  const MonoTime begun = system_clock().now();
  work();
  return std::chrono::duration<double, std::milli>(system_clock().now() - begun).count() / repetitions;
}

// A figure that is not what it claims to be must not be printed.
void require(bool done, const char* what) {
  if (done) return;
  std::fprintf(stderr, "desktop_bench: %s failed\n", what);
  std::exit(1);
}

void print(const char* name, double value) { std::printf("%s %.4f\n", name, value); }

class DesktopBench {
 public:
  void run() {
    require(screen_.wait_quiet(Milliseconds(300), stage_->deadline()).has_value(), "waiting for a quiet screen");
    print("capture_ms", time_ms(kCaptures, [&] {
            for (int i = 0; i < kCaptures; ++i) require(screen_.capture().has_value(), "a capture");
          }));
    print("area_ms", time_ms(kCaptures, [&] {
            for (int i = 0; i < kCaptures; ++i) require(screen_.capture_area(around(point(i))).has_value(), "an area");
          }));
    print("click_ms", time_ms(kClicks, [&] { click(); }));
    print("character_ms", time_ms(kCharacters, [&] { type(); }));
    print("step_ms", time_ms(kSteps, [&] { step(); }));
  }

 private:
  Point point(int number) const {
    return {target_.pad.x + 5 + number * 37 % (target_.pad.width - 10),
            target_.pad.y + 5 + number * 23 % (target_.pad.height - 10)};
  }
  static Rect around(Point at) { return moved(kNeighbourhood, at.x - 32, at.y - 32); }
  static Rect moved(const Rect& rect, int right, int down) {
    return {rect.x + right, rect.y + down, rect.width, rect.height};
  }

  std::ptrdiff_t released() {
    return std::ranges::count_if(stage_->received("Target"),
                                 [](const std::string& event) { return event.starts_with("release left"); });
  }
  void click() {
    for (int i = 0; i < kClicks; ++i) {
      require(desktop_.input().click(point(i), Button::kLeft, 1, Milliseconds(0), go_on).done == 1, "a click");
    }
    require(stage_->eventually([&] { return released() == kClicks; }), "the arrival of the clicks");
  }
  void type() {
    const std::u32string text(kCharacters, U'x');
    require(!desktop_.input().type(text, Milliseconds(0), go_on).stopped, "typing");
    require(stage_->eventually([&] { return stage_->text("Target").size() == kCharacters; }),
            "the arrival of the text");
  }
  void step() {
    for (int i = 0; i < kSteps; ++i) {
      const Point at = point(i);
      const auto window = desktop_.windows().window_at(at);
      require(window && *window, "finding the window");
      require(desktop_.ui_tree().element_at(**window, at, stage_->deadline()).has_value(), "finding the element");
      require(screen_.capture_area(around(at)).has_value(), "looking at the pixels");
      require(desktop_.input().click(at, Button::kLeft, 1, Milliseconds(0), go_on).done == 1, "a click");
      desktop_.input().await_reading(stage_->deadline());
    }
  }

  std::unique_ptr<Stage> stage_ = open_stage();
  Desktop& desktop_ = stage_->desktop();
  Screen& screen_ = desktop_.screen();
  Target target_ = stage_->open_target("Target");
};

}  // namespace
}  // namespace da::actuator::contract

int main() {
  try {
    da::actuator::contract::DesktopBench().run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "desktop_bench: %s\n", error.what());
    return 1;
  }
  return 0;
}
