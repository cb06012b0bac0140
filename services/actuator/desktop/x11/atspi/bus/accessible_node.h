// One accessible object as its application describes it. Plain data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/base/geometry.h"
#include "services/actuator/desktop/roles/ui_tree.h"
#include "services/actuator/desktop/x11/atspi/bus/atspi_bus.h"

namespace da::actuator::x11 {

struct AccessibleNode {
  AccessibleRef ref;
  std::size_t parent = kNoParent;  // Index of a node before it.
  std::uint32_t role = 0;
  std::uint64_t states = 0;
  std::string name;
  std::vector<std::string> interfaces;  // Last part of their names: "Component".
  int child_count = -1;                 // -1: unknown.
  Rect extents;                         // Reported in screen or window coordinates.
  Rect unplaced;                        // The size, at 0,0, when GTK3 reports no place (atspi_rows.h).
  Rect header;                          // Area of a table's column headers, which cover rows below them.
  Rect entries;                         // Area of all entries of an open menu (toolkits/atspi_long_menus.h).
  int entry_height = 0;                 // Height of an open menu's highest entry.
  int text_length = 0;                  // Number of characters.
  std::string text;
  std::optional<ElementRange> range;  // Set for sliders and spin buttons.
  std::string label;                  // Name of the object that labels it (atspi_labels.cpp).
  std::string placeholder;            // What an unnamed field shows while it is empty (atspi_labels.cpp).
  int index_in_parent = -1;           // Set for children of a crowded container; else -1.
  bool popover = false;               // GTK4 shows it in a window of its own (toolkits/atspi_popovers.h).
  bool has_no_place = false;          // It is not asked for its place: find_placeless().
  bool only_listed = false;           // A hidden child of a crowded container: only ref, name and parent are known.

  static constexpr std::size_t kNoParent = static_cast<std::size_t>(-1);
  bool has_interface(std::string_view name) const;
};

}  // namespace da::actuator::x11
