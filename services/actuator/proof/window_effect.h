// Tells what the windows of the desktop show of an action's effect: compares them with those before it. Runs under the
// desktop's lock.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "da/v1/tools.pb.h"
#include "services/actuator/desktop/desktop.h"
#include "services/actuator/proof/drawing_pause.h"
#include "services/actuator/proof/windows_in_front.h"
#include "services/actuator/target/action_target.h"

namespace da::actuator {

class WindowEffect {
 public:
  WindowEffect(Desktop& desktop, DrawingPause& pause, const Clock& clock)
      : desktop_(desktop), pause_(pause), clock_(clock) {}

  // Begins with the windows of a new action.
  void begin(const v1::Action& action, const ActionTarget& target);
  // Remembers all windows, because the action comes now.
  void remember_windows();
  // Remembers the menus of the action's program. Returns what lies in front of the action's windows.
  std::vector<Rect> remember_popups();

  const OwnWindows& own() const { return own_; }
  const std::vector<WindowInfo>& before() const { return windows_; }

  // kAborted: the action's program has opened a window since remember_windows().
  Result<void> check_no_new_window() const;

  // Tells people what of the windows shows the effect; empty: nothing does so far. A window that opens while a line is
  // typed has another cause: it gets the rest of the text.
  std::string changed(bool types_line) const;
  // The same for the titles of the action's windows. A page may tell the time or its progress in its title, so that a
  // title which changes again does not count.
  std::string changed_title(const Checkpoint& checkpoint);

  // Whether the action's window got no input, as its input time tells. Another program's shortcut may have taken the
  // keys. A window that has told an input time for earlier ones tells one for each.
  bool missed_input();
  bool has_new_popup() const;
  // Returns what lies in front of the action's windows now. nullopt: unknown, or one of them has lost the focus, so
  // that it is drawn otherwise, such as a window whose click went to a modal dialog.
  std::optional<std::vector<Rect>> in_front_now() const;

 private:
  // The windows now, without new ones that another program shows, or that open while a line is typed.
  std::optional<std::vector<WindowInfo>> windows_now(bool types_line) const;
  bool lost_focus(std::span<const WindowInfo> listed) const;

  Desktop& desktop_;
  DrawingPause& pause_;
  const Clock& clock_;
  OwnWindows own_;
  std::vector<WindowInfo> windows_;
  bool on_content_ = false;              // The action clicks on the content of its window.
  std::set<std::string> popups_;         // Menus and other popups of the action's program, before the action.
  std::set<std::string> lively_titles_;  // Windows whose titles change by themselves.
  std::set<std::string> tells_input_;    // Windows that have told new input times for keys.
};

}  // namespace da::actuator
