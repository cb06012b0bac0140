// Describes one control, or one item of a list box, as an Element, from its window handle. Asks the application only
// for texts and states, each with a limit of time. One thread; valid for one question to the tree.
#pragma once

#include <windows.h>

#include <optional>
#include <vector>

#include "services/actuator/desktop/desktop.h"
#include "services/actuator/desktop/win32/ui_tree/element_ids.h"
#include "services/actuator/desktop/win32/ui_tree/window_question.h"

namespace da::actuator::win32 {

class ControlReader {
 public:
  // `root`: the top-level window that all described controls are in. Those of a menu or an open list count as elements
  // of the window that it belongs to.
  ControlReader(HWND root, MonoTime deadline, const Clock& clock);

  Element describe(HWND window);
  // Items of a list box; empty for other controls. At most `limit`.
  std::vector<Element> items(const Element& list, HWND window, std::size_t limit);
  // kNotFound when the list has no such item.
  Result<Element> item(const Element& list, HWND window, int index);
  // The item of a list box under a point of the desktop.
  std::optional<int> item_at(HWND window, Point at);

  std::uint64_t process_start() const { return process_start_; }
  WindowQuestion& question() { return question_; }

 private:
  void add_button_states(HWND window, std::uint32_t style, Element& element);
  void add_text_states(HWND window, std::uint32_t style, Element& element);
  std::string name_from_label(HWND window);

  HWND root_;
  std::string window_id_;
  std::uint64_t process_start_;
  HWND focus_;
  WindowQuestion question_;
};

// The windows directly in `parent`, front to back.
std::vector<HWND> children_of(HWND parent);

bool is_list_box(HWND window);
bool is_button(HWND window);

}  // namespace da::actuator::win32
