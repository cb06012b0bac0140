// What every back end of services/actuator/desktop/desktop.h promises is tested by the *_contract.cpp files here. Each
// back end links them with its own Stage: a desktop of the test's own, and a target program that tells what it
// received. Coordinates are desktop pixels.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "services/actuator/desktop/desktop.h"

namespace da::actuator::contract {

using Events = std::vector<std::string>;

enum class PersonActs {
  kTapsKey,         // A letter.
  kUsesMouse,       // A move, or a click at the pointer.
  kPressesKillKeys  // Ctrl+Shift+Esc, and releases them.
};

// One window of the target program. It has a text field "Text" with the focus, a list of the rows "Row 1" to "Row 12",
// of which only the first few show, a button "Press", and below them an area without elements, the pad.
struct Target {
  WindowInfo window;
  Rect pad;
};

class Stage {
 public:
  virtual ~Stage() = default;
  virtual Desktop& desktop() = 0;
  // Starts the target program in a process of its own, and returns once its window is active.
  virtual Target open_target(const std::string& title) = 0;
  // What the program with this window title has received so far, in order: "press left 10,20", "move 10,20",
  // "release left 10,20" (all on the pad), "wheel 0,1" (right, down), "chord ctrl+s", "pressed" (its button).
  virtual Events received(const std::string& title) = 0;
  // The content of its text field.
  virtual std::string text(const std::string& title) = 0;
  // Whether this desktop can show an overlay, and what a person sees now: equal looks give equal texts.
  virtual bool has_overlay() = 0;
  virtual std::string seen_by_person() = 0;
  // Opens a modal dialog "Question" of the target program with this title, and returns once it is active.
  virtual void open_dialog(const std::string& title) = 0;
  // Opens an unmanaged window at the top left corner, 300x24, that takes the keyboard from the active window, and
  // returns once it has. False: no window can do that here.
  virtual bool open_launcher() { return false; }
  // Opens an unmanaged window in the upper left corner that has grabbed the pointer, as open menus do. False where
  // menus grab nothing.
  virtual bool open_menu() { return false; }
  // Input that this desktop takes for a person's. False: nothing here can act as a person.
  virtual bool act_as_person(PersonActs act) = 0;
  // A locker covers the desktop until unlock(), and returns without waiting for it. False: nothing here can lock it.
  virtual bool lock() = 0;
  virtual void unlock() = 0;
  // What this desktop cannot do everywhere, and whether it can here.
  virtual bool reports_changes() { return true; }
  virtual bool shows_cursors() { return true; }

  MonoTime deadline() const { return system_clock().now() + Milliseconds(20'000); }
  // Checks `condition` until it is true; false at the deadline.
  bool eventually(const std::function<bool()>& condition);
  // Returns once a window with this title has the focus, or at the deadline.
  void await_focus_of(const std::string& title);
};

// Each back end defines it. May throw.
std::unique_ptr<Stage> open_stage();

class ContractTest : public testing::Test {
 protected:
  // Waits until the target has received as many events, and returns them.
  Events events(std::size_t at_least);

  std::unique_ptr<Stage> stage_ = open_stage();
  Desktop& desktop_ = stage_->desktop();
  Target target_ = stage_->open_target("Target");
};

inline Result<void> go_on() { return ok(); }
std::string at(Point point);

#define ASSERT_DONE(expression)                                  \
  do {                                                           \
    const auto& outcome = (expression);                          \
    ASSERT_TRUE(outcome.has_value()) << outcome.error().message; \
  } while (false)

}  // namespace da::actuator::contract
