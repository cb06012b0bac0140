#include "services/actuator/desktop/x11/x11_clipboard.h"

#include "lib/base/text.h"

namespace da::actuator::x11 {
namespace {

constexpr std::size_t kMaxBytes = 64U << 20;
constexpr Milliseconds kServerAnswers{5'000};

std::string utf8_of_latin1(std::string_view text) {
  std::string out;
  for (const char c : text) append_utf8(out, static_cast<unsigned char>(c));
  return out;
}

}  // namespace

Result<std::unique_ptr<X11Clipboard>> X11Clipboard::open(const std::string& display, const Clock& clock) {
  ASSIGN_OR_RETURN(auto connection, Connection::open(display, clock));
  ASSIGN_OR_RETURN(const auto atoms, SelectionAtoms::intern(*connection));
  ASSIGN_OR_RETURN(auto owner, SelectionOwner::open(display, clock));
  std::unique_ptr<X11Clipboard> clipboard(new X11Clipboard(std::move(connection), atoms, std::move(owner)));
  RETURN_IF_ERROR(clipboard->create_window());
  return clipboard;
}

Result<void> X11Clipboard::create_window() {
  ASSIGN_OR_RETURN(value_, connection_->atom("_DESKTOPASSIST_CLIPBOARD"));
  window_ = xcb_generate_id(connection_->get());
  constexpr std::uint32_t kMask = XCB_EVENT_MASK_PROPERTY_CHANGE;
  owner_->ignore_requestor(window_);
  return connection_->check(
      xcb_create_window_checked(connection_->get(), XCB_COPY_FROM_PARENT, window_, connection_->root(), -1, -1, 1, 1, 0,
                                XCB_WINDOW_CLASS_INPUT_OUTPUT, XCB_COPY_FROM_PARENT, XCB_CW_EVENT_MASK, &kMask),
      "create the clipboard's window");
}

Result<EventPtr> X11Clipboard::expect(MonoTime deadline) {
  ASSIGN_OR_RETURN(EventPtr event, connection_->next_event(deadline));
  if (event) return event;
  return Error{Code::kDeadlineExceeded, "read the clipboard: the application that owns it has not answered in time"};
}

// Taking the value deletes it, which asks the owner for the next piece.
Result<Property> X11Clipboard::take_value() {
  const auto cookie = xcb_get_property(connection_->get(), 1, window_, value_, XCB_ATOM_ANY, 0, kMaxBytes / 4);
  Property value = connection_->take_property(cookie);
  RETURN_IF_ERROR(connection_->alive());
  return value;
}

Result<std::string> X11Clipboard::receive_pieces(MonoTime deadline) {
  std::string text;
  for (;;) {
    ASSIGN_OR_RETURN(const EventPtr event, expect(deadline));
    if (event_type(*event) != XCB_PROPERTY_NOTIFY) continue;
    const auto& change = reinterpret_cast<const xcb_property_notify_event_t&>(*event);
    if (change.window != window_ || change.atom != value_ || change.state != XCB_PROPERTY_NEW_VALUE) continue;
    ASSIGN_OR_RETURN(const Property piece, take_value());
    if (piece.bytes.empty()) return text;
    text += piece.bytes;
    if (text.size() > kMaxBytes) return Error{Code::kResourceExhausted, "read the clipboard: more than 64 MiB of text"};
  }
}

// nullopt where the owner cannot give this target.
Result<std::optional<std::string>> X11Clipboard::convert(xcb_atom_t target, MonoTime deadline) {
  while (connection_->pending_event()) {
  }
  xcb_delete_property(connection_->get(), window_, value_);
  xcb_convert_selection(connection_->get(), window_, atoms_.clipboard, target, value_, XCB_CURRENT_TIME);
  for (;;) {
    ASSIGN_OR_RETURN(const EventPtr event, expect(deadline));
    if (event_type(*event) != XCB_SELECTION_NOTIFY) continue;
    const auto& notice = reinterpret_cast<const xcb_selection_notify_event_t&>(*event);
    // A late answer to an earlier question names another target.
    if (notice.requestor != window_ || notice.target != target) continue;
    if (notice.property == XCB_ATOM_NONE) return std::optional<std::string>();
    break;
  }
  // Notices of what has happened to the property so far are no pieces.
  RETURN_IF_ERROR(connection_->sync());
  while (connection_->pending_event()) {
  }
  ASSIGN_OR_RETURN(Property value, take_value());
  if (value.type != atoms_.incr) return std::optional(std::move(value.bytes));
  ASSIGN_OR_RETURN(std::string text, receive_pieces(deadline));
  return std::optional(std::move(text));
}

Result<std::string> X11Clipboard::get_text(MonoTime deadline) {
  for (const xcb_atom_t target : {atoms_.utf8_string, atoms_.text_plain_utf8}) {
    ASSIGN_OR_RETURN(const auto text, convert(target, deadline));
    if (text && is_valid_utf8(*text)) return *text;
  }
  ASSIGN_OR_RETURN(const auto text, convert(XCB_ATOM_STRING, deadline));
  if (text) return utf8_of_latin1(*text);
  return Error{Code::kNotFound, "the clipboard holds no text"};
}

Result<void> X11Clipboard::set_text(std::string_view text) {
  return owner_->offer(std::string(text), connection_->clock().now() + kServerAnswers);
}

Result<bool> X11Clipboard::wait_until_fetched(MonoTime deadline) {
  RETURN_IF_ERROR(connection_->alive());
  return owner_->wait_until_fetched(deadline);
}

}  // namespace da::actuator::x11
