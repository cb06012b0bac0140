// The server's keyboard map: which key gives a keysym, and loans of the keycodes that it leaves free.
//
// A character that no key gives is put on a free keycode, one on each of two shift levels. Applications read the map
// again when they come to the notice of its change, which stands in their queue before the keys that need it. So a loan
// on a place never used is always safe, while a place may only get another keysym once the application has read the
// keys that used it: until confirm_read(), such places are in doubt. Loans stay until restore() (or destruction), so
// that they serve the next text too. The borrowed keycodes are named in a property of the root window, by which the
// next one who opens the map takes over what a crash left behind.
//
// Uses the connection of Input. One thread.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "services/actuator/desktop/x11/connection.h"
#include "services/actuator/desktop/x11/key_names.h"

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

  // Reads the map again: somebody else may have changed it, and with it taken loans away.
  Result<void> refresh();

  // nullopt where neither a key nor a loan gives it.
  std::optional<KeyPress> find(Keysym keysym) const;
  // The key that this keysym came from was pressed: its place may not change before confirm_read().
  void mark_pressed(Keysym keysym);
  void confirm_read();

  // How many of the keysyms, from the first on, can be had at the same time.
  std::size_t fitting(std::span<const Keysym> keysyms) const;
  // Whether lending them would take a place whose keys are still in doubt.
  bool must_confirm_first(std::span<const Keysym> keysyms) const;
  // Makes all of them available; they must fit. One request for each run of neighbouring keycodes.
  Result<void> lend(std::span<const Keysym> keysyms);

  // Gives every borrowed keycode back. Only once the keys were read.
  Result<void> restore();

 private:
  struct Place {
    xcb_keycode_t code = 0;
    bool shifted = false;
    Keysym keysym = kNoSymbol;
    bool in_doubt = false;
  };

  explicit KeyboardMap(Connection& connection) : connection_(connection) {}
  Result<std::vector<xcb_keycode_t>> left_behind();
  Result<void> note_borrowed();
  Keysym keysym_at(xcb_keycode_t code, bool shifted) const;
  std::vector<Keysym> row_of(xcb_keycode_t code) const;  // As it is written to the server.
  void add_places(xcb_keycode_t code, std::vector<Place>& places) const;
  std::set<Keysym> missing_in_map(std::span<const Keysym> keysyms) const;
  std::vector<std::size_t> choose_places(const std::set<Keysym>& wanted) const;
  Result<void> write(const std::set<xcb_keycode_t>& codes);

  Connection& connection_;
  std::map<Keysym, KeyPress> own_;  // What the keys themselves give.
  std::vector<Place> places_;       // Two for each free keycode, unshifted first.
  std::set<xcb_keycode_t> borrowed_;
};

}  // namespace da::actuator::x11
