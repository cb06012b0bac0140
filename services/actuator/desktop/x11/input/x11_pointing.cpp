// The mouse: presses go only where they were judged (press_watch.h).
#include <algorithm>
#include <cstdlib>
#include <utility>

#include "lib/contract/place_text.h"
#include "services/actuator/desktop/x11/input/pointer_settings.h"
#include "services/actuator/desktop/x11/input/x11_input.h"
#include "services/actuator/desktop/x11/windows/window_hits.h"

namespace da::actuator::x11 {
namespace {

// Chromium scrolls by only five of eight notches sent at once, but by all that come at least 2 ms apart.
constexpr Milliseconds kBetweenNotches{8};
constexpr Milliseconds kClickIsPassedOn{2'000};
constexpr Milliseconds kBetweenLooks{1};

enum WheelButton : std::uint8_t { kWheelUp = 4, kWheelDown = 5, kWheelLeft = 6, kWheelRight = 7 };

std::uint8_t number_of(Button button) {
  switch (button) {
    case Button::kLeft: return 1;
    case Button::kMiddle: return 2;
    case Button::kRight: return 3;
  }
  return 1;
}

// The target may change after a click: a dialog closes. A changed target is no reason to call the click undone, which
// would repeat it on what lies behind.
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
  ASSIGN_OR_RETURN(const xcb_window_t window, root_child_at(*connection_, at.point));
  const auto expected = PressSurface::parse(at.surface);
  if (!expected && !at.surface.empty()) return Error{Code::kInvalidArgument, "not a surface: " + at.surface};
  if ((expected && expected->window != window) || (examined && *examined != window)) {
    return Error{Code::kAborted, "another window came under the pointer"};
  }
  if (!at.part.empty()) {
    ASSIGN_OR_RETURN(const xcb_window_t part, innermost_window_at(*connection_, at.point));
    if (at.part != std::to_string(part)) {
      return Error{Code::kAborted, "another part of the window came under the pointer"};
    }
  }
  if (!expected || expected->grabbed) return ok();
  ASSIGN_OR_RETURN(const bool grabbed, probe_.pointer_is_taken());
  if (!grabbed) return ok();
  return Error{Code::kAborted, "a program has just grabbed the pointer: it would get the click"};
}

// Pages and programs may put something under the pointer when it arrives. The last look must come after that.
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
    ASSIGN_OR_RETURN(const xcb_window_t examined, root_child_at(*connection_, at.point));
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

}  // namespace da::actuator::x11
