#include "services/actuator/desktop/x11/pick/area_picker.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <set>

#include "services/actuator/desktop/x11/pick/pick_outline.h"

namespace da::actuator::x11 {
namespace {

// The server tells nobody when a grab ends, so the grab is tried again so often, for so long.
constexpr Milliseconds kGrabAgain{50};
constexpr Milliseconds kGrabFor{3000};
// Pixels that the pointer may move while a button is clicked. A second click so near to the first one is a double click
// by mistake.
constexpr int kSamePlace = 4;
constexpr std::uint16_t kCrossHair = 34;  // XC_crosshair of the font "cursor".
constexpr std::uint32_t kEscapeKeysym = 0xff1b;
constexpr xcb_button_t kLeft = 1;
constexpr xcb_button_t kRight = 3;

Rect between(Point a, Point b) {
  return {std::min(a.x, b.x), std::min(a.y, b.y), std::abs(a.x - b.x) + 1, std::abs(a.y - b.y) + 1};
}

bool is_near(Point a, Point b) { return std::abs(a.x - b.x) < kSamePlace && std::abs(a.y - b.y) < kSamePlace; }

// Owns the grabs.
class Grabs {
 public:
  explicit Grabs(Connection& connection) : connection_(connection) {
    xcb_connection_t* const x = connection_.get();
    constexpr std::string_view kFont = "cursor";
    const xcb_font_t font = xcb_generate_id(x);
    xcb_open_font(x, font, kFont.size(), kFont.data());
    cursor_ = xcb_generate_id(x);
    constexpr std::uint16_t kWhite = 0xffff;
    xcb_create_glyph_cursor(x, cursor_, font, font, kCrossHair, kCrossHair + 1, 0, 0, 0, kWhite, kWhite, kWhite);
    xcb_close_font(x, font);
  }
  ~Grabs() {
    xcb_ungrab_keyboard(connection_.get(), XCB_CURRENT_TIME);
    xcb_ungrab_pointer(connection_.get(), XCB_CURRENT_TIME);
    connection_.flush();
  }
  Grabs(const Grabs&) = delete;
  Grabs& operator=(const Grabs&) = delete;

  Result<void> take(MonoTime deadline) {
    for (;;) {
      ASSIGN_OR_RETURN(const bool taken, try_once());
      if (taken) return ok();
      if (connection_.clock().now() >= deadline) {
        return Error{Code::kFailedPrecondition,
                     "another program has grabbed the pointer or the keyboard: close its menu, or unlock the screen"};
      }
      RETURN_IF_ERROR(connection_.next_event(std::min(deadline, connection_.clock().now() + kGrabAgain)));
    }
  }

 private:
  Result<bool> try_once() {
    xcb_connection_t* const x = connection_.get();
    constexpr std::uint16_t kEvents =
        XCB_EVENT_MASK_BUTTON_PRESS | XCB_EVENT_MASK_BUTTON_RELEASE | XCB_EVENT_MASK_POINTER_MOTION;
    const auto pointer = xcb_grab_pointer(x, 0, connection_.root(), kEvents, XCB_GRAB_MODE_ASYNC, XCB_GRAB_MODE_ASYNC,
                                          XCB_NONE, cursor_, XCB_CURRENT_TIME);
    const auto keyboard =
        xcb_grab_keyboard(x, 0, connection_.root(), XCB_CURRENT_TIME, XCB_GRAB_MODE_ASYNC, XCB_GRAB_MODE_ASYNC);
    ASSIGN_OR_RETURN(const auto pointer_is, connection_.reply(xcb_grab_pointer_reply, pointer, "grab the pointer"));
    ASSIGN_OR_RETURN(const auto keyboard_is, connection_.reply(xcb_grab_keyboard_reply, keyboard, "grab the keyboard"));
    return pointer_is->status == XCB_GRAB_STATUS_SUCCESS && keyboard_is->status == XCB_GRAB_STATUS_SUCCESS;
  }

  Connection& connection_;
  xcb_cursor_t cursor_ = XCB_NONE;
};

Result<std::set<xcb_keycode_t>> escape_keys(Connection& connection) {
  const xcb_setup_t* const setup = xcb_get_setup(connection.get());
  const auto count = static_cast<std::uint8_t>(setup->max_keycode - setup->min_keycode + 1);
  const auto asked = xcb_get_keyboard_mapping(connection.get(), setup->min_keycode, count);
  ASSIGN_OR_RETURN(const auto map, connection.reply(xcb_get_keyboard_mapping_reply, asked, "read the keyboard map"));
  const xcb_keysym_t* const keysyms = xcb_get_keyboard_mapping_keysyms(map.get());
  std::set<xcb_keycode_t> codes;
  for (int i = 0; i < xcb_get_keyboard_mapping_keysyms_length(map.get()); ++i) {
    if (keysyms[i] != kEscapeKeysym) continue;
    codes.insert(static_cast<xcb_keycode_t>(setup->min_keycode + i / map->keysyms_per_keycode));
  }
  return codes;
}

// The state of the person's marking. It ends with the release of a button or key, so that no application gets half of a
// click.
class Marking {
 public:
  explicit Marking(std::set<xcb_keycode_t> escape) : escape_(std::move(escape)) {}

  void take(const xcb_generic_event_t& event) {
    switch (event_type(event)) {
      case XCB_MOTION_NOTIFY: return move(reinterpret_cast<const xcb_motion_notify_event_t&>(event));
      case XCB_BUTTON_PRESS: return press(reinterpret_cast<const xcb_button_press_event_t&>(event));
      case XCB_BUTTON_RELEASE: return release(reinterpret_cast<const xcb_button_release_event_t&>(event));
      case XCB_KEY_PRESS:
        if (escape_.contains(reinterpret_cast<const xcb_key_press_event_t&>(event).detail)) cancels_ = true;
        return;
      case XCB_KEY_RELEASE:
        if (escape_.contains(reinterpret_cast<const xcb_key_release_event_t&>(event).detail)) cancelled_ = cancels_;
        return;
      default: return;
    }
  }

  bool cancelled() const { return cancelled_; }
  // The part that is marked so far; empty before the first click.
  Rect marked() const { return first_ ? between(*first_, at_) : Rect(); }
  bool done() const { return done_; }

 private:
  void move(const xcb_motion_notify_event_t& event) { at_ = {event.root_x, event.root_y}; }

  void press(const xcb_button_press_event_t& event) {
    at_ = {event.root_x, event.root_y};
    if (event.detail == kRight) cancels_ = true;
    if (event.detail != kLeft) return;
    pressed_ = true;
    if (!first_) first_ = at_;
  }

  void release(const xcb_button_release_event_t& event) {
    if (event.detail == kRight) cancelled_ = cancels_;
    if (event.detail != kLeft || !pressed_) return;
    pressed_ = false;
    at_ = {event.root_x, event.root_y};
    done_ = !is_near(*first_, at_);
  }

  const std::set<xcb_keycode_t> escape_;
  std::optional<Point> first_;
  Point at_;  // The pointer.
  bool pressed_ = false;
  bool done_ = false;
  bool cancels_ = false;
  bool cancelled_ = false;
};

}  // namespace

Result<Rect> pick_area(Connection& connection, MonoTime deadline, const std::function<void()>& ready) {
  ASSIGN_OR_RETURN(auto escape, escape_keys(connection));
  Marking marking(std::move(escape));
  PickOutline outline(connection);
  Grabs grabs(connection);
  RETURN_IF_ERROR(grabs.take(std::min(deadline, connection.clock().now() + kGrabFor)));
  ready();
  while (!marking.done()) {
    ASSIGN_OR_RETURN(const EventPtr event, connection.next_event(deadline));
    if (!event) return Error{Code::kDeadlineExceeded, "nobody marked a rectangle in time"};
    marking.take(*event);
    if (marking.cancelled()) return Error{Code::kCancelled, "cancelled at the desktop"};
    if (const Rect marked = marking.marked(); !marked.empty()) outline.show(marked);
  }
  return marking.marked();
}

}  // namespace da::actuator::x11
