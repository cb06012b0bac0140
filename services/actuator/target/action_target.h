// The target of an action, as found on the desktop just now. lib/contract/evidence/staleness.h decides whether it has
// changed later. Reads only. Runs under the desktop's lock.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "da/v1/observation.pb.h"
#include "da/v1/outcome.pb.h"
#include "da/v1/tools.pb.h"
#include "services/actuator/desktop/desktop.h"
#include "services/actuator/privacy/screen_mask.h"
#include "services/actuator/target/element_registry.h"

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
};

// The desktop's own values, compared as contract::same_window and contract::same_control compare evidence.
bool same_window(const std::optional<WindowInfo>& a, const std::optional<WindowInfo>& b);
bool same_control(const Element& a, const Element& b);

// Where on the desktop the action acts, for a person to look at: a small element, a box around the point, the focused
// element or the window. nullopt: it has no place, such as a file's deletion.
std::optional<Rect> place_of(const v1::Action& action, const ActionTarget& target);

class TargetFinder {
 public:
  TargetFinder(Desktop& desktop, const ElementRegistry& registry, ScreenMask& mask, const Clock& clock)
      : desktop_(desktop), registry_(registry), mask_(mask), clock_(clock) {}

  // Fails only if the desktop fails; a missing target is reported in ActionTarget::problem.
  Result<ActionTarget> find(const v1::Action& action) const;
  // Keyboard tools: sets a problem if the keys go to another window than this one. An empty id allows any.
  void expect_receiver(const std::string& window_id, ActionTarget& target) const;
  // Sets a problem if the element that names the target's row is gone or has another name. An empty id allows any.
  void expect_row(const v1::RowName& row, ActionTarget& target) const;

 private:
  // Sets a problem if a point of the drag is outside the desktop.
  Result<void> on_desktop(const v1::Drag& drag, ActionTarget& target) const;
  Result<void> at_point(Point point, ActionTarget& target) const;
  Result<void> look_at_target(ActionTarget& target) const;
  Result<void> with_focus(ActionTarget& target) const;
  Result<FoundElement> focus_of(const WindowInfo& window) const;
  // Sets a problem if a modal dialog takes the window's input.
  Result<void> not_blocked(const std::optional<WindowInfo>& window, ActionTarget& target) const;
  // `"OK", "Cancel"`: the enabled buttons of a window.
  std::string buttons_of(const WindowInfo& window) const;
  Result<void> by_title(const std::string& title, ActionTarget& target) const;
  Result<void> by_process(const std::string& name, ActionTarget& target) const;
  Result<void> drop_of(const v1::Drag& drag, ActionTarget& target) const;
  Result<void> passed_by(const v1::Drag& drag, ActionTarget& target) const;
  Result<std::optional<WindowInfo>> window_of(const Element& element, const std::optional<WindowInfo>& cover) const;
  Result<void> by_element(const std::string& element_id, ActionTarget& target) const;
  void of_launch(const std::string& command, ActionTarget& target) const;
  void of_file(const std::string& path, ActionTarget& target) const;
  // Marks masked titles, so that nobody can guess them.
  Result<std::vector<WindowInfo>> list_windows() const;
  // Quotes a name or title for a message. Redacts secrets before cutting it, so that no part of one is left.
  std::string show_hidden(std::string foreign) const;

  Desktop& desktop_;
  const ElementRegistry& registry_;
  ScreenMask& mask_;
  const Clock& clock_;
  mutable std::set<std::string> receivers_;  // Windows whose focus was asked for, by id.
};

}  // namespace da::actuator
