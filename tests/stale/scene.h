// One real application in the state in which a case starts, and the disturbances that can happen to it. Each
// disturbance returns when it has taken effect. One thread.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tests/stale/stage.h"

namespace da::stale {

enum class Restart { kWhenNeeded, kForEachCase };

// Places are relative to the top left corner of the application's window.
struct Application {
  std::string name;
  std::string command;
  std::string title;         // Part of the main window's title.
  std::string dialog_chord;  // Opens the dialog that the cases use; empty: they use the main window.
  std::string dialog_title;
  std::vector<std::string> reset_keys;
  std::string field_text;        // Typed after the reset keys.
  Point content;                 // A place that shows text.
  std::string control;           // Name of an element; empty if there is no accessibility tree.
  std::string field_chord;       // Moves the focus to another field.
  std::string own_dialog_chord;  // Opens a dialog of the application above the content.
  Restart restart = Restart::kWhenNeeded;
  bool known() const { return !control.empty(); }
};

class Scene {
 public:
  Scene(Stage& stage, const Application& application, actuator::WindowInfo window)
      : stage_(&stage), application_(&application), window_(std::move(window)) {}

  Stage& stage() { return *stage_; }
  const Application& application() const { return *application_; }
  const actuator::WindowInfo& window() const { return window_; }
  Point content() const { return at(application_->content); }
  Result<actuator::Element> control();
  // Sets the place at which the case's action will act.
  void aim(Point target) { target_ = target; }

  Result<void> click_target();
  Result<void> caret_blinks();
  Result<void> pointer_comes();
  Result<void> pointer_leaves();
  Result<void> tooltip_shows();
  Result<void> moves(int dx, int dy);
  Result<void> grows();
  Result<void> clock_ticks_elsewhere();
  Result<void> window_opens_beside();
  Result<void> window_covers();
  Result<void> own_dialog_covers();
  Result<void> selection_elsewhere();
  Result<void> clipboard_changes();
  Result<void> focus_goes_elsewhere();
  Result<void> focus_goes_to_another_field();
  Result<void> restacks_elsewhere();
  Result<void> title_changes();
  Result<void> closes();
  Result<void> is_replaced();
  Result<void> is_minimized();
  Result<void> scrolls();
  Result<void> content_is_erased();
  Result<void> control_is_disabled();
  Result<void> label_changes();
  Result<void> namesake_opens();

  Result<void> place(Point corner);
  Result<void> key(const std::string& chord) { return stage_->xdotool({"key", "--clearmodifiers", chord}); }
  Result<void> pointer_to(Point at);

 private:
  Point at(Point inside) const { return {window_.bounds.x + inside.x, window_.bounds.y + inside.y}; }
  Rect around_target() const { return {target_.x - 24, target_.y - 24, 48, 48}; }
  Result<void> changing(const Rect& area, const std::function<Result<void>()>& act);
  Result<void> foreground_changing(const std::function<Result<void>()>& act);
  Result<void> show_message(Point at, int width, int height);

  Stage* stage_;
  const Application* application_;
  actuator::WindowInfo window_;
  Point target_;
};

// Prepares scenes: only the application and a terminal elsewhere are open, and the pointer is in a corner.
class SceneSetter {
 public:
  explicit SceneSetter(Stage& stage) : stage_(stage) {}
  Result<Scene> set(const Application& application);
  // Ends the application, so that the next scene starts it again.
  void end_application();

 private:
  Result<void> start(const Application& application);
  Result<void> start_elsewhere();
  bool reset(const Application& application);

  Stage& stage_;
  std::string running_;        // Name of the running application.
  actuator::WindowInfo home_;  // Its window in its initial state.
};

}  // namespace da::stale
