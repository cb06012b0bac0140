// Drags with the mouse.
#include <algorithm>
#include <cstdlib>

#include "services/actuator/desktop/drag_path.h"
#include "services/actuator/desktop/x11/applications/posix_process.h"
#include "services/actuator/desktop/x11/input/pointer_settings.h"
#include "services/actuator/desktop/x11/input/x11_input.h"

namespace da::actuator::x11 {
namespace {

// During a drag an application answers each move before it receives the next one, and the target is notified late:
// Chromium checks the pointer every 50 ms, and GTK asks the target across processes.
constexpr Milliseconds kBetweenDragMoves{10};
constexpr Milliseconds kBeforeDrag{60};
constexpr Milliseconds kBeforeDrop{200};
constexpr Milliseconds kLongestDragWork{3'000};
constexpr Milliseconds kBetweenWorkLooks{50};
// The first of the moves after the work begins the drag, and the target is notified of the others.
constexpr int kMovesAfterWork = 4;

// Returns the point one pixel from `at` towards `before`.
Point towards(Point at, Point before) {
  const auto step = [](int from, int to) { return from == to ? from : from < to ? from + 1 : from - 1; };
  return {step(at.x, before.x), step(at.y, before.y)};
}

}  // namespace

Result<void> X11Input::drag_along(std::span<const Point> path, const Checkpoint& checkpoint, Progress& progress) {
  RETURN_IF_ERROR(pause(kBeforeDrag, checkpoint));
  Point before = path.front();
  for (const DragMove& next : drag_moves(path)) {
    RETURN_IF_ERROR(checkpoint());
    RETURN_IF_ERROR(move(next.to));
    progress.done = next.reached;
    RETURN_IF_ERROR(pause(kBetweenDragMoves, checkpoint));
    if (next.to != path.back()) before = next.to;
  }
  RETURN_IF_ERROR(await_drag_work(path.back(), before, checkpoint));
  return pause(kBeforeDrop, checkpoint);
}

// A program that is busy may not have begun the drag yet, and a release would end it before that. A browser's page
// decides in another process; the browser begins the drag at the next move after the page's answer. So the pointer goes
// back by a pixel of its path, and comes again. Nobody knows for how long a program works that never sleeps.
Result<void> X11Input::await_drag_work(Point at, Point before, const Checkpoint& checkpoint) {
  const auto owner = receipt_.provable_owner();
  if (!owner || !*owner || (*owner)->pid == 0) return ok();
  const Point back = towards(at, before);
  const MonoTime deadline = connection_->clock().now() + kLongestDragWork;
  bool is_back = false;
  int moves_at_rest = kMovesAfterWork;  // A program that does not work needs no more moves.
  while (connection_->clock().now() < deadline) {
    const auto activity = activity_of_family((*owner)->pid);
    if (!activity) break;
    moves_at_rest = activity->asleep ? moves_at_rest + 1 : 0;
    if (moves_at_rest > kMovesAfterWork) break;
    is_back = !is_back;
    RETURN_IF_ERROR(checkpoint());
    RETURN_IF_ERROR(move(is_back ? back : at));
    RETURN_IF_ERROR(pause(kBetweenWorkLooks, checkpoint));
  }
  return is_back ? move(at) : ok();
}

// A short drag is a drag for what needs no threshold, such as a slider. One that is longer than the usual threshold is
// meant to be more.
Result<void> X11Input::is_long_enough(std::span<const Point> path) {
  int longest = 0;
  for (const Point& point : path) {
    longest = std::max({longest, std::abs(point.x - path.front().x), std::abs(point.y - path.front().y)});
  }
  if (longest <= kUsualDragThreshold) return ok();
  const int threshold = read_pointer_settings(*connection_).drag_threshold;
  if (longest > threshold) return ok();
  return Error{Code::kOutOfRange, "nothing was sent: the drag leads " + std::to_string(longest) +
                                      " pixels away, but applications begin a drag only after " +
                                      std::to_string(threshold) +
                                      " pixels (the drag threshold of this desktop): drag further"};
}

Progress X11Input::drag(std::span<const Point> path, const std::string& surface, Button button,
                        const Checkpoint& checkpoint) {
  Progress progress{0, static_cast<std::uint32_t>(path.size()), std::nullopt};
  if (path.empty()) return progress;
  const auto whole = [&]() -> Result<void> {
    RETURN_IF_ERROR(is_long_enough(path));
    RETURN_IF_ERROR(checkpoint());
    RETURN_IF_ERROR(button_down({path.front(), surface}, button));
    progress.done = 1;
    RETURN_IF_ERROR(drag_along(path, checkpoint, progress));
    RETURN_IF_ERROR(await_pointer(path.back(), checkpoint));
    return button_up(path.back(), button);
  };
  if (auto done = with_plain_keyboard(PlainFor::kPointer, whole); !done) progress.stopped = done.error();
  // Release after any error, even when a locker has come: a release neither types nor clicks.
  release_all();
  if (auto released = connection_->alive(); !released && !progress.stopped) progress.stopped = released.error();
  return progress;
}

}  // namespace da::actuator::x11
