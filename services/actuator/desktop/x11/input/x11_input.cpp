#include "services/actuator/desktop/x11/input/x11_input.h"

#include <poll.h>
#include <xcb/xtest.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace da::actuator::x11 {
namespace {

constexpr Milliseconds kChordTime{1'000};
// A chunk takes some ms; when it takes longer, the server is stuck and would process no release anyway.
constexpr Milliseconds kWaitForChunk{50};
// An application that is busy for longer may see the keyboard's own state before it reads its keys.
constexpr Milliseconds kReadBeforeRestore{1'000};
// A program that changes the keyboard more often than this makes it unusable.
constexpr int kMostDisturbances = 3;

// Changes in a row, without a key in between.
constexpr int kMostFocusChanges = 3;
constexpr const char* kFocusChanged = "the keyboard focus changed in the last moment";

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
