#include "services/actuator/desktop/win32/input/win32_input.h"
#include "services/actuator/desktop/win32/input/keyboard/ime_state.h"

#include <algorithm>
#include <cstdlib>
#include <thread>

#include "lib/base/text.h"
#include "services/actuator/desktop/drag_path.h"
#include "services/actuator/desktop/win32/applications/win32_process.h"
#include "services/actuator/desktop/win32/base/win32_error.h"
#include "services/actuator/desktop/win32/input/keyboard/ime_state.h"
#include "services/actuator/desktop/win32/input/keyboard/keyboard_obstacle.h"
#include "services/actuator/desktop/win32/screen/screen_rest.h"
#include "services/actuator/desktop/win32/windows/win32_windows.h"
#include "services/actuator/desktop/win32/windows/window_facts.h"

namespace da::actuator::win32 {
namespace {

constexpr Milliseconds kBetweenCheckpoints{10};
constexpr Milliseconds kBetweenNotches{8};
// During a drag an application answers each move before it receives the next one, and a drop target is notified late.
constexpr Milliseconds kBetweenDragMoves{10};
constexpr Milliseconds kBeforeDrag{60};
constexpr Milliseconds kBeforeDrop{200};
// Windows' default settings.
constexpr Milliseconds kUsualDoubleClickTime{500};
constexpr int kUsualDragThreshold = 4;
// A chunk takes some ms; when it takes longer, Windows is stuck in a hook and would process no release anyway.
constexpr Milliseconds kWaitForChunk{50};

// Calls `step` with the numbers of `total` units, until one fails.
Progress in_steps(std::uint32_t total, const std::function<Result<void>(std::uint32_t)>& step) {
  Progress progress{0, total, std::nullopt};
  for (; progress.done < total; ++progress.done) {
    if (auto done = step(progress.done); !done) {
      progress.stopped = done.error();
      break;
    }
  }
  return progress;
}

bool runs_under_wine() {
  static const bool wine = ::GetProcAddress(::GetModuleHandleW(L"ntdll.dll"), "wine_get_version") != nullptr;
  return wine;
}

// A short drag is a drag for what needs no threshold, such as a slider. One that is longer than the usual threshold is
// meant to be more.
Result<void> is_long_enough(std::span<const Point> path) {
  int right = 0;
  int down = 0;
  for (const Point& point : path) {
    right = std::max(right, std::abs(point.x - path.front().x));
    down = std::max(down, std::abs(point.y - path.front().y));
  }
  if (std::max(right, down) <= kUsualDragThreshold) return ok();
  const int threshold_right = ::GetSystemMetrics(SM_CXDRAG);
  const int threshold_down = ::GetSystemMetrics(SM_CYDRAG);
  if (right > threshold_right || down > threshold_down) return ok();
  return Error{Code::kOutOfRange, "nothing was sent: the drag leads " + std::to_string(std::max(right, down)) +
                                      " pixels away, but applications begin a drag only after " +
                                      std::to_string(std::min(threshold_right, threshold_down)) +
                                      " pixels (the drag threshold of this desktop): drag further"};
}

Result<KeyPress> press_of(const std::string& key, HKL layout) {
  if (auto press = find_key(key, layout)) return *std::move(press);
  return Error{Code::kInvalidArgument, "the keyboard layout of this window has no key " + quote_foreign(key)};
}

// Windows would put the pointer at the nearest place instead, and press there.
Result<void> pointer_may_reach(Point at) {
  const auto cannot = [&](const std::string& why) {
    return Error{Code::kAborted,
                 "the pointer does not arrive at " + std::to_string(at.x) + "," + std::to_string(at.y) + ": " + why};
  };
  const POINT point{at.x, at.y};
  if (::MonitorFromPoint(point, MONITOR_DEFAULTTONULL) == nullptr) return cannot("no monitor shows that place");
  RECT confined{};
  if (::GetClipCursor(&confined) && !::PtInRect(&confined, point)) {
    return cannot("a program confines it to another part of the screen");
  }
  return ok();
}

}  // namespace

Result<void> Win32Input::may_send(HWND target) {
  if (shut_) return Error{Code::kFailedPrecondition, "input is shut down"};
  ASSIGN_OR_RETURN(const auto obstacle, session_.obstacle());
  if (obstacle) return Error{Code::kPermissionDenied, "input is refused: " + obstacle->reason};
  DWORD pid = 0;
  ::GetWindowThreadProcessId(target, &pid);
  if (reach_of(pid) == Reach::kHigherIntegrity) {
    return Error{Code::kPermissionDenied,
                 "Windows would discard input to " + quote_foreign(executable_of(pid)) + ", process " +
                     std::to_string(pid) +
                     ": it runs with a higher integrity level (as administrator), or does not tell its level. Start it "
                     "without administrator's rights, or the actuator with them"};
  }
  // Checked as late as possible, because a busy machine delays the code up to here.
  if (person_.has_news()) return Error{Code::kFailedPrecondition, "a person uses the desktop"};
  return ok();
}

Result<void> Win32Input::send_events(std::span<INPUT> events) {
  held_.add_pressed(events);
  using Hold = std::optional<Win32PersonWatch::PointerHold>;
  const Hold hold = runs_under_wine() && act_at_pointer(events) ? Hold(std::in_place, person_) : std::nullopt;
  const UINT sent = ::SendInput(static_cast<UINT>(events.size()), events.data(), sizeof(INPUT));
  const DWORD number = ::GetLastError();
  const auto taken = events.first(std::min<std::size_t>(sent, events.size()));
  presses_ += count_presses(taken);
  held_.remove_released(taken);
  if (sent == events.size()) return ok();
  Error error = win32_error("Windows took " + std::to_string(sent) + " of " + std::to_string(events.size()) +
                                " input events: another desktop or a program blocks input",
                            number);
  error.code = Code::kPermissionDenied;
  return error;
}

Result<void> Win32Input::send_chunk(HWND target, const Fill& fill, const std::optional<Point>& pressed_at) {
  InputChunk chunk(mark_, virtual_desktop());
  fill(chunk);
  const std::lock_guard lock(sending_);
  RETURN_IF_ERROR(may_send(target));
  if (const auto obstacle = keyboard_obstacle(chunk.events(), held_)) {
    return Error{Code::kUnavailable, "nothing was sent: " + *obstacle + ", then repeat the step"};
  }
  if (pressed_at && !held_.any_button()) held_.set_pressed_at(pressed_at);
  auto sent = send_events(chunk.events());
  if (!held_.any_button()) held_.set_pressed_at(std::nullopt);
  return sent;
}

Result<void> Win32Input::send_to_point(const PressPlace& at, const Fill& fill, const std::optional<Point>& pressed_at) {
  RETURN_IF_ERROR(pointer_may_reach(at.point));
  const POINT point{at.point.x, at.point.y};
  if (!at.surface.empty() && at.surface != id_of_window(top_level_at(point))) {
    return Error{Code::kAborted, "another window came under the pointer"};
  }
  const HWND part = ::WindowFromPoint(point);
  if (!at.part.empty() && at.part != id_of_window(part)) {
    return Error{Code::kAborted, "another part of the window came under the pointer"};
  }
  return send_chunk(part, fill, pressed_at);
}

Result<void> Win32Input::send_to_focus(const Fill& fill) { return send_chunk(::GetForegroundWindow(), fill); }

Result<void> Win32Input::pause(Milliseconds time, const Checkpoint& checkpoint) {
  const MonoTime until = clock_.now() + time;
  for (MonoTime now = clock_.now(); now < until; now = clock_.now()) {
    std::this_thread::sleep_for(std::min<Nanoseconds>(kBetweenCheckpoints, until - now));
    RETURN_IF_ERROR(checkpoint());
  }
  return ok();
}

Result<void> Win32Input::move(Point to) {
  return send_to_point(to, [&](InputChunk& chunk) { chunk.move(to); });
}

// Clicks within the usual double-click time are meant as one double click, which they are only within the person's.
Progress Win32Input::click(const PressPlace& at, Button button, int clicks, Milliseconds interval,
                           const Checkpoint& checkpoint) {
  if (interval < kUsualDoubleClickTime) interval = std::min(interval, Milliseconds(::GetDoubleClickTime()) / 2);
  return in_steps(static_cast<std::uint32_t>(std::max(clicks, 0)), [&](std::uint32_t number) -> Result<void> {
    if (number > 0) RETURN_IF_ERROR(pause(interval, checkpoint));
    RETURN_IF_ERROR(checkpoint());
    const auto sent = send_to_point(at, [&](InputChunk& chunk) {
      chunk.move(at.point);
      chunk.button(button, Press::kDown, at.point);
      chunk.button(button, Press::kUp, at.point);
    });
    spacing_.pressed(button, at.point, clock_.now());
    return sent;
  });
}

Result<void> Win32Input::button_down(const PressPlace& at, Button button) {
  const auto press = [&](InputChunk& chunk) {
    chunk.move(at.point);
    chunk.button(button, Press::kDown, at.point);
  };
  const auto sent = send_to_point(at, press, at.point);
  spacing_.pressed(button, at.point, clock_.now());
  return sent;
}

Result<void> Win32Input::await_own_click(Point at, Button button, const Checkpoint& checkpoint) {
  if (!spacing_.is_near_last(button, at)) return ok();
  const MonoTime from = spacing_.own_click_from(Milliseconds(::GetDoubleClickTime()));
  return pause(std::chrono::ceil<Milliseconds>(from - clock_.now()), checkpoint);
}

// Does not move a pointer that is at `at` already: a menu under it would take the move and the release as a choice.
Result<void> Win32Input::button_up(Point at, Button button) {
  POINT pointer{};
  const bool is_there = ::GetCursorPos(&pointer) && pointer.x == at.x && pointer.y == at.y;
  // Even if the pointer cannot arrive: no button stays pressed.
  return send_chunk(::WindowFromPoint(POINT{at.x, at.y}), [&](InputChunk& chunk) {
    if (is_there) {
      chunk.button(button, Press::kUp);
      return;
    }
    chunk.move(at);
    chunk.button(button, Press::kUp, at);
  });
}

std::optional<Point> Win32Input::button_held() {
  const std::lock_guard lock(sending_);
  return held_.pressed_at();
}

Progress Win32Input::scroll(const PressPlace& at, int dx, int dy, const Checkpoint& checkpoint) {
  const auto vertical = static_cast<std::uint32_t>(std::abs(dy));
  const auto total = vertical + static_cast<std::uint32_t>(std::abs(dx));
  return in_steps(total, [&](std::uint32_t number) -> Result<void> {
    if (number > 0) RETURN_IF_ERROR(pause(kBetweenNotches, checkpoint));
    RETURN_IF_ERROR(checkpoint());
    return send_to_point(at, [&](InputChunk& chunk) {
      if (number == 0) chunk.move(at.point);
      if (number < vertical) {
        chunk.wheel(at.point, dy > 0 ? -1 : 1, 0);
      } else {
        chunk.wheel(at.point, 0, dx > 0 ? 1 : -1);
      }
    });
  });
}

Result<void> Win32Input::drag_along(std::span<const Point> path, const Checkpoint& checkpoint, Progress& progress) {
  RETURN_IF_ERROR(pause(kBeforeDrag, checkpoint));
  for (const DragMove& next : drag_moves(path)) {
    RETURN_IF_ERROR(checkpoint());
    RETURN_IF_ERROR(move(next.to));
    progress.done = next.reached;
    RETURN_IF_ERROR(pause(kBetweenDragMoves, checkpoint));
  }
  return pause(kBeforeDrop, checkpoint);
}

Progress Win32Input::drag(std::span<const Point> path, const std::string& surface, Button button,
                          const Checkpoint& checkpoint) {
  Progress progress{0, static_cast<std::uint32_t>(path.size()), std::nullopt};
  if (path.empty()) return progress;
  const auto whole = [&]() -> Result<void> {
    RETURN_IF_ERROR(is_long_enough(path));
    RETURN_IF_ERROR(checkpoint());
    RETURN_IF_ERROR(button_down({path.front(), surface}, button));
    progress.done = 1;
    RETURN_IF_ERROR(drag_along(path, checkpoint, progress));
    RETURN_IF_ERROR(pointer_may_reach(path.back()));
    return button_up(path.back(), button);
  };
  if (auto done = whole(); !done) progress.stopped = done.error();
  release_all();
  return progress;
}

Progress Win32Input::tap(std::span<const std::string> keys, const Checkpoint& checkpoint) {
  return in_steps(static_cast<std::uint32_t>(keys.size()), [&](std::uint32_t number) -> Result<void> {
    RETURN_IF_ERROR(checkpoint());
    const std::string& name = keys[number];
    auto press = press_of(name, active_layout());
    const auto character = decode_utf8(name);
    const bool is_character = character && character->size() == 1;
    // A character that no key gives can still be typed. An input method editor would take the key of a letter, and Caps
    // Lock would change it.
    const bool key_differs = is_character && (ime_state(focused_window()) == ImeState::kComposes || caps_lock_is_on());
    if (!press || key_differs) {
      if (!is_character) return press.error();
      Progress typed{0, 1, std::nullopt};
      return type_text(*character, Milliseconds(0), checkpoint, typed);
    }
    return send_to_focus([&](InputChunk& chunk) {
      for (const KeyCode& modifier : press->modifiers) chunk.key(modifier, Press::kDown);
      chunk.key(press->key, Press::kDown);
      chunk.key(press->key, Press::kUp);
      for (const KeyCode& modifier : press->modifiers) chunk.key(modifier, Press::kUp);
    });
  });
}

// Presses in order and releases in reverse order.
Result<void> Win32Input::chord(std::span<const std::string> keys, const Checkpoint& checkpoint) {
  const bool capital =
      keys.size() == 2 && keys[0] == "shift" && keys[1].size() == 1 && keys[1][0] >= 'a' && keys[1][0] <= 'z';
  if (capital && caps_lock_is_on()) {
    Progress typed{0, 1, std::nullopt};
    return type_text(std::u32string(1, static_cast<char32_t>(keys[1][0] - 'a' + 'A')), Milliseconds(0), checkpoint,
                     typed);
  }
  const HKL layout = active_layout();
  std::vector<KeyCode> codes;
  const auto add = [&codes](const KeyCode& key) {
    if (std::ranges::find(codes, key) == codes.end()) codes.push_back(key);
  };
  for (const std::string& key : keys) {
    ASSIGN_OR_RETURN(const KeyPress press, press_of(key, layout));
    for (const KeyCode& modifier : press.modifiers) add(modifier);
    add(press.key);
  }
  RETURN_IF_ERROR(checkpoint());
  return send_to_focus([&](InputChunk& chunk) {
    for (const KeyCode& key : codes) chunk.key(key, Press::kDown);
    for (auto key = codes.rbegin(); key != codes.rend(); ++key) chunk.key(*key, Press::kUp);
  });
}

Result<void> Win32Input::hold(std::span<const std::string> keys) {
  const HKL layout = active_layout();
  std::vector<KeyCode> codes;
  for (const std::string& key : keys) {
    ASSIGN_OR_RETURN(const KeyPress press, press_of(key, layout));
    codes.push_back(press.key);
  }
  return send_to_focus([&](InputChunk& chunk) {
    for (const KeyCode& key : codes) chunk.key(key, Press::kDown);
  });
}

Reading Win32Input::await_reading(MonoTime deadline) {
  const HWND window = focused_window();
  if (window == nullptr) return Reading::kUnknown;
  if (::IsHungAppWindow(window)) return Reading::kBusy;
  const auto read = receipt_.await(window, deadline, [] { return ok(); });
  if (read) return *read ? Reading::kRead : Reading::kUnknown;
  return read.error().code == Code::kDeadlineExceeded ? Reading::kBusy : Reading::kUnknown;
}

void Win32Input::release_held() {
  InputChunk chunk(mark_, virtual_desktop());
  held_.release(chunk);
  if (!chunk.events().empty()) (void)send_events(chunk.events());
  if (!held_.any_button()) held_.set_pressed_at(std::nullopt);
}

bool Win32Input::release_all() {
  const std::lock_guard lock(sending_);
  if (held_.none()) return false;
  release_held();
  return true;
}

void Win32Input::shut() {
  shut_ = true;
  const std::unique_lock lock(sending_, kWaitForChunk);
  if (lock) release_held();
}

}  // namespace da::actuator::win32
