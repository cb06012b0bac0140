#include "services/actuator/proof/drawing_recorder.h"

#include <condition_variable>
#include <utility>

namespace da::actuator {
namespace {

constexpr Milliseconds kBetweenLooks{50};
// A wait without an end; the stop ends it.
constexpr Milliseconds kLongWait{60'000};

void sleep_for(Milliseconds duration, const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any stopped;
  std::unique_lock lock(mutex);
  stopped.wait_for(lock, stop, duration, [] { return false; });
}

}  // namespace

DrawingRecorder::DrawingRecorder(Screen& screen, const Clock& clock) : clock_(clock) {
  auto watch = screen.watch_drawing();
  if (!watch || !(*watch)->arm()) return;
  watch_ = *std::move(watch);
  thread_ = std::jthread([this](const std::stop_token& stop) { record(*watch_, stop); });
}

void DrawingRecorder::record(DrawingWatch& watch, const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    const auto areas = watch.next(clock_.now() + kLongWait, stop);
    if (!areas) return;
    {
      const std::lock_guard lock(mutex_);
      drawn_.note(clock_.now(), *areas);
    }
    sleep_for(kBetweenLooks, stop);
  }
}

std::vector<Rect> DrawingRecorder::repeated_between(MonoTime from, MonoTime to) const {
  const std::lock_guard lock(mutex_);
  return drawn_.between(from, to);
}

}  // namespace da::actuator
