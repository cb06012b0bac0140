// The role of a window by its class and style, in AT-SPI's lower-case names. Pure; any thread.
//
// Source: the lists of controls and of control styles in Microsoft's documentation of the Windows controls.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace da::actuator::win32 {

enum class Place { kTopLevel, kChild };

struct ControlRole {
  std::string_view role;
  // A label before it names it: its own text is its content, or it has none.
  bool named_by_label = false;
  // Its text is content that a person edits or reads.
  bool has_content = false;
  // Whether the class tells the role.
  bool known = true;
};

// `window_class`: the base class (RealGetWindowClass), which frameworks such as Windows Forms derive from.
ControlRole control_role(std::wstring_view window_class, std::uint32_t style, Place place);

// Whether a base class is an edit control or a rich one. Both have the styles and messages of edit controls.
bool is_edit(std::wstring_view window_class);

// "Sa&ve" -> "Save", "A && B" -> "A & B": the ampersand marks the access key.
std::wstring without_access_key(std::wstring_view text);

}  // namespace da::actuator::win32
