// Finds the target of an action on the desktop. Reads only. Runs under the desktop's lock.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "da/v1/observation.pb.h"
#include "da/v1/tools.pb.h"
#include "services/actuator/desktop/desktop.h"
#include "services/actuator/privacy/screen_mask.h"
#include "services/actuator/target/action_target.h"
#include "services/actuator/target/element_registry.h"

namespace da::actuator {

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

  // An application that answers later counts as one without accessibility.
  static constexpr Milliseconds kElementTimeout{400};

  Desktop& desktop_;
  const ElementRegistry& registry_;
  ScreenMask& mask_;
  const Clock& clock_;
  mutable std::set<std::string> receivers_;  // Windows whose focus was asked for, by id.
};

}  // namespace da::actuator
