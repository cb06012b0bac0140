// The target of an action, as found on the desktop just now. lib/contract/evidence/staleness.h decides whether it has
// changed later. look_around() runs under the desktop's lock.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "da/v1/outcome.pb.h"
#include "da/v1/tools.pb.h"
#include "services/actuator/desktop/desktop.h"

namespace da::actuator {

// The look of a pointer target: the brightness of at most 48x48 desktop pixels around the point
// (lib/contract/evidence/visual_similarity.h); of a known element only those within its border.
struct Neighbourhood {
  Rect area;
  std::string look;
};

Result<Neighbourhood> look_around(Desktop& desktop, Point point, const std::optional<Element>& element);

struct ActionTarget {
  std::optional<WindowInfo> foreground;   // The active window; of keyboard tools the one that gets the keys.
  std::optional<KeyReceiver> receiver;    // Keyboard tools.
  std::optional<Element> focused;         // Keyboard tools.
  std::optional<WindowInfo> window;       // Window tools, and the window under a point.
  std::optional<Element> element;         // ui_click, and the element under a point.
  std::optional<WindowInfo> cover;        // ui_click: the topmost window at the element, its own or another.
  std::optional<WindowInfo> drop_window;  // Drags: the window and element under the last point.
  std::optional<Element> drop_element;
  std::vector<WindowInfo> passed_windows;  // Drags: other windows under the moves, each once, in their order.
  // FoundElement.unread of `focused`, `element` and `drop_element`.
  bool focus_unread = false;
  bool element_unread = false;
  bool drop_unread = false;
  std::optional<Point> point;
  std::optional<Point> button_held;            // Where the held button was pressed.
  std::optional<Point> drop_point;             // Drags: the last point.
  bool by_name = false;                        // ui_click: the point is the middle of the element's visible part.
  std::optional<Neighbourhood> neighbourhood;  // mouse, drag.
  std::optional<Neighbourhood> drop_neighbourhood;
  std::optional<LaunchPlan> launch;
  std::optional<FileIdentity> file;  // file_delete, and the program that launch would execute.
  // Why the action cannot be carried out now; empty: it can.
  std::string problem;
  v1::Outcome::Code problem_code = v1::Outcome::CODE_UNSPECIFIED;

  void set_problem(v1::Outcome::Code code, std::string why);
  // Sets the problem that this point is outside the desktop.
  void set_outside(Point outside);
};

// The desktop's own values, compared as contract::same_window and contract::same_control compare evidence.
bool same_window(const std::optional<WindowInfo>& a, const std::optional<WindowInfo>& b);
bool same_control(const Element& a, const Element& b);

// Where on the desktop the action acts, for a person to look at: a small element, a box around the point, the focused
// element or the window. nullopt: it has no place, such as a file's deletion.
std::optional<Rect> place_of(const v1::Action& action, const ActionTarget& target);

}  // namespace da::actuator
