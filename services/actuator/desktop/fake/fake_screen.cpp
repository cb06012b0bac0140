#include "services/actuator/desktop/fake/fake_screen.h"

#include <algorithm>
#include <cstring>

#include "services/actuator/desktop/fake/fake_painter.h"

namespace da::actuator::fake {
namespace {

constexpr int kBandRows = 16;

// Compares bands of full rows. No pixels before: nothing has changed.
std::vector<Rect> changed_bands(const Rect& desktop, const std::vector<std::uint8_t>& before,
                                const std::vector<std::uint8_t>& now) {
  const auto stride = static_cast<std::size_t>(desktop.width) * 4;
  std::vector<Rect> changed;
  for (int y = 0; y < desktop.height && !before.empty(); y += kBandRows) {
    const int rows = std::min(kBandRows, desktop.height - y);
    const std::size_t first = static_cast<std::size_t>(y) * stride;
    const bool same = std::memcmp(&now[first], &before[first], static_cast<std::size_t>(rows) * stride) == 0;
    if (!same) changed.push_back({desktop.x, desktop.y + y, desktop.width, rows});
  }
  return changed;
}

}  // namespace

// Paints the world after each of its changes and compares.
class FakeDrawingWatch final : public DrawingWatch {
 public:
  explicit FakeDrawingWatch(FakeWorld& world) : world_(world) {}

  Result<void> arm() override {
    const std::lock_guard lock(world_.mutex_);
    paint(world_.windows_, world_.desktop_, before_);
    return ok();
  }

  Result<std::vector<Rect>> next(MonoTime deadline, const std::stop_token& stop) override {
    const std::stop_callback wake(stop, [this] {
      const std::lock_guard lock(world_.mutex_);
      world_.changed_.notify_all();
    });
    std::unique_lock lock(world_.mutex_);
    while (!stop.stop_requested()) {
      paint(world_.windows_, world_.desktop_, now_);
      auto areas = changed_bands(world_.desktop_, before_, now_);
      before_.swap(now_);
      if (!areas.empty()) return areas;
      if (world_.changed_.wait_until(lock, deadline) == std::cv_status::timeout) break;
    }
    return std::vector<Rect>();
  }

 private:
  FakeWorld& world_;
  std::vector<std::uint8_t> before_;
  std::vector<std::uint8_t> now_;
};

Result<Layout> FakeScreen::layout() { return Layout{world_.desktop_, {{"fake", world_.desktop_, 1.0}}}; }

Result<FrameView> FakeScreen::capture() {
  FrameView view = paint_area(world_.desktop_, whole_);
  note_changes(whole_);
  view.generation = history_.now();
  return view;
}

Result<FrameView> FakeScreen::capture_area(const Rect& area) {
  const Rect part = intersection(area, world_.desktop_);
  if (part.empty()) return Error{Code::kOutOfRange, "the area to capture lies outside the desktop"};
  return paint_area(part, part_);
}

Result<std::optional<std::vector<Rect>>> FakeScreen::changed_since(std::uint64_t generation) {
  paint_area(world_.desktop_, now_);
  note_changes(now_);
  return history_.since(generation);
}

Result<std::unique_ptr<DrawingWatch>> FakeScreen::watch_drawing() {
  return std::unique_ptr<DrawingWatch>(std::make_unique<FakeDrawingWatch>(world_));
}

Result<Point> FakeScreen::cursor() {
  const std::lock_guard lock(world_.mutex_);
  return world_.cursor_;
}

Result<CursorShape> FakeScreen::cursor_shape() {
  const std::lock_guard lock(world_.mutex_);
  const FakeWindow* window = world_.window_at(world_.cursor_);
  if (window == nullptr) return CursorShape::kArrow;
  if (window->busy) return CursorShape::kBusy;
  const auto under = std::ranges::find_if(
      window->elements, [this](const FakeElement& element) { return element.bounds.contains(world_.cursor_); });
  return under != window->elements.end() && under->editable ? CursorShape::kText : CursorShape::kArrow;
}

// The fake application acts at once, so it is idle whenever nothing changes.
Result<Quiet> FakeScreen::wait_quiet(const Rest& rest, MonoTime deadline) {
  const Milliseconds quiet = rest.idle > Milliseconds(0) ? std::min(rest.idle, rest.quiet) : rest.quiet;
  std::unique_lock lock(world_.mutex_);
  while (true) {
    const MonoTime calm = world_.last_change_ + quiet;
    if (system_clock().now() >= calm) return Quiet::kSettled;
    if (system_clock().now() >= deadline) return Quiet::kStillChanging;
    world_.changed_.wait_until(lock, std::min(calm, deadline));
  }
}

FrameView FakeScreen::paint_area(const Rect& area, std::vector<std::uint8_t>& buffer) {
  const std::lock_guard lock(world_.mutex_);
  paint(world_.windows_, area, buffer);
  return {.data = buffer.data(), .area = area, .stride = static_cast<std::size_t>(area.width) * 4};
}

void FakeScreen::note_changes(const std::vector<std::uint8_t>& pixels) {
  history_.add(changed_bands(world_.desktop_, before_, pixels));
  before_ = pixels;
}

}  // namespace da::actuator::fake
