#include "services/actuator/desktop/x11/selection_reader.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace da::actuator::x11 {
namespace {

constexpr const char* kValueName = "_DESKTOPASSIST_CLIPBOARD_";
constexpr unsigned kValueNames = 16;
constexpr std::size_t kMaxTargets = 64;  // Programs name up to some 20.

// About the selection rather than of it; with an effect in the owner; or the name of something that goes with it.
constexpr std::string_view kNoValues[] = {
    "TARGETS", "MULTIPLE",        "TIMESTAMP", "SAVE_TARGETS", "DELETE",   "INSERT_SELECTION",
    "PIXMAP",  "INSERT_PROPERTY", "BITMAP",    "COLORMAP",     "DRAWABLE", "GTK_TEXT_BUFFER_CONTENTS",
};
// An owner that has to encode an image in ten formats takes its time: these come before the others.
constexpr std::string_view kFirst[] = {"UTF8_STRING", "text/plain;charset=utf-8",    "text/html", "text/uri-list",
                                       "image/png",   "x-special/gnome-copied-files"};

}  // namespace

Result<SelectionAtoms> SelectionAtoms::intern(Connection& connection) {
  SelectionAtoms atoms{};
  const std::array<std::pair<std::string_view, xcb_atom_t*>, 9> wanted{{
      {"CLIPBOARD", &atoms.clipboard},
      {"TARGETS", &atoms.targets},
      {"TIMESTAMP", &atoms.timestamp},
      {"UTF8_STRING", &atoms.utf8_string},
      {"TEXT", &atoms.text},
      {"text/plain", &atoms.text_plain},
      {"text/plain;charset=utf-8", &atoms.text_plain_utf8},
      {"INCR", &atoms.incr},
      {"_DESKTOPASSIST_TIME", &atoms.stamp},
  }};
  for (const auto& [name, place] : wanted) {
    ASSIGN_OR_RETURN(*place, connection.atom(name));
  }
  return atoms;
}

Result<std::unique_ptr<SelectionReader>> SelectionReader::open(const std::string& display, const Clock& clock) {
  ASSIGN_OR_RETURN(auto connection, Connection::open(display, clock));
  ASSIGN_OR_RETURN(const auto atoms, SelectionAtoms::intern(*connection));
  ASSIGN_OR_RETURN(const xcb_atom_t value, connection->atom(kValueName + std::string("0")));
  const xcb_window_t window = xcb_generate_id(connection->get());
  constexpr std::uint32_t kMask = XCB_EVENT_MASK_PROPERTY_CHANGE;
  RETURN_IF_ERROR(connection->check(
      xcb_create_window_checked(connection->get(), XCB_COPY_FROM_PARENT, window, connection->root(), -1, -1, 1, 1, 0,
                                XCB_WINDOW_CLASS_INPUT_OUTPUT, XCB_COPY_FROM_PARENT, XCB_CW_EVENT_MASK, &kMask),
      "create the window that reads the clipboard"));
  return std::unique_ptr<SelectionReader>(new SelectionReader(std::move(connection), atoms, window, value));
}

Result<xcb_window_t> SelectionReader::owner() {
  const auto cookie = xcb_get_selection_owner(connection_->get(), atoms_.clipboard);
  ASSIGN_OR_RETURN(const auto answer,
                   connection_->reply(xcb_get_selection_owner_reply, cookie, "ask who owns the clipboard"));
  return answer->owner;
}

Result<EventPtr> SelectionReader::expect(MonoTime deadline) {
  ASSIGN_OR_RETURN(EventPtr event, connection_->next_event(deadline));
  if (event) return event;
  return Error{Code::kDeadlineExceeded, "read the clipboard: the application that owns it has not answered in time"};
}

// Taking the value deletes it, which asks the owner for the next piece.
Result<Property> SelectionReader::take_value() {
  const auto cookie = xcb_get_property(connection_->get(), 1, window_, value_, XCB_ATOM_ANY, 0, kMaxBytes / 4);
  Property value = connection_->take_property(cookie);
  RETURN_IF_ERROR(connection_->alive());
  return value;
}

Result<Property> SelectionReader::receive_pieces(MonoTime deadline) {
  Property whole;
  for (;;) {
    ASSIGN_OR_RETURN(const EventPtr event, expect(deadline));
    if (event_type(*event) != XCB_PROPERTY_NOTIFY) continue;
    const auto& change = reinterpret_cast<const xcb_property_notify_event_t&>(*event);
    if (change.window != window_ || change.atom != value_ || change.state != XCB_PROPERTY_NEW_VALUE) continue;
    ASSIGN_OR_RETURN(const Property piece, take_value());
    if (whole.type == XCB_ATOM_NONE) {
      whole.type = piece.type;
      whole.format = piece.format;
    }
    if (piece.bytes.empty()) return whole;
    whole.bytes += piece.bytes;
    if (whole.bytes.size() > kMaxBytes) return Error{Code::kResourceExhausted, "read the clipboard: more than 64 MiB"};
  }
}

Result<std::optional<SelectionItem>> SelectionReader::convert(xcb_atom_t target, MonoTime deadline) {
  auto item = ask_for(target, deadline);
  if (item) return item;
  // Its owner may yet send the rest: to a property that nobody reads, and then it waits until its requestor goes.
  ASSIGN_OR_RETURN(value_, connection_->atom(kValueName + std::to_string(++given_up_ % kValueNames)));
  return item;
}

Result<std::optional<SelectionItem>> SelectionReader::ask_for(xcb_atom_t target, MonoTime deadline) {
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
    if (notice.property == XCB_ATOM_NONE) return std::optional<SelectionItem>();
    if (notice.property == value_) break;
  }
  // Notices of what has happened to the property so far are no pieces.
  RETURN_IF_ERROR(connection_->sync());
  while (connection_->pending_event()) {
  }
  ASSIGN_OR_RETURN(Property value, take_value());
  if (value.type == atoms_.incr) {
    ASSIGN_OR_RETURN(value, receive_pieces(deadline));
  }
  return std::optional(SelectionItem{target, value.type, value.format, selection_bytes(std::move(value.bytes))});
}

Result<std::vector<xcb_atom_t>> SelectionReader::targets_to_read(MonoTime deadline) {
  ASSIGN_OR_RETURN(const auto answer, convert(atoms_.targets, deadline));
  // Owners of the old kind name none, and have text.
  if (!answer) return std::vector<xcb_atom_t>{atoms_.utf8_string, XCB_ATOM_STRING};
  std::vector<xcb_atom_t> named = Property{answer->type, answer->format, *answer->bytes}.words();
  if (named.size() > kMaxTargets) named.resize(kMaxTargets);
  std::vector<xcb_atom_t> first;
  for (const std::string_view name : kFirst) {
    ASSIGN_OR_RETURN(const xcb_atom_t atom, connection_->atom(name));
    if (std::ranges::find(named, atom) != named.end()) first.push_back(atom);
  }
  std::vector<xcb_atom_t> left_out = first;
  for (const std::string_view name : kNoValues) {
    ASSIGN_OR_RETURN(const xcb_atom_t atom, connection_->atom(name));
    left_out.push_back(atom);
  }
  for (const xcb_atom_t atom : named) {
    if (atom == XCB_ATOM_NONE || std::ranges::find(left_out, atom) != left_out.end()) continue;
    first.push_back(atom);
    left_out.push_back(atom);
  }
  return first;
}

Result<SelectionContent> SelectionReader::read_all(MonoTime deadline) {
  ASSIGN_OR_RETURN(const auto targets, targets_to_read(deadline));
  SelectionContent content;
  std::size_t bytes = 0;
  for (const xcb_atom_t target : targets) {
    auto item = convert(target, deadline);
    if (!item && item.error().code == Code::kUnavailable) return item.error();
    if (!item && item.error().code == Code::kDeadlineExceeded) break;  // What is whole by now is kept.
    // A value that is too large, or that the owner does not have after all, takes nothing from the others.
    if (!item || !*item || (*item)->type == XCB_ATOM_NONE || bytes + (*item)->bytes->size() > kMaxBytes) continue;
    bytes += (*item)->bytes->size();
    content.push_back(std::move(**item));
  }
  return content;
}

}  // namespace da::actuator::x11
