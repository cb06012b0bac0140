// Handles of elements: a window, an item of a list in it, or an object in it that MSAA reports. Pure; any thread.
//
// Windows uses the handles of destroyed windows again. So an element's handle also names the window's process, its
// class and its control id, all of which must still be the same when the handle is used.
#pragma once

#include <windows.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "services/actuator/desktop/roles/ui_tree.h"

namespace da::actuator::win32 {

constexpr int kNoItem = -1;

struct ElementId {
  HWND window = nullptr;
  std::uint32_t pid = 0;
  std::uint64_t process_start = 0;
  std::uint32_t window_class = 0;  // Atom.
  std::uint32_t control = 0;       // GetDlgCtrlID.
  int item = kNoItem;
  std::vector<int> path;  // MsaaPath of an object in the window; empty for the window itself.
  friend bool operator==(const ElementId&, const ElementId&) = default;
};

// The id of a window as it is now.
ElementId id_now(HWND window, std::uint64_t process_start);

ElementHandle handle_of(const ElementId& id);
// nullopt when the text has another form.
std::optional<ElementId> id_of(const ElementHandle& handle);

}  // namespace da::actuator::win32
