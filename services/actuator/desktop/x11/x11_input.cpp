#include "services/actuator/desktop/x11/x11_input.h"

#include <poll.h>
#include <xcb/xtest.h>

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "services/actuator/desktop/drag_path.h"

namespace da::actuator::x11 {
namespace {

constexpr Milliseconds kBetweenCheckpoints{10};
constexpr Milliseconds kChordTime{1'000};
// Of eight notches at once chromium scrolls by no more than five, though the page is told of all. It takes all that
// come 2 ms apart or more.
constexpr Milliseconds kBetweenNotches{8};
// An application under a drag answers each move before it hears of the next one, and its target is told late: chromium
// looks where the pointer is every 50 ms, and GTK asks the target across processes.
constexpr Milliseconds kBetweenDragMoves{10};
constexpr Milliseconds kBeforeDrag{60};
constexpr Milliseconds kBeforeDrop{200};
// A chunk takes some ms; a sender that is stuck for longer has a server that takes nothing anyway.
constexpr Milliseconds kWaitForChunk{50};

enum WheelButton : std::uint8_t { kWheelUp = 4, kWheelDown = 5, kWheelLeft = 6, kWheelRight = 7 };

std::uint8_t number_of(Button button) {
  switch (button) {
    case Button::kLeft: return 1;
    case Button::kMiddle: return 2;
    case Button::kRight: return 3;
  }
  return 1;
}

}  // namespace

Result<std::unique_ptr<X11Input>> X11Input::open(std::unique_ptr<Connection> connection, DamageWatch& damage,
                                                 X11PersonWatch& person, AtspiKeyRelay& relay, HeldInput held) {
  const auto* extension = xcb_get_extension_data(connection->get(), &xcb_test_id);
  if (extension == nullptr || extension->present == 0)
    return Error{Code::kUnimplemented, "the X server has no XTEST extension: it takes no input from programs"};
  ASSIGN_OR_RETURN(const KeyReceipt receipt, KeyReceipt::open(*connection, damage, relay));
  ASSIGN_OR_RETURN(const LockProbe probe, LockProbe::open(*connection));
  std::unique_ptr<X11Input> input(new X11Input(std::move(connection), person, receipt, probe, std::move(held)));
  ASSIGN_OR_RETURN(input->map_, KeyboardMap::open(*input->connection_));
  const auto shift = input->map_->find(kShiftLeft);
  if (!shift) return Error{Code::kUnimplemented, "the X server's keyboard map has no Shift key"};
  input->shift_ = *shift;
  return input;
}

X11Input::~X11Input() { release_all(); }

Result<void> X11Input::send_chunk(const std::function<Result<void>()>& fill) {
  const std::lock_guard lock(sending_);
  if (shut_) return Error{Code::kFailedPrecondition, "the input is shut"};
  xcb_grab_server(connection_->get());
  const auto locker = probe_.locker();
  // As late as can be: what a busy machine delays is the way here.
  const bool person = person_.has_news();
  Result<void> filled = ok();
  if (person) filled = Error{Code::kFailedPrecondition, "a person uses the desktop"};
  if (locker && !*locker && !person) filled = fill();
  xcb_ungrab_server(connection_->get());
  RETURN_IF_ERROR(connection_->sync());
  held_.assign(keys_, buttons_);
  RETURN_IF_ERROR(locker);
  if (*locker) return Error{Code::kPermissionDenied, "the session is locked by " + **locker};
  return filled;
}

void X11Input::send(std::uint8_t event, std::uint8_t detail, Point at) {
  // A place beyond 16 bits would come out somewhere else.
  const auto within = [](int place) {
    using Limits = std::numeric_limits<std::int16_t>;
    return static_cast<std::int16_t>(std::clamp<int>(place, Limits::min(), Limits::max()));
  };
  if (event == XCB_MOTION_NOTIFY) moved_to_ = at;
  xcb_test_fake_input(connection_->get(), event, detail, XCB_CURRENT_TIME, connection_->root(), within(at.x),
                      within(at.y), 0);
}

void X11Input::send_key(xcb_keycode_t code, bool down) {
  if (down) held_.add_key(code);
  keys_.set(code, down);
  send(down ? XCB_KEY_PRESS : XCB_KEY_RELEASE, code);
}

void X11Input::send_button(std::uint8_t button, bool down) {
  if (down) held_.add_button(button);
  buttons_.set(button, down);
  send(down ? XCB_BUTTON_PRESS : XCB_BUTTON_RELEASE, button);
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

Result<void> X11Input::move(Point to) {
  return send_chunk([&] {
    send(XCB_MOTION_NOTIFY, 0, to);
    return ok();
  });
}

Progress X11Input::click(Point at, Button button, int clicks, Milliseconds interval, const Checkpoint& checkpoint) {
  Progress progress{0, static_cast<std::uint32_t>(std::max(clicks, 0)), std::nullopt};
  const auto one = [&]() -> Result<void> {
    if (progress.done > 0) RETURN_IF_ERROR(pause(interval, checkpoint));
    RETURN_IF_ERROR(checkpoint());
    return send_chunk([&] {
      // Each time: a program may have put the pointer elsewhere since the last one.
      send(XCB_MOTION_NOTIFY, 0, at);
      send_button(number_of(button), true);
      send_button(number_of(button), false);
      return ok();
    });
  };
  for (; progress.done < progress.total; ++progress.done) {
    if (auto done = one(); !done) {
      progress.stopped = done.error();
      break;
    }
  }
  return progress;
}

void X11Input::set_pressed_at(std::optional<Point> at) {
  pressed_at_ = at;
  held_.set_pressed_at(at);
}

std::optional<Point> X11Input::button_held() {
  const std::lock_guard lock(sending_);
  return pressed_at_;
}

Result<void> X11Input::button_down(Point at, Button button) {
  return send_chunk([&] {
    if (buttons_.none()) set_pressed_at(at);
    send(XCB_MOTION_NOTIFY, 0, at);
    send_button(number_of(button), true);
    return ok();
  });
}

// A pointer that is there already is not moved: where a press opened a menu under it, GTK3 takes a motion and the
// release after it for a choice, and closes the menu.
Result<void> X11Input::button_up(Point at, Button button) {
  const auto asked = xcb_query_pointer(connection_->get(), connection_->root());
  ASSIGN_OR_RETURN(const auto pointer, connection_->reply(xcb_query_pointer_reply, asked, "find the pointer"));
  const bool is_there = pointer->root_x == at.x && pointer->root_y == at.y;
  return send_chunk([&] {
    if (!is_there) send(XCB_MOTION_NOTIFY, 0, at);
    send_button(number_of(button), false);
    if (buttons_.none()) set_pressed_at(std::nullopt);
    return ok();
  });
}

Progress X11Input::scroll(Point at, int dx, int dy, const Checkpoint& checkpoint) {
  const int total = std::abs(dx) + std::abs(dy);
  Progress progress{0, static_cast<std::uint32_t>(total), std::nullopt};
  const auto notch = [&](int number) {
    const bool vertical = number < std::abs(dy);
    const std::uint8_t wheel = vertical ? (dy > 0 ? kWheelDown : kWheelUp) : (dx > 0 ? kWheelRight : kWheelLeft);
    send_button(wheel, true);
    send_button(wheel, false);
  };
  const auto one = [&](int number) -> Result<void> {
    if (number > 0) RETURN_IF_ERROR(pause(kBetweenNotches, checkpoint));
    RETURN_IF_ERROR(checkpoint());
    return send_chunk([&] {
      if (number == 0) send(XCB_MOTION_NOTIFY, 0, at);
      notch(number);
      return ok();
    });
  };
  for (int number = 0; number < total; ++number) {
    if (auto done = one(number); !done) {
      progress.stopped = done.error();
      break;
    }
    ++progress.done;
  }
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

Progress X11Input::drag(std::span<const Point> path, Button button, const Checkpoint& checkpoint) {
  Progress progress{0, static_cast<std::uint32_t>(path.size()), std::nullopt};
  if (path.empty()) return progress;
  const auto whole = [&]() -> Result<void> {
    RETURN_IF_ERROR(checkpoint());
    RETURN_IF_ERROR(button_down(path.front(), button));
    progress.done = 1;
    RETURN_IF_ERROR(drag_along(path, checkpoint, progress));
    return button_up(path.back(), button);
  };
  if (auto done = whole(); !done) progress.stopped = done.error();
  // Whatever has happened on the way, even if a locker has come: a release types and clicks nothing.
  release_all();
  if (auto released = connection_->alive(); !released && !progress.stopped) progress.stopped = released.error();
  return progress;
}

// What the map lacks (such as F20) is lent, so that every named key can be had.
Result<std::vector<KeyPress>> X11Input::find_keys(std::span<const std::string> keys) {
  std::vector<Keysym> keysyms;
  for (const std::string& key : keys) {
    const auto keysym = keysym_of_key(key);
    if (!keysym) return Error{Code::kInvalidArgument, "no such key: \"" + key + "\""};
    keysyms.push_back(*keysym);
  }
  RETURN_IF_ERROR(map_->refresh());
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
  const auto one = [&](const std::string& key) -> Result<void> {
    RETURN_IF_ERROR(checkpoint());
    ASSIGN_OR_RETURN(const auto presses, find_keys(std::span(&key, 1)));
    const KeyPress press = presses.front();
    return send_chunk([&] {
      if (press.shifted) send_key(shift_.code, true);
      send_key(press.code, true);
      send_key(press.code, false);
      if (press.shifted) send_key(shift_.code, false);
      return ok();
    });
  };
  for (const std::string& key : keys) {
    if (auto done = one(key); !done) {
      progress.stopped = done.error();
      break;
    }
    ++progress.done;
  }
  return progress;
}

// Another window may get the focus meanwhile, because this one was closed.
void X11Input::await_reading(MonoTime deadline) {
  const auto asked = receipt_.asked();
  if (!asked || !*asked) return;
  const auto left = std::chrono::duration_cast<Milliseconds>(deadline - connection_->clock().now());
  (void)receipt_.await({left, deadline}, [&]() -> Result<void> {
    ASSIGN_OR_RETURN(const auto now, receipt_.asked());
    return now == *asked ? ok() : Result<void>(Error{Code::kAborted, "the focus is elsewhere"});
  });
}

Result<void> X11Input::chord(std::span<const std::string> keys) {
  ASSIGN_OR_RETURN(const auto presses, find_keys(keys));
  std::vector<xcb_keycode_t> codes;
  for (const KeyPress& press : presses) {
    if (press.shifted && std::ranges::find(codes, shift_.code) == codes.end()) codes.push_back(shift_.code);
    codes.push_back(press.code);
  }
  return receipt_.acts_later() ? chord_key_by_key(codes) : chord_at_once(codes);
}

Result<void> X11Input::chord_at_once(std::span<const xcb_keycode_t> codes) {
  return send_chunk([&] {
    for (const xcb_keycode_t code : codes) send_key(code, true);
    for (auto code = codes.rbegin(); code != codes.rend(); ++code) send_key(*code, false);
    return ok();
  });
}

// Waits after each until the application has acted on it, as long as a chord may take.
Result<void> X11Input::chord_key_by_key(std::span<const xcb_keycode_t> codes) {
  const MonoTime deadline = connection_->clock().now() + kChordTime;
  const auto send_one = [&](xcb_keycode_t code, bool down) -> Result<void> {
    RETURN_IF_ERROR(send_chunk([&] {
      send_key(code, down);
      return ok();
    }));
    await_reading(deadline);
    return ok();
  };
  const auto whole = [&]() -> Result<void> {
    for (const xcb_keycode_t code : codes) RETURN_IF_ERROR(send_one(code, true));
    for (auto code = codes.rbegin(); code != codes.rend(); ++code) RETURN_IF_ERROR(send_one(*code, false));
    return ok();
  };
  auto sent = whole();
  if (!sent) release_all();
  return sent;
}

void X11Input::release_held() {
  for (std::size_t code = 0; code < keys_.size(); ++code) {
    if (keys_[code]) send_key(static_cast<xcb_keycode_t>(code), false);
  }
  // Not moved where it is there: see button_up().
  if (buttons_.any() && pressed_at_ && moved_to_ != pressed_at_) send(XCB_MOTION_NOTIFY, 0, *pressed_at_);
  for (std::size_t button = 0; button < buttons_.size(); ++button) {
    if (buttons_[button]) send_button(static_cast<std::uint8_t>(button), false);
  }
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

// Does not wait for the server: who is in a hurry to end leaves the rest to the guardian.
void X11Input::shut() {
  shut_ = true;
  const std::unique_lock lock(sending_, kWaitForChunk);
  if (lock) release_held();
}

}  // namespace da::actuator::x11
