// One connection to an X server, with what every role needs of it: its root, atoms, properties, events with a deadline.
//
// Each role has a connection of its own, so that no role takes another one's events. XCB is used alone: errors of
// requests are values, and a server that goes away is kUnavailable, never the end of the process. Requests may be sent
// from any thread; events are taken by one. Errors: kUnavailable (server gone), kNotFound (the window does not exist
// any more), kDeadlineExceeded.
#pragma once

#include <xcb/xcb.h>

#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/base/clock.h"
#include "lib/base/result.h"

namespace da::actuator::x11 {

struct FreeDeleter {
  void operator()(void* memory) const { std::free(memory); }
};
// What XCB hands out and the caller frees: replies, events, errors.
template <class T>
using XcbPtr = std::unique_ptr<T, FreeDeleter>;
using EventPtr = XcbPtr<xcb_generic_event_t>;

// The value of a window's property. Empty (type None) where the window has none.
struct Property {
  xcb_atom_t type = XCB_ATOM_NONE;
  std::uint8_t format = 0;  // Bits of one item.
  std::string bytes;

  std::vector<std::uint32_t> words() const;  // Items of a 32-bit property; else empty.
  std::optional<std::uint32_t> word() const;
};

class Connection {
 public:
  // An empty name means $DISPLAY.
  static Result<std::unique_ptr<Connection>> open(const std::string& display, const Clock& clock);

  xcb_connection_t* get() const { return connection_.get(); }
  const xcb_screen_t& screen() const { return *screen_; }
  xcb_window_t root() const { return screen_->root; }
  const Clock& clock() const { return clock_; }

  Result<xcb_atom_t> atom(std::string_view name);
  std::string atom_name(xcb_atom_t atom);

  // kUnavailable once the server is gone.
  Result<void> alive() const;
  // Returns once the server has carried out everything sent so far.
  Result<void> sync();
  void flush() { xcb_flush(get()); }

  // The reply of a request, or what its error means.
  template <class Cookie, class Reply>
  Result<XcbPtr<Reply>> reply(Reply* (*take)(xcb_connection_t*, Cookie, xcb_generic_error_t**), Cookie cookie,
                              std::string_view attempted) const {
    xcb_generic_error_t* failed = nullptr;
    XcbPtr<Reply> answer(take(get(), cookie, &failed));
    if (answer) return answer;
    return error_of(XcbPtr<xcb_generic_error_t>(failed), attempted);
  }
  // The outcome of a *_checked request.
  Result<void> check(xcb_void_cookie_t cookie, std::string_view attempted) const;

  // Two steps, so that many properties travel in one round trip. A missing window gives an empty property.
  xcb_get_property_cookie_t ask_property(xcb_window_t window, xcb_atom_t name) const;
  Property take_property(xcb_get_property_cookie_t cookie) const;
  Result<Property> property(xcb_window_t window, std::string_view name);

  // The next event, or null at the deadline.
  Result<EventPtr> next_event(MonoTime deadline);
  // An event that has come already, or null.
  EventPtr pending_event() { return EventPtr(xcb_poll_for_event(get())); }

  Result<void> select_events(xcb_window_t window, std::uint32_t mask);
  // A ClientMessage of 32-bit data about `window`, sent to `target`.
  void send_message(xcb_window_t target, xcb_window_t window, xcb_atom_t type, const std::uint32_t (&data)[5],
                    std::uint32_t mask);

 private:
  struct Disconnect {
    void operator()(xcb_connection_t* connection) const { xcb_disconnect(connection); }
  };
  Connection(xcb_connection_t* connection, const xcb_screen_t* screen, std::string display, const Clock& clock)
      : connection_(connection), screen_(screen), display_(std::move(display)), clock_(clock) {}
  Error error_of(XcbPtr<xcb_generic_error_t> failed, std::string_view attempted) const;

  std::unique_ptr<xcb_connection_t, Disconnect> connection_;
  const xcb_screen_t* screen_;  // In memory of connection_.
  std::string display_;
  const Clock& clock_;
  std::mutex atoms_mutex_;
  std::map<std::string, xcb_atom_t, std::less<>> atoms_;
};

// The type of an event without the flag that tells a sent one.
inline std::uint8_t event_type(const xcb_generic_event_t& event) { return event.response_type & 0x7fU; }

// Poll timeout until a deadline: rounded up, at least 0, at most a day.
int poll_timeout(const Clock& clock, MonoTime deadline);

}  // namespace da::actuator::x11
