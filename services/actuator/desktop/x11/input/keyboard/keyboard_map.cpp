#include "services/actuator/desktop/x11/input/keyboard/keyboard_map.h"

#include <algorithm>
#include <utility>

#include "services/actuator/desktop/x11/input/keyboard/key_symbols.h"

namespace da::actuator::x11 {
namespace {

constexpr std::string_view kBorrowedProperty = "_DESKTOPASSIST_BORROWED_KEYCODES";
constexpr std::size_t kLevels = 2;

}  // namespace

Result<std::unique_ptr<KeyboardMap>> KeyboardMap::open(Connection& connection) {
  std::unique_ptr<KeyboardMap> map(new KeyboardMap(connection));
  ASSIGN_OR_RETURN(const auto left, map->left_behind());
  map->borrowed_.insert(left.begin(), left.end());
  if (!left.empty()) RETURN_IF_ERROR(map->restore());
  RETURN_IF_ERROR(map->refresh());
  return map;
}

KeyboardMap::~KeyboardMap() {
  if (!borrowed_.empty()) (void)restore();
}

Result<std::vector<xcb_keycode_t>> KeyboardMap::left_behind() {
  ASSIGN_OR_RETURN(const Property noted, connection_.property(connection_.root(), kBorrowedProperty));
  const auto* setup = xcb_get_setup(connection_.get());
  std::vector<xcb_keycode_t> codes;
  if (noted.format != 8) return codes;
  for (const char byte : noted.bytes)
    if (const auto code = static_cast<xcb_keycode_t>(byte); code >= setup->min_keycode) codes.push_back(code);
  return codes;
}

Result<void> KeyboardMap::note_borrowed() {
  ASSIGN_OR_RETURN(const auto name, connection_.atom(kBorrowedProperty));
  if (borrowed_.empty()) {
    xcb_delete_property(connection_.get(), connection_.root(), name);
    return connection_.sync();
  }
  const std::vector<xcb_keycode_t> codes(borrowed_.begin(), borrowed_.end());
  return connection_.check(
      xcb_change_property_checked(connection_.get(), XCB_PROP_MODE_REPLACE, connection_.root(), name, XCB_ATOM_CARDINAL,
                                  8, static_cast<std::uint32_t>(codes.size()), codes.data()),
      "store the list of borrowed keycodes");
}

KeyboardMap::Place KeyboardMap::place_at(xcb_keycode_t code, bool shifted) const {
  const auto place =
      std::ranges::find_if(places_, [&](const Place& each) { return each.code == code && each.shifted == shifted; });
  return place == places_.end() ? Place{code, shifted, kNoSymbol, false} : *place;
}

// Sets both levels: otherwise the server derives the second keysym by changing the case of the first.
std::array<Keysym, 2> KeyboardMap::row_of(xcb_keycode_t code) const {
  const Keysym plain = place_at(code, false).keysym;
  const Keysym shifted = place_at(code, true).keysym;
  return {plain != kNoSymbol ? plain : shifted, shifted != kNoSymbol ? shifted : plain};
}

Result<KeyboardMap::ServerMap> KeyboardMap::read_server() const {
  const auto* setup = xcb_get_setup(connection_.get());
  const auto count = static_cast<std::uint8_t>(setup->max_keycode - setup->min_keycode + 1);
  const auto ask_map = xcb_get_keyboard_mapping(connection_.get(), setup->min_keycode, count);
  const auto ask_modifiers = xcb_get_modifier_mapping(connection_.get());
  ASSIGN_OR_RETURN(const auto map, connection_.reply(xcb_get_keyboard_mapping_reply, ask_map, "read the keyboard map"));
  ASSIGN_OR_RETURN(const auto modifiers,
                   connection_.reply(xcb_get_modifier_mapping_reply, ask_modifiers, "read the modifiers"));
  const xcb_keysym_t* keysyms = xcb_get_keyboard_mapping_keysyms(map.get());
  const xcb_keycode_t* codes = xcb_get_modifier_mapping_keycodes(modifiers.get());
  return ServerMap{{keysyms, keysyms + xcb_get_keyboard_mapping_keysyms_length(map.get())},
                   map->keysyms_per_keycode,
                   {codes, codes + xcb_get_modifier_mapping_keycodes_length(modifiers.get())}};
}

// Lending may change the width of the map. Rows of borrowed keycodes are compared with what was lent, at the levels
// that were written: the server fills in the others.
Result<bool> KeyboardMap::is_current() {
  ASSIGN_OR_RETURN(const ServerMap now, read_server());
  const xcb_keycode_t first = xcb_get_setup(connection_.get())->min_keycode;
  const std::size_t keys = width_ == 0 ? 0 : read_.size() / width_;
  if (now.modifiers != modifiers_ || now.width < kLevels || now.keysyms.size() != keys * now.width) return false;
  const std::size_t common = std::min(width_, now.width);
  for (std::size_t key = 0; key < keys; ++key) {
    const Keysym* row = now.keysyms.data() + key * now.width;
    const auto code = static_cast<xcb_keycode_t>(first + key);
    if (borrowed_.contains(code)) {
      const auto lent = row_of(code);
      if (!std::equal(lent.begin(), lent.end(), row)) return false;
    } else if (!std::equal(row, row + common, read_.data() + key * width_)) {
      return false;
    }
  }
  return true;
}

// A borrowed keycode with other keysyms than ours was reassigned by another program: it is no longer borrowed.
Result<void> KeyboardMap::refresh() {
  const xcb_keycode_t first = xcb_get_setup(connection_.get())->min_keycode;
  ASSIGN_OR_RETURN(ServerMap server, read_server());
  while (connection_.pending_event()) {
  }
  width_ = server.width;
  read_ = std::move(server.keysyms);
  modifiers_ = std::move(server.modifiers);
  const std::size_t width = width_;
  const std::size_t count = width == 0 ? 0 : read_.size() / width;
  own_.clear();
  std::vector<Place> places;
  for (std::size_t key = 0; key < count; ++key) {
    const auto code = static_cast<xcb_keycode_t>(first + key);
    const xcb_keysym_t* row = read_.data() + key * width;
    const bool unused = std::all_of(row, row + width, [](xcb_keysym_t keysym) { return keysym == kNoSymbol; });
    const auto lent = row_of(code);
    const bool ours = borrowed_.contains(code) && width >= kLevels && std::equal(lent.begin(), lent.end(), row);
    if (ours && !unused) {
      for (const bool shifted : {false, true}) places.push_back(place_at(code, shifted));
      continue;
    }
    borrowed_.erase(code);
    if (unused && !modifiers_.contains(code)) {
      for (const bool shifted : {false, true}) places.push_back({code, shifted, kNoSymbol, false});
    }
    for (std::size_t level = 0; level < std::min(kLevels, width); ++level) {
      if (row[level] == kNoSymbol) continue;
      // Prefer an unshifted to a shifted level, and a low keycode to that of a media key.
      const auto [known, added] = own_.try_emplace(row[level], KeyPress{code, level == 1});
      if (!added && known->second.shifted && level == 0) known->second = {code, false};
    }
  }
  places_ = std::move(places);
  return ok();
}

std::optional<KeyPress> KeyboardMap::find(Keysym keysym) const {
  if (const auto own = own_.find(keysym); own != own_.end()) return own->second;
  const auto lent = std::ranges::find(places_, keysym, &Place::keysym);
  if (keysym == kNoSymbol || lent == places_.end()) return std::nullopt;
  return KeyPress{lent->code, lent->shifted};
}

void KeyboardMap::mark_pressed(Keysym keysym) {
  if (own_.contains(keysym)) return;
  const auto lent = std::ranges::find(places_, keysym, &Place::keysym);
  if (lent != places_.end()) lent->in_doubt = true;
}

void KeyboardMap::confirm_read() {
  for (Place& place : places_) place.in_doubt = false;
}

std::set<Keysym> KeyboardMap::missing_in_map(std::span<const Keysym> keysyms) const {
  std::set<Keysym> missing;
  for (const Keysym keysym : keysyms)
    if (!own_.contains(keysym)) missing.insert(keysym);
  return missing;
}

std::size_t KeyboardMap::fitting(std::span<const Keysym> keysyms) const {
  std::set<Keysym> needed;
  for (std::size_t i = 0; i < keysyms.size(); ++i) {
    if (own_.contains(keysyms[i]) || needed.contains(keysyms[i])) continue;
    if (needed.size() == places_.size()) return i;
    needed.insert(keysyms[i]);
  }
  return keysyms.size();
}

// Chooses places for wanted keysyms that have none: unused places, then those with unwanted keysyms, in doubt last.
std::vector<std::size_t> KeyboardMap::choose_places(const std::set<Keysym>& wanted) const {
  std::set<Keysym> held;
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    if (wanted.contains(places_[i].keysym))
      held.insert(places_[i].keysym);
    else
      open.push_back(i);
  }
  const auto cost = [this](std::size_t i) { return places_[i].keysym == kNoSymbol ? 0 : places_[i].in_doubt ? 2 : 1; };
  std::ranges::stable_sort(open, {}, cost);
  open.resize(std::min(open.size(), wanted.size() - held.size()));
  return open;
}

bool KeyboardMap::must_confirm_first(std::span<const Keysym> keysyms) const {
  const auto chosen = choose_places(missing_in_map(keysyms));
  return std::ranges::any_of(chosen, [this](std::size_t i) { return places_[i].in_doubt; });
}

Result<void> KeyboardMap::lend(std::span<const Keysym> keysyms) {
  const auto wanted = missing_in_map(keysyms);
  const auto chosen = choose_places(wanted);
  std::vector<Keysym> to_lend;
  for (const Keysym keysym : wanted)
    if (std::ranges::find(places_, keysym, &Place::keysym) == places_.end()) to_lend.push_back(keysym);
  if (to_lend.empty()) return ok();
  if (to_lend.size() > chosen.size())
    return Error{Code::kResourceExhausted, "this keyboard map has " + std::to_string(places_.size() / kLevels) +
                                               " unused keycodes, too few for the characters to type"};
  std::set<xcb_keycode_t> changed;
  for (std::size_t i = 0; i < to_lend.size(); ++i) {
    places_[chosen[i]].keysym = to_lend[i];
    changed.insert(places_[chosen[i]].code);
  }
  const std::size_t before = borrowed_.size();
  borrowed_.insert(changed.begin(), changed.end());
  if (borrowed_.size() != before) RETURN_IF_ERROR(note_borrowed());
  return write(changed);
}

Result<void> KeyboardMap::write(const std::set<xcb_keycode_t>& codes) {
  KeySymbols keys;
  for (const xcb_keycode_t code : codes) keys[code] = row_of(code);
  return write_key_symbols(connection_, keys);
}

Result<void> KeyboardMap::restore() {
  for (Place& place : places_) {
    place.keysym = kNoSymbol;
    place.in_doubt = false;
  }
  RETURN_IF_ERROR(write(std::exchange(borrowed_, {})));
  return note_borrowed();
}

}  // namespace da::actuator::x11
