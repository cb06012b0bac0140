// One connection to an X server: root window, atoms, properties, and events with a deadline.
//
// Each role has its own connection, so that no role takes another role's events. Uses XCB without Xlib: failed requests
// are values, and a lost server is kUnavailable instead of the end of the process. Any thread may send requests; one
// thread takes events. Errors: kUnavailable (server gone), kNotFound (window gone), kDeadlineExceeded.
#pragma once

#include <xcb/xcb.h>

#include <atomic>
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
// Replies, events and errors, which XCB allocates and the caller frees.
template <class T>
using XcbPtr = std::unique_ptr<T, FreeDeleter>;
using EventPtr = XcbPtr<xcb_generic_event_t>;

// The value of a window's property; type None when the window does not have it.
struct Property {
  xcb_atom_t type = XCB_ATOM_NONE;
  std::uint8_t format = 0;  // Bits per item.
  std::string bytes;

  std::vector<std::uint32_t> words() const;  // Items of a 32-bit property; empty for other formats.
  std::optional<std::uint32_t> word() const;
};

class Connection {
 public:
  // An empty name means $DISPLAY.
  static Result<std::unique_ptr<Connection>> open(const std::string& display, const Clock& clock);

  // The name given to open(), or the value of $DISPLAY.
  const std::string& display() const { return display_; }
  xcb_connection_t* get() const { return connection_.get(); }
  const xcb_screen_t& screen() const { return *screen_; }
  xcb_window_t root() const { return screen_->root; }
  // The bits in which the ids of one client's windows differ.
  std::uint32_t resource_mask() const { return xcb_get_setup(get())->resource_id_mask; }
  const Clock& clock() const { return clock_; }

  Result<xcb_atom_t> atom(std::string_view name);
  std::string atom_name(xcb_atom_t atom);
  // Null when the server lacks the extension.
  const xcb_query_extension_reply_t* extension(xcb_extension_t& id) const;
  // XCB_NONE when nobody owns it.
  Result<xcb_window_t> selection_owner(xcb_atom_t selection) const;
  // A 1x1 window outside of the screen. `attribute` is an XCB_CW_* flag, or 0; `purpose` completes errors.
  Result<xcb_window_t> create_hidden_window(std::uint16_t window_class, std::uint32_t attribute, std::uint32_t value,
                                            std::string_view purpose) const;

  // kUnavailable once the server is gone.
  Result<void> alive() const;
  // Returns once the server has carried out all requests sent so far.
  Result<void> sync();
  void flush() { xcb_flush(get()); }

  // Waits for the reply of a request. `attempted` starts the error message.
  template <class Cookie, class Reply>
  Result<XcbPtr<Reply>> reply(Reply* (*take)(xcb_connection_t*, Cookie, xcb_generic_error_t**), Cookie cookie,
                              std::string_view attempted) const {
    xcb_generic_error_t* failed = nullptr;
    XcbPtr<Reply> answer(take(get(), cookie, &failed));
    if (answer) return answer;
    return error_of(XcbPtr<xcb_generic_error_t>(failed), attempted);
  }
  // Waits for the outcome of a *_checked request.
  Result<void> check(xcb_void_cookie_t cookie, std::string_view attempted) const;

  // Two steps, so that many properties take one round trip. A missing window gives an empty property.
  xcb_get_property_cookie_t ask_property(xcb_window_t window, xcb_atom_t name) const;
  Property take_property(xcb_get_property_cookie_t cookie) const;
  Result<Property> property(xcb_window_t window, std::string_view name);

  // While one lives, the server serves no other client. Grabs may be nested.
  class ServerGrab {
   public:
    explicit ServerGrab(Connection& connection) : connection_(connection) {
      if (connection_.grabs_++ == 0) xcb_grab_server(connection_.get());
    }
    ~ServerGrab() {
      if (--connection_.grabs_ == 0) xcb_ungrab_server(connection_.get());
    }
    ServerGrab(const ServerGrab&) = delete;
    ServerGrab& operator=(const ServerGrab&) = delete;

   private:
    Connection& connection_;
  };

  // Waits for the next event; null at the deadline.
  Result<EventPtr> next_event(MonoTime deadline);
  // An event that has arrived already, or null.
  EventPtr pending_event() { return EventPtr(xcb_poll_for_event(get())); }

  Result<void> select_events(xcb_window_t window, std::uint32_t mask);
  // Sends a ClientMessage of 32-bit data about `window` to `target`.
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
  const xcb_screen_t* screen_;  // Points into connection_.
  std::string display_;
  const Clock& clock_;
  std::atomic<int> grabs_ = 0;
  std::mutex atoms_mutex_;
  std::map<std::string, xcb_atom_t, std::less<>> atoms_;
};

// The type of an event, without the flag of events sent by clients.
inline std::uint8_t event_type(const xcb_generic_event_t& event) { return event.response_type & 0x7fU; }

// Milliseconds until the deadline for poll(2): rounded up, at least 0, at most a day.
int poll_timeout(const Clock& clock, MonoTime deadline);

}  // namespace da::actuator::x11
