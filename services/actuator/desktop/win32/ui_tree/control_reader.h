// Describes one control, one item of a list box, or one object in a window that MSAA reports, as an Element. Asks the
// application only for texts, states and MSAA's objects, each with a limit of time. One thread; valid for one question
// to the tree.
//
// MSAA is asked about windows whose class tells nothing: their role, name, state, text, and the objects in them. Other
// windows are only asked for their name, if they have no other. The text of a window may be a password: where MSAA does
// not tell what a window of an unknown class is, only the label before it names it.
#pragma once

#include <windows.h>

#include <optional>
#include <vector>

#include "services/actuator/desktop/roles/ui_tree.h"
#include "services/actuator/desktop/win32/ui_tree/control_roles.h"
#include "services/actuator/desktop/win32/ui_tree/element_ids.h"
#include "services/actuator/desktop/win32/ui_tree/msaa/msaa_reader.h"
#include "services/actuator/desktop/win32/ui_tree/window_question.h"

namespace da::actuator::win32 {

class ControlReader {
 public:
  // `root`: the top-level window that all described controls are in. Those of a menu or an open list count as elements
  // of the window that it belongs to. `msaa`: null where MSAA is not used.
  ControlReader(HWND root, MonoTime deadline, const Clock& clock, MsaaWorker* msaa);

  Element describe(HWND window);
  // Items of a list box; empty for other controls. At most `limit`.
  std::vector<Element> items(const Element& list, HWND window, std::size_t limit);
  // kNotFound when the list has no such item.
  Result<Element> item(const Element& list, HWND window, int index);
  // The item of a list box under a point of the desktop.
  std::optional<int> item_at(HWND window, Point at);

  // The objects in a window of an unknown class, parents before children; at most `limit`. `container`: the window's
  // element.
  std::vector<Element> objects(const Element& container, HWND window, std::size_t limit);
  // The innermost object at a point, or with the focus, or the one at a path, after its ancestors in the window; empty
  // when there is none.
  std::vector<Element> objects_at(const Element& container, HWND window, Point at);
  std::vector<Element> objects_at_focus(const Element& container, HWND window);
  std::vector<Element> objects_at_path(const Element& container, HWND window, const MsaaPath& path);

  WindowQuestion& question() { return question_; }
  const MsaaReader& msaa() const { return msaa_; }
  // Whether an application has not answered one of the questions.
  bool was_silent() const { return question_.was_silent() || msaa_.was_silent(); }
  bool left_unread() const { return was_silent() || !msaa_.truncated().empty(); }

 private:
  ControlRole role_of(HWND window) const;
  bool shows_objects(const Element& container, HWND window) const;
  std::string name_of(HWND window, const ControlRole& role, const Result<MsaaNode>& object);
  std::vector<Element> elements_of(const Element& container, HWND window, const std::vector<MsaaNode>& nodes) const;
  void add_button_states(HWND window, std::uint32_t style, Element& element);
  void add_text_states(HWND window, std::uint32_t style, Element& element);
  std::string name_from_label(HWND window);

  HWND root_;
  std::string window_id_;
  std::uint64_t process_start_;
  HWND focus_;
  WindowQuestion question_;
  MsaaReader msaa_;
};

// The windows directly in `parent`, front to back.
std::vector<HWND> children_of(HWND parent);

bool is_list_box(HWND window);
bool is_button(HWND window);
bool is_edit_control(HWND window);

}  // namespace da::actuator::win32
