// What a person or model means by a target's name, and how well a name fits it. Pure; any thread.
//
// "Save button", "button Save", "the Name field", "\"Save\"": the words around a name that say a role narrow the
// search, unless an element is called exactly so. Names are compared without mnemonics ("_Save", "&Save"), a trailing
// colon or ellipsis, and doubling ("1 1", as GTK4 names its buttons).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace da::observer {

// What kind of element role words ask for. kAny: none did.
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
  kItem,  // Of any list or menu.
  kSwitch
};

struct Target {
  std::string literal;  // As it was given, without quotes around it.
  std::string name;     // Without role words; may be empty: "the text field".
  RoleWish role = RoleWish::kAny;
  bool only_role = false;   // Nothing of another role will do, whatever it is called.
  std::uint32_t index = 0;  // Which of those that fit, from 1, as a person reads; 0: the only one.
  std::string window;       // Part of the title of its window, in any case; empty: any.
};

Target parse_target(std::string_view query);

// The kind that the words name ("check box"), in lower case; nullopt where they name none.
std::optional<RoleWish> role_named(std::string_view words);

bool role_fits(RoleWish wish, std::string_view role);

// 1 the same, 0.99 the same but for decoration, 0.95 but for case, 0.7-0.85 its words are in the name, 0.4-0.55 it is a
// piece of a name in a script without spaces, 0 not at all: what is only a piece of a word may mean the opposite.
double name_score(std::string_view name, std::string_view wanted);

// The name without decoration and with single spaces.
std::string plain_name(std::string_view name);

}  // namespace da::observer
