// The content of a selection: for each target (ICCCM section 2.6.2) the value that a requestor gets.
//
// Atoms are the same for all clients of an X server. Bytes are shared, and zeroed by their last owner (privacy).
#pragma once

#include <xcb/xcb.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace da::actuator::x11 {

struct SelectionItem {
  xcb_atom_t target = XCB_ATOM_NONE;
  xcb_atom_t type = XCB_ATOM_NONE;
  std::uint8_t format = 8;  // Bits per unit: 8, 16 or 32.
  std::shared_ptr<const std::string> bytes;
};

inline std::shared_ptr<const std::string> selection_bytes(std::string bytes) {
  return {new std::string(std::move(bytes)), [](std::string* owned) {
            ::explicit_bzero(owned->data(), owned->size());
            delete owned;
          }};
}

using SelectionContent = std::vector<SelectionItem>;

}  // namespace da::actuator::x11
