#include "services/actuator/desktop/x11/connection.h"

#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace da::actuator::x11 {
namespace {

constexpr std::uint32_t kMaxPropertyWords = 1U << 22;  // 16 MiB: larger values arrive in pieces (INCR).

const xcb_screen_t* screen_of(xcb_connection_t* connection, int number) {
  auto screens = xcb_setup_roots_iterator(xcb_get_setup(connection));
  for (; screens.rem > 0 && number > 0; --number) xcb_screen_next(&screens);
  return screens.rem > 0 ? screens.data : nullptr;
}

}  // namespace

int poll_timeout(const Clock& clock, MonoTime deadline) {
  const auto left = std::chrono::ceil<Milliseconds>(deadline - clock.now());
  return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 86'400'000));
}

std::vector<std::uint32_t> Property::words() const {
  if (format != 32 || bytes.size() < sizeof(std::uint32_t)) return {};
  std::vector<std::uint32_t> items(bytes.size() / sizeof(std::uint32_t));
  std::memcpy(items.data(), bytes.data(), items.size() * sizeof(std::uint32_t));
  return items;
}

std::optional<std::uint32_t> Property::word() const {
  const auto items = words();
  return items.empty() ? std::nullopt : std::optional(items.front());
}

Result<std::unique_ptr<Connection>> Connection::open(const std::string& display, const Clock& clock) {
  int number = 0;
  xcb_connection_t* raw = xcb_connect(display.empty() ? nullptr : display.c_str(), &number);
  std::unique_ptr<xcb_connection_t, Disconnect> connection(raw);
  const char* variable = std::getenv("DISPLAY");
  const std::string name = !display.empty() ? display : variable != nullptr ? variable : "(no DISPLAY set)";
  if (const int failed = xcb_connection_has_error(raw); failed != 0)
    return Error{Code::kUnavailable, "connect to the X display " + name + ": no answer (XCB error " +
                                         std::to_string(failed) + "); start it, or set DISPLAY"};
  const xcb_screen_t* screen = screen_of(raw, number);
  if (screen == nullptr) return Error{Code::kUnavailable, "X display " + name + ": the server has no such screen"};
  return std::unique_ptr<Connection>(new Connection(connection.release(), screen, name, clock));
}

Result<void> Connection::alive() const {
  if (xcb_connection_has_error(get()) == 0) return ok();
  return Error{Code::kUnavailable, "the X display " + display_ + " is gone"};
}

Error Connection::error_of(XcbPtr<xcb_generic_error_t> failed, std::string_view attempted) const {
  if (!failed) {
    if (auto state = alive(); !state) return state.error();
    return {Code::kInternal, std::string(attempted) + ": no reply"};
  }
  const bool gone = failed->error_code == XCB_WINDOW || failed->error_code == XCB_DRAWABLE;
  return {gone ? Code::kNotFound : Code::kInternal,
          std::string(attempted) + ": X error " + std::to_string(failed->error_code) + " (request " +
              std::to_string(failed->major_code) + "." + std::to_string(failed->minor_code) + ")"};
}

Result<void> Connection::check(xcb_void_cookie_t cookie, std::string_view attempted) const {
  XcbPtr<xcb_generic_error_t> failed(xcb_request_check(get(), cookie));
  if (failed) return error_of(std::move(failed), attempted);
  return alive();
}

Result<xcb_atom_t> Connection::atom(std::string_view name) {
  {
    const std::lock_guard lock(atoms_mutex_);
    if (const auto known = atoms_.find(name); known != atoms_.end()) return known->second;
  }
  const auto cookie = xcb_intern_atom(get(), 0, static_cast<std::uint16_t>(name.size()), name.data());
  ASSIGN_OR_RETURN(auto answer, reply(xcb_intern_atom_reply, cookie, "look up an atom"));
  const std::lock_guard lock(atoms_mutex_);
  return atoms_.emplace(std::string(name), answer->atom).first->second;
}

std::string Connection::atom_name(xcb_atom_t atom) {
  auto answer = reply(xcb_get_atom_name_reply, xcb_get_atom_name(get(), atom), "look up the name of an atom");
  if (!answer) return {};
  const auto& name = *answer;
  return {xcb_get_atom_name_name(name.get()), static_cast<std::size_t>(xcb_get_atom_name_name_length(name.get()))};
}

const xcb_query_extension_reply_t* Connection::extension(xcb_extension_t& id) const {
  const auto* answer = xcb_get_extension_data(get(), &id);
  return answer != nullptr && answer->present != 0 ? answer : nullptr;
}

Result<xcb_window_t> Connection::selection_owner(xcb_atom_t selection) const {
  const auto cookie = xcb_get_selection_owner(get(), selection);
  ASSIGN_OR_RETURN(const auto answer, reply(xcb_get_selection_owner_reply, cookie, "ask who owns a selection"));
  return answer->owner;
}

Result<xcb_window_t> Connection::create_hidden_window(std::uint16_t window_class, std::uint32_t attribute,
                                                      std::uint32_t value, std::string_view purpose) const {
  const xcb_window_t window = xcb_generate_id(get());
  const auto created = xcb_create_window_checked(get(), XCB_COPY_FROM_PARENT, window, root(), -1, -1, 1, 1, 0,
                                                 window_class, XCB_COPY_FROM_PARENT, attribute, &value);
  RETURN_IF_ERROR(check(created, "create the window that " + std::string(purpose)));
  return window;
}

Result<void> Connection::sync() {
  RETURN_IF_ERROR(reply(xcb_get_input_focus_reply, xcb_get_input_focus(get()), "synchronize with the X server"));
  return ok();
}

xcb_get_property_cookie_t Connection::ask_property(xcb_window_t window, xcb_atom_t name) const {
  return xcb_get_property(get(), 0, window, name, XCB_ATOM_ANY, 0, kMaxPropertyWords);
}

Property Connection::take_property(xcb_get_property_cookie_t cookie) const {
  auto answer = reply(xcb_get_property_reply, cookie, "read a property");
  if (!answer || (*answer)->type == XCB_ATOM_NONE) return {};
  const auto* value = answer->get();
  return {value->type, value->format,
          std::string(static_cast<const char*>(xcb_get_property_value(value)),
                      static_cast<std::size_t>(xcb_get_property_value_length(value)))};
}

Result<Property> Connection::property(xcb_window_t window, std::string_view name) {
  ASSIGN_OR_RETURN(const auto id, atom(name));
  Property value = take_property(ask_property(window, id));
  RETURN_IF_ERROR(alive());
  return value;
}

Result<EventPtr> Connection::next_event(MonoTime deadline) {
  flush();
  for (;;) {
    if (EventPtr event = pending_event()) return event;
    RETURN_IF_ERROR(alive());
    const int timeout = poll_timeout(clock_, deadline);
    if (timeout == 0) return EventPtr();
    pollfd waiting{xcb_get_file_descriptor(get()), POLLIN, 0};
    if (::poll(&waiting, 1, timeout) < 0 && errno != EINTR) return posix_error("wait for the X server", errno);
  }
}

Result<void> Connection::select_events(xcb_window_t window, std::uint32_t mask) {
  return check(xcb_change_window_attributes_checked(get(), window, XCB_CW_EVENT_MASK, &mask),
               "select events of a window");
}

void Connection::send_message(xcb_window_t target, xcb_window_t window, xcb_atom_t type, const std::uint32_t (&data)[5],
                              std::uint32_t mask) {
  xcb_client_message_event_t message{};
  message.response_type = XCB_CLIENT_MESSAGE;
  message.format = 32;
  message.window = window;
  message.type = type;
  std::copy(std::begin(data), std::end(data), message.data.data32);
  xcb_send_event(get(), 0, target, mask, reinterpret_cast<const char*>(&message));
  flush();
}

}  // namespace da::actuator::x11
