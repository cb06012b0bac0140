#include "services/actuator/desktop/x11/clipboard/selection_reader.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace da::actuator::x11 {
namespace {

constexpr const char* kValueName = "_DESKTOPASSIST_CLIPBOARD_";
constexpr unsigned kValueNames = 16;
constexpr std::size_t kMaxTargets = 64;  // Programs offer up to about 20.

// Targets that describe the selection, have a side effect in the owner, or name a resource that ends with the owner.
constexpr std::string_view kNoValues[] = {
    "TARGETS", "MULTIPLE",        "TIMESTAMP", "SAVE_TARGETS", "DELETE",   "INSERT_SELECTION",
    "PIXMAP",  "INSERT_PROPERTY", "BITMAP",    "COLORMAP",     "DRAWABLE", "GTK_TEXT_BUFFER_CONTENTS",
};
// Read first, because an owner may take long to encode an image in ten formats.
constexpr std::string_view kFirst[] = {"UTF8_STRING", "text/plain;charset=utf-8",    "text/html", "text/uri-list",
                                       "image/png",   "x-special/gnome-copied-files"};

}  // namespace

Result<SelectionAtoms> SelectionAtoms::intern(Connection& connection) {
  SelectionAtoms atoms{};
  const std::array<std::pair<std::string_view, xcb_atom_t*>, 11> wanted{{
      {"CLIPBOARD", &atoms.clipboard},
      {"TARGETS", &atoms.targets},
      {"TIMESTAMP", &atoms.timestamp},
      {"UTF8_STRING", &atoms.utf8_string},
      {"TEXT", &atoms.text},
      {"text/plain", &atoms.text_plain},
      {"text/plain;charset=utf-8", &atoms.text_plain_utf8},
      {"INCR", &atoms.incr},
      {"MULTIPLE", &atoms.multiple},
      {"ATOM_PAIR", &atoms.atom_pair},
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
  ASSIGN_OR_RETURN(const xcb_window_t window,
                   connection->create_hidden_window(XCB_WINDOW_CLASS_INPUT_OUTPUT, XCB_CW_EVENT_MASK,
                                                    XCB_EVENT_MASK_PROPERTY_CHANGE, "reads the clipboard"));
  return std::unique_ptr<SelectionReader>(new SelectionReader(std::move(connection), atoms, window, value));
}

Result<EventPtr> SelectionReader::expect(MonoTime deadline) {
  ASSIGN_OR_RETURN(EventPtr event, connection_->next_event(deadline));
  if (event) return event;
  return Error{Code::kDeadlineExceeded, "read the clipboard: the application that owns it has not answered in time"};
}

// Reads and deletes the value, which makes the owner send the next piece.
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
  // The owner may still write to the old property, so later questions use another one.
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
    // A late answer to an earlier request names another target.
    if (notice.requestor != window_ || notice.target != target) continue;
    if (notice.property == XCB_ATOM_NONE) return std::optional<SelectionItem>();
    if (notice.property == value_) break;
  }
  // Drop the events of the property so far: they announce no pieces.
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
  // Obsolete owners list no targets but have text.
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
    if (!item && item.error().code == Code::kDeadlineExceeded) break;  // Keep what was read so far.
    // Skip a value that is too large or that the owner does not provide after all.
    if (!item || !*item || (*item)->type == XCB_ATOM_NONE || bytes + (*item)->bytes->size() > kMaxBytes) continue;
    bytes += (*item)->bytes->size();
    content.push_back(std::move(**item));
  }
  return content;
}

}  // namespace da::actuator::x11
