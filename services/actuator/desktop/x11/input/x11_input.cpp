#include "services/actuator/desktop/x11/input/x11_input.h"

#include <poll.h>
#include <xcb/xtest.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <utility>

#include "lib/contract/place_text.h"
#include "services/actuator/desktop/drag_path.h"
#include "services/actuator/desktop/x11/input/pointer_settings.h"

namespace da::actuator::x11 {
namespace {

constexpr Milliseconds kChordTime{1'000};
// Chromium scrolls by only five of eight notches sent at once, but by all that come at least 2 ms apart.
constexpr Milliseconds kBetweenNotches{8};
// During a drag an application answers each move before it receives the next one, and the target is notified late:
// Chromium checks the pointer every 50 ms, and GTK asks the target across processes.
constexpr Milliseconds kBetweenDragMoves{10};
constexpr Milliseconds kBeforeDrag{60};
constexpr Milliseconds kClickIsPassedOn{2'000};
constexpr Milliseconds kBetweenLooks{1};
constexpr Milliseconds kBeforeDrop{200};
// A chunk takes some ms; when it takes longer, the server is stuck and would process no release anyway.
constexpr Milliseconds kWaitForChunk{50};
// An application that is busy for longer may see the keyboard's own state before it reads its keys.
constexpr Milliseconds kReadBeforeRestore{1'000};
// A program that changes the keyboard more often than this makes it unusable.
constexpr int kMostDisturbances = 3;

// In a row, without a key in between.
constexpr int kMostFocusChanges = 3;
constexpr const char* kFocusChanged = "the keyboard focus changed in the last moment";

enum WheelButton : std::uint8_t { kWheelUp = 4, kWheelDown = 5, kWheelLeft = 6, kWheelRight = 7 };

std::uint8_t number_of(Button button) {
  switch (button) {
    case Button::kLeft: return 1;
    case Button::kMiddle: return 2;
    case Button::kRight: return 3;
  }
  return 1;
}

// After a click its target may change: a dialog closes. That the target is another one then is no reason to call the
// click undone, which would repeat it on what lies behind.
Checkpoint but_for_changes(const Checkpoint& checkpoint) {
  return [&checkpoint]() -> Result<void> {
    auto checked = checkpoint();
    return !checked && checked.error().code == Code::kAborted ? ok() : checked;
  };
}

Error held_elsewhere(Point wanted, Point now) {
  return {Code::kAborted, "the pointer does not arrive " + contract::place_text(wanted) + ": it stays " +
                              contract::place_text(now) +
                              ". Another program confines it or moves it back, or no monitor shows that place"};
}

}  // namespace

Result<std::unique_ptr<X11Input>> X11Input::open(std::unique_ptr<Connection> connection, DamageWatch& damage,
                                                 X11PersonWatch& person, AtspiKeyRelay& relay, HeldInput held) {
  if (connection->extension(xcb_test_id) == nullptr)
    return Error{Code::kUnimplemented, "the X server has no XTEST extension: it accepts no input from programs"};
  ASSIGN_OR_RETURN(const KeyReceipt receipt, KeyReceipt::open(*connection, damage, relay));
  ASSIGN_OR_RETURN(const LockProbe probe, LockProbe::open(*connection));
  ASSIGN_OR_RETURN(const PressWatch press_watch, PressWatch::open(*connection));
  ASSIGN_OR_RETURN(const ButtonMap buttons, ButtonMap::open(*connection));
  std::unique_ptr<X11Input> input(
      new X11Input(std::move(connection), person, receipt, probe, press_watch, buttons, std::move(held)));
  ASSIGN_OR_RETURN(input->map_, KeyboardMap::open(*input->connection_));
  RETURN_IF_ERROR(input->find_shift());
  return input;
}

X11Input::~X11Input() { release_all(); }

Result<void> X11Input::find_shift() {
  const auto shift = map_->find(kShiftLeft);
  if (!shift) return Error{Code::kUnimplemented, "the X server's keyboard map has no Shift key"};
  shift_ = *shift;
  return ok();
}

Result<void> X11Input::read_map() {
  RETURN_IF_ERROR(map_->refresh());
  return find_shift();
}

KeySet X11Input::held_keys() {
  const std::lock_guard lock(sending_);
  return keys_;
}

Result<void> X11Input::with_plain_keyboard(PlainFor use, const std::function<Result<void>()>& body) {
  if (plain_for_) return body();
  plain_for_ = use;
  auto done = plain_.clear(use, held_keys());
  if (done) done = body();
  if (plain_.changed_for_applications()) await_reading(connection_->clock().now() + kReadBeforeRestore);
  plain_.restore();
  plain_for_.reset();
  return done;
}

Result<void> X11Input::with_current_map(const std::function<Result<void>()>& body) {
  for (int changes = 0;; ++changes) {
    map_changed_ = false;
    RETURN_IF_ERROR(read_map());
    auto done = body();
    if (done || !map_changed_ || changes == kMostDisturbances) return done;
    // The change may have come from another device, whose map the server then uses.
    RETURN_IF_ERROR(plain_.clear(PlainFor::kKeys, held_keys()));
  }
}

Result<std::optional<std::string>> X11Input::disturbance() {
  if (!plain_for_) return std::optional<std::string>();
  ASSIGN_OR_RETURN(auto disturbed, plain_.disturbance(*plain_for_, keys_));
  disturbed_ = disturbed.has_value();
  if (disturbed || *plain_for_ == PlainFor::kPointer) return disturbed;
  ASSIGN_OR_RETURN(const bool current, map_->is_current());
  map_changed_ = !current;
  if (current) return disturbed;
  return std::optional<std::string>("the keyboard layout has just been changed: leave it as it is");
}

Result<void> X11Input::send_chunk(const std::function<Result<void>()>& fill) {
  for (int times = 0;; ++times) {
    disturbed_ = false;
    auto sent = try_chunk(fill);
    if (!disturbed_ || times == kMostDisturbances) return sent;
    RETURN_IF_ERROR(plain_.clear(*plain_for_, held_keys()));
  }
}

Result<void> X11Input::try_chunk(const std::function<Result<void>()>& fill) {
  const std::lock_guard lock(sending_);
  if (shut_) return Error{Code::kFailedPrecondition, "input is shut down"};
  std::optional<Connection::ServerGrab> grab(*connection_);
  const auto asked_focus = xcb_get_input_focus(connection_->get());
  const auto locker = probe_.locker();
  const auto focus = connection_->reply(xcb_get_input_focus_reply, asked_focus, "find the keyboard focus");
  if (focus) found_ = {(*focus)->focus, probe_.was_taken()};
  // Checked as late as possible, because a busy machine delays the code up to here.
  const bool person = person_.has_news();
  Result<void> filled = ok();
  if (person) filled = Error{Code::kFailedPrecondition, "a person uses the desktop"};
  if (expected_ && (!focus || found_ != *expected_) && !person) filled = Error{Code::kAborted, kFocusChanged};
  if (locker && !*locker && filled) {
    const auto disturbed = disturbance();
    if (!disturbed) {
      filled = disturbed.error();
    } else if (*disturbed) {
      filled = Error{Code::kUnavailable, **disturbed + ", then repeat the step"};
    } else {
      filled = fill();
    }
  }
  grab.reset();
  RETURN_IF_ERROR(connection_->sync());
  held_.assign(keys_, buttons_);
  RETURN_IF_ERROR(locker);
  if (*locker) return Error{Code::kPermissionDenied, "the session is locked by " + **locker};
  return filled;
}

Result<X11Input::KeyFocus> X11Input::key_focus() {
  const auto asked = xcb_get_input_focus(connection_->get());
  ASSIGN_OR_RETURN(const bool grabbed, probe_.keyboard_is_taken());
  ASSIGN_OR_RETURN(const auto focus, connection_->reply(xcb_get_input_focus_reply, asked, "find the keyboard focus"));
  return KeyFocus{focus->focus, grabbed};
}

// A change of the focus may be harmless: a list of completions opened, for example. Only the checkpoint can tell.
Result<void> X11Input::send_keys(const std::function<Result<void>()>& fill, const Checkpoint& checkpoint) {
  ASSIGN_OR_RETURN(KeyFocus before, key_focus());
  for (int tries = 0;; ++tries) {
    RETURN_IF_ERROR(checkpoint());
    expected_ = before;
    const auto sent = send_chunk(fill);
    expected_.reset();
    const bool changed = !sent && sent.error().code == Code::kAborted && found_ != before;
    if (!changed || tries == kMostFocusChanges) return sent;
    before = found_;
  }
}

void X11Input::send(std::uint8_t event, std::uint8_t detail, Point at) {
  // Coordinates have 16 bits: clamp instead of wrapping around.
  const auto within = [](int place) {
    using Limits = std::numeric_limits<std::int16_t>;
    return static_cast<std::int16_t>(std::clamp<int>(place, Limits::min(), Limits::max()));
  };
  if (event == XCB_MOTION_NOTIFY) moved_to_ = at;
  if (event == XCB_KEY_PRESS || event == XCB_BUTTON_PRESS) ++presses_;
  xcb_test_fake_input(connection_->get(), event, detail, XCB_CURRENT_TIME, connection_->root(), within(at.x),
                      within(at.y), 0);
}

Result<Point> X11Input::pointer() {
  const auto asked = xcb_query_pointer(connection_->get(), connection_->root());
  ASSIGN_OR_RETURN(const auto at, connection_->reply(xcb_query_pointer_reply, asked, "find the pointer"));
  return Point{at->root_x, at->root_y};
}

Result<void> X11Input::send_pointer(Point to) {
  send(XCB_MOTION_NOTIFY, 0, to);
  ASSIGN_OR_RETURN(const Point at, pointer());
  return at == to ? ok() : Result<void>(held_elsewhere(to, at));
}

Result<void> X11Input::await_pointer(Point at, const Checkpoint& checkpoint) {
  const MonoTime until = connection_->clock().now() + kClickIsPassedOn;
  for (;;) {
    ASSIGN_OR_RETURN(const Point now, pointer());
    if (now == at) return ok();
    if (connection_->clock().now() >= until) return held_elsewhere(at, now);
    RETURN_IF_ERROR(pause(kBetweenLooks, checkpoint));
  }
}

void X11Input::send_key(xcb_keycode_t code, bool down) {
  if (down) held_.add_key(code);
  if (!down) plain_.note_release(code);
  keys_.set(code, down);
  send(down ? XCB_KEY_PRESS : XCB_KEY_RELEASE, code);
}

void X11Input::send_button(std::uint8_t button, bool down) {
  if (down) held_.add_button(button);
  buttons_.set(button, down);
  send(down ? XCB_BUTTON_PRESS : XCB_BUTTON_RELEASE, button);
}

Result<void> X11Input::press_button(Button button) {
  ASSIGN_OR_RETURN(const std::uint8_t number, button_map_.number_to_send(number_of(button)));
  pressed_as_[static_cast<std::size_t>(button)] = number;
  send_button(number, true);
  if (moved_to_) spacing_.pressed(button, *moved_to_, connection_->clock().now());
  return ok();
}

Result<void> X11Input::release_button(Button button) {
  std::uint8_t& pressed_as = pressed_as_[static_cast<std::size_t>(button)];
  std::uint8_t number = std::exchange(pressed_as, std::uint8_t{0});
  if (number == 0) {
    ASSIGN_OR_RETURN(number, button_map_.number_to_send(number_of(button)));
  }
  send_button(number, false);
  return ok();
}

Result<void> X11Input::turn_wheel(std::uint8_t wheel) {
  ASSIGN_OR_RETURN(const std::uint8_t number, button_map_.number_to_send(wheel));
  send_button(number, true);
  send_button(number, false);
  return ok();
}

Result<void> X11Input::pause(Milliseconds time, const Checkpoint& checkpoint) {
  const Clock& clock = connection_->clock();
  const MonoTime until = clock.now() + time;
  while (clock.now() < until) {
    const int timeout = poll_timeout(clock, std::min(until, clock.now() + kBetweenCheckpoints));
    ::poll(nullptr, 0, timeout);
    RETURN_IF_ERROR(checkpoint());
  }
  return ok();
}

// A button whose release the server keeps back still counts as pressed.
Result<void> X11Input::await_release(Button button, const Checkpoint& checkpoint) {
  const auto pressed = static_cast<std::uint16_t>(XCB_BUTTON_MASK_1 << (number_of(button) - 1));
  const Clock& clock = connection_->clock();
  const MonoTime until = clock.now() + kClickIsPassedOn;
  for (;;) {
    const auto asked = xcb_query_pointer(connection_->get(), connection_->root());
    ASSIGN_OR_RETURN(const auto pointer, connection_->reply(xcb_query_pointer_reply, asked, "find the pointer"));
    if ((pointer->mask & pressed) == 0) return ok();
    if (clock.now() >= until) {
      return Error{Code::kDeadlineExceeded, "the click was sent, but the window manager does not pass it on"};
    }
    RETURN_IF_ERROR(pause(kBetweenLooks, checkpoint));
  }
}

Result<xcb_window_t> X11Input::window_at(Point at) {
  const xcb_window_t root = connection_->root();
  const auto asked = xcb_translate_coordinates(connection_->get(), root, root, static_cast<std::int16_t>(at.x),
                                               static_cast<std::int16_t>(at.y));
  ASSIGN_OR_RETURN(const auto hit, connection_->reply(xcb_translate_coordinates_reply, asked, "find a window"));
  return hit->child;
}

// The server holds moves back while a window manager decides on a press, so they are only checked without a button.
Result<void> X11Input::move(Point to) {
  return send_chunk([&]() -> Result<void> {
    if (buttons_.none()) return send_pointer(to);
    send(XCB_MOTION_NOTIFY, 0, to);
    return ok();
  });
}

// While another button is held, applications take a press for a part of a drag.
Result<void> X11Input::no_foreign_button() {
  if (buttons_.any()) return ok();
  const auto asked = xcb_query_pointer(connection_->get(), connection_->root());
  ASSIGN_OR_RETURN(const auto pointer, connection_->reply(xcb_query_pointer_reply, asked, "read the mouse buttons"));
  for (int button = 1; button <= 5; ++button) {
    if ((pointer->mask & (XCB_BUTTON_MASK_1 << (button - 1))) == 0) continue;
    return Error{Code::kUnavailable,
                 "nothing was sent: the mouse button " + std::to_string(button) +
                     " is held down, by a person or another program: release it, then repeat the step"};
  }
  return ok();
}

// Call it within a chunk, when no button is held: nothing can change then before the press.
Result<void> X11Input::still_gets_press(const PressPlace& at, std::optional<xcb_window_t> examined) {
  ASSIGN_OR_RETURN(const xcb_window_t window, window_at(at.point));
  const auto expected = PressSurface::parse(at.surface);
  if (!expected && !at.surface.empty()) return Error{Code::kInvalidArgument, "not a surface: " + at.surface};
  if ((expected && expected->window != window) || (examined && *examined != window)) {
    return Error{Code::kAborted, "another window came under the pointer"};
  }
  if (!expected || expected->grabbed) return ok();
  ASSIGN_OR_RETURN(const bool grabbed, probe_.pointer_is_taken());
  if (!grabbed) return ok();
  return Error{Code::kAborted, "a program has just grabbed the pointer: it would get the click"};
}

// What comes under the pointer when it arrives (pages and programs do that) must be there before the last look.
Result<void> X11Input::arrive(const PressPlace& at) {
  RETURN_IF_ERROR(move(at.point));
  const auto expected = PressSurface::parse(at.surface);
  if (!expected) return ok();
  ASSIGN_OR_RETURN(const auto elsewhere, press_watch_.await(at.point, *expected));
  if (!elsewhere) return ok();
  return Error{Code::kAborted, "another window came under the pointer when it arrived"};
}

Result<void> X11Input::press_first(const PressPlace& at, Button button, std::optional<xcb_window_t> examined) {
  RETURN_IF_ERROR(still_gets_press(at, examined));
  ASSIGN_OR_RETURN(const Point pointer, this->pointer());
  if (pointer != at.point) RETURN_IF_ERROR(send_pointer(at.point));  // A program has moved it.
  set_pressed_at(at.point);
  pressed_on_ = PressSurface::parse(at.surface);
  return press_button(button);
}

Error X11Input::release_elsewhere(Point elsewhere, Button button) {
  send(XCB_MOTION_NOTIFY, 0, elsewhere);
  if (const auto released = release_button(button); !released) return released.error();
  set_pressed_at(std::nullopt);
  return {Code::kAborted,
          "another window came under the pointer while the button was pressed, so it was released elsewhere"};
}

Result<void> X11Input::confirm_press(const PressPlace& at, Button button) {
  if (!pressed_on_) return ok();
  ASSIGN_OR_RETURN(const auto elsewhere, press_watch_.await(at.point, *pressed_on_));
  if (!elsewhere) return ok();
  return send_chunk([&]() -> Result<void> { return release_elsewhere(*elsewhere, button); });
}

// A window that has come over a pressed button meanwhile makes toolkits take the release for no click.
Result<void> X11Input::release_last(Point at, Button button) {
  if (pressed_on_ && pressed_at_ == at) {
    ASSIGN_OR_RETURN(const auto elsewhere, press_watch_.look(at, *pressed_on_));
    if (elsewhere) return release_elsewhere(*elsewhere, button);
  }
  RETURN_IF_ERROR(release_button(button));
  if (buttons_.none()) set_pressed_at(std::nullopt);
  return ok();
}

Progress X11Input::click(const PressPlace& at, Button button, int clicks, Milliseconds interval,
                         const Checkpoint& checkpoint) {
  Progress progress{0, static_cast<std::uint32_t>(std::max(clicks, 0)), std::nullopt};
  const bool holds = button_held().has_value();  // Then all clicks go to the window where that button was pressed.
  // The checkpoint has examined what is under the pointer: the chunk is only sent if that is still the same window.
  const auto click_once = [&]() -> Result<void> {
    RETURN_IF_ERROR(checkpoint());
    RETURN_IF_ERROR(arrive(at));  // Each time: a program may have moved the pointer since the last click.
    ASSIGN_OR_RETURN(const xcb_window_t examined, window_at(at.point));
    RETURN_IF_ERROR(checkpoint());
    if (holds) {
      RETURN_IF_ERROR(send_chunk([&]() -> Result<void> {
        RETURN_IF_ERROR(send_pointer(at.point));
        RETURN_IF_ERROR(press_button(button));
        return release_button(button);
      }));
    } else {
      RETURN_IF_ERROR(send_chunk([&] { return press_first(at, button, examined); }));
      RETURN_IF_ERROR(confirm_press(at, button));
      RETURN_IF_ERROR(send_chunk([&] { return release_last(at.point, button); }));
    }
    return await_release(button, but_for_changes(checkpoint));
  };
  const auto all = with_plain_keyboard(PlainFor::kPointer, [&]() -> Result<void> {
    RETURN_IF_ERROR(no_foreign_button());
    return progress.total < 2 ? click_in_turn(progress, interval, checkpoint, click_once)
                              : click_as_one(progress, interval, checkpoint, click_once);
  });
  if (!all) progress.stopped = all.error();
  if (!holds && button_held()) release_all();  // The last click ended between its press and its release.
  return progress;
}

Result<void> X11Input::click_in_turn(Progress& progress, Milliseconds interval, const Checkpoint& checkpoint,
                                     const std::function<Result<void>()>& click_once) {
  for (; progress.done < progress.total; ++progress.done) {
    if (progress.done > 0) RETURN_IF_ERROR(pause(interval, checkpoint));
    RETURN_IF_ERROR(click_once());
  }
  return ok();
}

// Clicks within the usual double-click time are meant as one double click, which they are only within the person's.
Result<void> X11Input::click_as_one(Progress& progress, Milliseconds interval, const Checkpoint& checkpoint,
                                    const std::function<Result<void>()>& click_once) {
  const Milliseconds longest = read_pointer_settings(*connection_).double_click_time;
  if (interval >= std::max(longest, kUsualDoubleClickTime)) {
    return click_in_turn(progress, interval, checkpoint, click_once);
  }
  const Clock& clock = connection_->clock();
  std::optional<MonoTime> last;
  Nanoseconds apart{0};
  const auto timed = [&]() -> Result<void> {
    const MonoTime begun = clock.now();
    if (last) apart = std::max<Nanoseconds>(apart, begun - *last);
    last = begun;
    return click_once();
  };
  RETURN_IF_ERROR(click_in_turn(progress, std::min(interval, longest / 2), checkpoint, timed));
  if (apart < longest) return ok();
  return Error{Code::kDeadlineExceeded, "the clicks came " + std::to_string(apart / Milliseconds(1)) +
                                            " ms apart, which is more than the double-click time of this desktop, " +
                                            std::to_string(longest.count()) + " ms: they count as single clicks"};
}

void X11Input::set_pressed_at(std::optional<Point> at) {
  pressed_at_ = at;
  held_.set_pressed_at(at);
}

std::optional<Point> X11Input::button_held() {
  const std::lock_guard lock(sending_);
  return pressed_at_;
}

Result<void> X11Input::await_own_click(Point at, Button button, const Checkpoint& checkpoint) {
  if (!spacing_.is_near_last(button, at)) return ok();
  const MonoTime from = spacing_.own_click_from(read_pointer_settings(*connection_).double_click_time);
  return pause(std::chrono::ceil<Milliseconds>(from - connection_->clock().now()), checkpoint);
}

Result<void> X11Input::button_down(const PressPlace& at, Button button) {
  return with_plain_keyboard(PlainFor::kPointer, [&]() -> Result<void> {
    RETURN_IF_ERROR(no_foreign_button());
    if (buttons_.any()) {
      return send_chunk([&]() -> Result<void> {
        send(XCB_MOTION_NOTIFY, 0, at.point);
        return press_button(button);
      });
    }
    RETURN_IF_ERROR(arrive(at));
    RETURN_IF_ERROR(send_chunk([&] { return press_first(at, button, std::nullopt); }));
    return confirm_press(at, button);
  });
}

// Does not move a pointer that is at `at` already: when the press has opened a menu under it, GTK3 takes a motion and
// the release after it as a choice, and closes the menu.
Result<void> X11Input::button_up(Point at, Button button) {
  const auto asked = xcb_query_pointer(connection_->get(), connection_->root());
  ASSIGN_OR_RETURN(const auto pointer, connection_->reply(xcb_query_pointer_reply, asked, "find the pointer"));
  const bool is_there = pointer->root_x == at.x && pointer->root_y == at.y;
  return with_plain_keyboard(PlainFor::kPointer, [&]() -> Result<void> {
    RETURN_IF_ERROR(send_chunk([&]() -> Result<void> {
      if (!is_there) send(XCB_MOTION_NOTIFY, 0, at);
      return release_last(at, button);
    }));
    return await_release(button, [] { return ok(); });
  });
}

Progress X11Input::scroll(const PressPlace& at, int dx, int dy, const Checkpoint& checkpoint) {
  const auto down = static_cast<std::uint32_t>(std::abs(dy));
  const auto total = down + static_cast<std::uint32_t>(std::abs(dx));
  Progress progress{0, total, std::nullopt};
  const auto all = with_plain_keyboard(PlainFor::kPointer, [&]() -> Result<void> {
    for (; progress.done < total; ++progress.done) {
      if (progress.done > 0) RETURN_IF_ERROR(pause(kBetweenNotches, checkpoint));
      RETURN_IF_ERROR(checkpoint());
      const bool vertical = progress.done < down;
      const std::uint8_t wheel = vertical ? (dy > 0 ? kWheelDown : kWheelUp) : (dx > 0 ? kWheelRight : kWheelLeft);
      RETURN_IF_ERROR(send_chunk([&]() -> Result<void> {
        if (buttons_.none()) RETURN_IF_ERROR(still_gets_press(at, std::nullopt));
        if (progress.done == 0) RETURN_IF_ERROR(send_pointer(at.point));
        return turn_wheel(wheel);
      }));
    }
    return ok();
  });
  if (!all) progress.stopped = all.error();
  return progress;
}

Result<void> X11Input::drag_along(std::span<const Point> path, const Checkpoint& checkpoint, Progress& progress) {
  RETURN_IF_ERROR(pause(kBeforeDrag, checkpoint));
  for (const DragMove& next : drag_moves(path)) {
    RETURN_IF_ERROR(checkpoint());
    RETURN_IF_ERROR(move(next.to));
    progress.done = next.reached;
    RETURN_IF_ERROR(pause(kBetweenDragMoves, checkpoint));
  }
  return pause(kBeforeDrop, checkpoint);
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

// Borrows keycodes for keys that the map lacks (such as F20), so that all named keys work.
Result<std::vector<KeyPress>> X11Input::find_keys(std::span<const std::string> keys) {
  std::vector<Keysym> keysyms;
  for (const std::string& key : keys) {
    const auto keysym = keysym_of_key(key);
    if (!keysym) return Error{Code::kInvalidArgument, "no such key: \"" + key + "\""};
    keysyms.push_back(*keysym);
  }
  if (map_->must_confirm_first(keysyms)) RETURN_IF_ERROR(confirm_read(patience_for(0, {}), [] { return ok(); }));
  RETURN_IF_ERROR(map_->lend(keysyms));
  std::vector<KeyPress> presses;
  for (std::size_t i = 0; i < keysyms.size(); ++i) {
    const auto press = map_->find(keysyms[i]);
    if (!press) return Error{Code::kInvalidArgument, "this keyboard has no key \"" + keys[i] + "\""};
    map_->mark_pressed(keysyms[i]);
    presses.push_back(*press);
  }
  return presses;
}

Progress X11Input::tap(std::span<const std::string> keys, const Checkpoint& checkpoint) {
  Progress progress{0, static_cast<std::uint32_t>(keys.size()), std::nullopt};
  const auto tap_next = [&]() -> Result<void> {
    ASSIGN_OR_RETURN(const auto presses, find_keys(keys.subspan(progress.done, 1)));
    const KeyPress press = presses.front();
    return send_keys(
        [&] {
          if (press.shifted) send_key(shift_.code, true);
          send_key(press.code, true);
          send_key(press.code, false);
          if (press.shifted) send_key(shift_.code, false);
          return ok();
        },
        checkpoint);
  };
  const auto all = with_plain_keyboard(PlainFor::kKeys, [&]() -> Result<void> {
    for (; progress.done < progress.total; ++progress.done) {
      RETURN_IF_ERROR(with_current_map(tap_next));
    }
    return ok();
  });
  if (!all) progress.stopped = all.error();
  return progress;
}

// Stops when the focus moves to another window, for example because this one was closed.
Reading X11Input::await_reading(MonoTime deadline) {
  const auto owner = receipt_.provable_owner();
  if (!owner || !*owner) return Reading::kUnknown;
  const auto left = std::chrono::duration_cast<Milliseconds>(deadline - connection_->clock().now());
  const auto read = receipt_.await({left, deadline}, [&]() -> Result<void> {
    ASSIGN_OR_RETURN(const auto now, receipt_.provable_owner());
    return now == *owner ? ok() : Result<void>(Error{Code::kAborted, "the focus is elsewhere"});
  });
  if (read) return Reading::kRead;
  return read.error().code == Code::kDeadlineExceeded ? Reading::kBusy : Reading::kUnknown;
}

Result<void> X11Input::chord(std::span<const std::string> keys, const Checkpoint& checkpoint) {
  const auto press_all = [&]() -> Result<void> {
    ASSIGN_OR_RETURN(const auto presses, find_keys(keys));
    std::vector<xcb_keycode_t> codes;
    for (const KeyPress& press : presses) {
      if (press.shifted && std::ranges::find(codes, shift_.code) == codes.end()) codes.push_back(shift_.code);
      codes.push_back(press.code);
    }
    return receipt_.acts_later() ? chord_key_by_key(codes, checkpoint) : chord_at_once(codes, checkpoint);
  };
  return with_plain_keyboard(PlainFor::kKeys, [&] { return with_current_map(press_all); });
}

Result<void> X11Input::hold(std::span<const std::string> keys) {
  ASSIGN_OR_RETURN(const auto presses, find_keys(keys));
  return send_chunk([&] {
    for (const KeyPress& press : presses) send_key(press.code, true);
    return ok();
  });
}

Result<void> X11Input::chord_at_once(std::span<const xcb_keycode_t> codes, const Checkpoint& checkpoint) {
  return send_keys(
      [&] {
        for (const xcb_keycode_t code : codes) send_key(code, true);
        for (auto code = codes.rbegin(); code != codes.rend(); ++code) send_key(*code, false);
        return ok();
      },
      checkpoint);
}

// Waits after each key until the application has acted on it; kChordTime limits the whole chord. The focus is checked
// before the first key only: a window manager may take the keyboard for the rest.
Result<void> X11Input::chord_key_by_key(std::span<const xcb_keycode_t> codes, const Checkpoint& checkpoint) {
  const MonoTime deadline = connection_->clock().now() + kChordTime;
  bool begun = false;
  const auto send_one = [&](xcb_keycode_t code, bool down) -> Result<void> {
    const auto fill = [&]() -> Result<void> {
      send_key(code, down);
      return ok();
    };
    RETURN_IF_ERROR(begun ? send_chunk(fill) : send_keys(fill, checkpoint));
    begun = true;
    await_reading(deadline);
    return ok();
  };
  const auto whole = [&]() -> Result<void> {
    for (const xcb_keycode_t code : codes) RETURN_IF_ERROR(send_one(code, true));
    for (auto code = codes.rbegin(); code != codes.rend(); ++code) RETURN_IF_ERROR(send_one(*code, false));
    return ok();
  };
  auto sent = whole();
  if (!sent && begun) {
    release_all();
    map_changed_ = false;  // Some keys were sent: never repeat them.
  }
  return sent;
}

void X11Input::release_held() {
  for (std::size_t code = 0; code < keys_.size(); ++code) {
    if (keys_[code]) send_key(static_cast<xcb_keycode_t>(code), false);
  }
  // No move when the pointer is there already: see button_up().
  if (buttons_.any() && pressed_at_ && moved_to_ != pressed_at_) send(XCB_MOTION_NOTIFY, 0, *pressed_at_);
  for (std::size_t button = 0; button < buttons_.size(); ++button) {
    if (buttons_[button]) send_button(static_cast<std::uint8_t>(button), false);
  }
  pressed_as_ = {};
  pressed_at_.reset();
  connection_->flush();
}

bool X11Input::release_all() {
  const std::lock_guard lock(sending_);
  if (keys_.none() && buttons_.none()) return false;
  release_held();
  if (connection_->sync()) {
    held_.assign(keys_, buttons_);
    held_.set_pressed_at(std::nullopt);
  }
  return true;
}

// Does not wait for the server; the guardian releases what is still held.
void X11Input::shut() {
  shut_ = true;
  const std::unique_lock lock(sending_, kWaitForChunk);
  if (lock) release_held();
}

}  // namespace da::actuator::x11
