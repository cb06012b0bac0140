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
  Rect extents;                         // As reported: in screen or window coordinates.
  Rect unplaced;                        // At 0,0: the size, when GTK3 reports no place (atspi_rows.h).
  Rect header;                          // Of a table: its column headers, which cover rows below them.
  Rect entries;                         // Of an open menu: around all its entries (toolkits/atspi_long_menus.h).
  int entry_height = 0;                 // Of an open menu: of its highest entry.
  int text_length = 0;                  // In characters.
  std::string text;
  std::optional<ElementRange> range;  // Of sliders and spin buttons.
  std::string label;                  // Name of the object that labels it (atspi_labels.cpp).
  std::string placeholder;            // What an unnamed field shows while it is empty (atspi_labels.cpp).
  int index_in_parent = -1;           // For children of a crowded container; else -1.
  bool popover = false;               // Of GTK4: it shows in a window of its own (toolkits/atspi_popovers.h).
  bool has_no_place = false;          // It is not asked for its place: find_placeless().
  bool only_listed = false;           // A hidden child of a crowded container: only ref, name and parent are known.

  static constexpr std::size_t kNoParent = static_cast<std::size_t>(-1);
  bool has_interface(std::string_view name) const;
};

}  // namespace da::actuator::x11
