// Parses the name of a target and scores element names against it. Pure; any thread.
//
// In "Save button", "button Save" or "the Name field", the role word narrows the search, unless an element has exactly
// that name or the name is in quotes. Names are compared without mnemonics ("_Save", "&Save"), a trailing colon or
// ellipsis, and doubling ("1 1", as GTK4 names its buttons).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "da/v1/observation.pb.h"
#include "da/v1/observer_rpc.pb.h"

namespace da::observer {

// The kind of element that the role words ask for; kAny without such words.
enum class RoleWish {
  kAny,
  kButton,
  kField,
  kCheckBox,
  kRadioButton,
  kComboBox,
  kMenu,
  kMenuItem,
  kTab,
  kLink,
  kIcon,
  kListItem,
  kLabel,
  kSlider,
  kDialog,
  kItem,  // An item of a list or menu.
  kSwitch,
  kText,  // Any text that shows.
  kSpinButton,
  kList,
  kTable,
  kExactly  // One role by its own name.
};

struct Kind {
  RoleWish wish = RoleWish::kAny;
  std::string exact_role;  // Set for kExactly.
};

bool fits(const Kind& kind, std::string_view role);

struct LocatedTarget {
  std::string literal;  // The query without quotes around it.
  std::string name;     // The query without role words; empty for "the text field".
  Kind kind;
  bool only_role = false;  // True if an element of another role never matches.
  v1::Relation relation = v1::RELATION_UNSPECIFIED;
  std::string anchor;  // Name of the element that the relation refers to; may be empty with anchor_kind.
  Kind anchor_kind;
  std::uint32_t index = 0;   // Which match in reading order, from 1; 0: there must be only one.
  std::string window;        // A part of the window's title, ignoring case; empty: any window.
  bool whole_title = false;  // The window has just this title, because such a window is open.
};

LocatedTarget parse_target(std::string_view query);

// The kind that lower-case words such as "check box" name; nullopt for unknown words.
std::optional<Kind> kind_named(std::string_view words);

bool role_fits(RoleWish wish, std::string_view role);

// 1: equal; 0.99: equal without decoration; 0.95: and ignoring case; 0.9: a sign and its name; 0.7-0.85: `name`
// contains the words; 0.65: a sign and a word that it may mean; 0.4-0.55: `name` contains it in a script without
// spaces; 0: no match. A piece of a word, which may mean the opposite, is none.
double name_score(std::string_view name, std::string_view wanted);

// The name without decoration and with single spaces.
std::string plain_name(std::string_view name);

// False for the terminal that shows the goal's own words, unless the target names the window.
bool may_read_text(const LocatedTarget& target, const v1::Window& window);

// True if the target names no window, or its title contains the target's (is it, with whole_title).
bool is_wanted_window(const LocatedTarget& target, const v1::Window* window);

}  // namespace da::observer
