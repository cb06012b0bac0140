// The server's keyboard map: finds the key of a keysym, and borrows unused keycodes for keysyms without a key.
//
// Each borrowed keycode takes two keysyms, one per shift level. Applications reload the map at the event of its change,
// which is in their queue before the keys that need it. So assigning a place that was never used is always safe. A used
// place may get another keysym only after the application has read its keys; until confirm_read() it is in doubt.
// Keycodes stay borrowed until restore() (or destruction), for the next text. A property of the root window lists them,
// so that the next open() takes back those that a crash left borrowed. Uses the connection of Input. One thread.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "services/actuator/desktop/x11/connection.h"
#include "services/actuator/desktop/x11/input/keyboard/key_names.h"

namespace da::actuator::x11 {

struct KeyPress {
  xcb_keycode_t code = 0;
  bool shifted = false;
};

class KeyboardMap {
 public:
  static Result<std::unique_ptr<KeyboardMap>> open(Connection& connection);
  ~KeyboardMap();
  KeyboardMap(const KeyboardMap&) = delete;
  KeyboardMap& operator=(const KeyboardMap&) = delete;

  // Reads the map again: another program may have changed it, including borrowed keycodes.
  Result<void> refresh();
  // False when another program has changed the map since refresh(). With the server grabbed, the answer lasts.
  Result<bool> is_current();

  // nullopt when neither a key nor a borrowed keycode produces it.
  std::optional<KeyPress> find(Keysym keysym) const;
  // Marks the place of this keysym as in doubt: it must not change before confirm_read().
  void mark_pressed(Keysym keysym);
  // The application has read all keys sent so far.
  void confirm_read();

  // How many of the keysyms, from the first on, can be available at the same time.
  std::size_t fitting(std::span<const Keysym> keysyms) const;
  // Whether lend() would reassign a place in doubt.
  bool must_confirm_first(std::span<const Keysym> keysyms) const;
  // Makes all keysyms available; they must fit (see fitting()).
  Result<void> lend(std::span<const Keysym> keysyms);

  // Gives all borrowed keycodes back. Call only after the keys were read.
  Result<void> restore();

 private:
  struct Place {
    xcb_keycode_t code = 0;
    bool shifted = false;
    Keysym keysym = kNoSymbol;
    bool in_doubt = false;
  };

  explicit KeyboardMap(Connection& connection) : connection_(connection) {}
  struct ServerMap {
    std::vector<Keysym> keysyms;
    std::size_t width = 0;
    std::set<xcb_keycode_t> modifiers;
  };
  Result<ServerMap> read_server() const;  // One round trip.
  Result<std::vector<xcb_keycode_t>> left_behind();
  Result<void> note_borrowed();
  Place place_at(xcb_keycode_t code, bool shifted) const;  // Has no keysym when there is no such place.
  std::array<Keysym, 2> row_of(xcb_keycode_t code) const;  // The keysyms that are written to the server.
  std::set<Keysym> missing_in_map(std::span<const Keysym> keysyms) const;
  std::vector<std::size_t> choose_places(const std::set<Keysym>& wanted) const;
  Result<void> write(const std::set<xcb_keycode_t>& codes);

  Connection& connection_;
  std::map<Keysym, KeyPress> own_;     // Keysyms of the map's own keys.
  std::vector<Keysym> read_;           // The whole map as refresh() read it,
  std::size_t width_ = 0;              // with so many keysyms for each keycode,
  std::set<xcb_keycode_t> modifiers_;  // and these keys as modifiers.
  std::vector<Place> places_;          // Two per unused keycode, unshifted first.
  std::set<xcb_keycode_t> borrowed_;
};

}  // namespace da::actuator::x11
