// A small desktop with its own clock, for the planner's tests: windows, elements, the focus, and an editor with a Save
// dialog that behaves like real ones (windows appear late, Save is enabled after the typing, an earlier Enter is
// ignored). fake_observer.h and fake_policy.h wait by advancing its clock. One thread.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "lib/base/clock.h"
#include "lib/base/geometry.h"
#include "services/planner/roles.h"

namespace da::planner {

inline constexpr int kDesktopWidth = 1280;
inline constexpr int kDesktopHeight = 800;
inline constexpr Milliseconds kWorldTick{10};  // The step in which waits advance the clock.
inline constexpr int kImageScale = 2;          // Images have half the width and height.

struct FakeElement {
  std::string id;
  std::string window_id;
  std::string role;
  std::string name;
  std::string text;
  Rect bounds{100, 100, 80, 20};
  bool enabled = true;
  bool editable = false;
  bool checked = false;
  bool painted_only = false;  // Only OCR finds it.
  bool selectable = false;
  bool selected = false;
  std::optional<v1::UiRange> range = std::nullopt;
  std::string parent_id = {};
  std::function<void()> on_click;
};

struct FakeWindow {
  std::string id;
  std::string title;
  std::string executable;
  Rect bounds{0, 0, 800, 600};
  v1::Window::Kind kind = v1::Window::KIND_UNSPECIFIED;
  std::uint32_t pid = 0;
};

class FakeWorld {
 public:
  ManualClock clock;
  std::vector<FakeWindow> windows;
  std::string focused_window;
  std::string focused_element;
  std::vector<std::unique_ptr<FakeElement>> elements;
  std::map<std::string, std::string> files;  // Files that were saved or can be deleted.
  std::vector<std::string> performed;        // Actions, in words.
  std::vector<v1::LaunchedProcess> launched;
  bool restless = false;  // A part of the screen never settles.
  std::function<void(const std::string& command)> on_launch;
  std::function<void(const std::vector<std::string>& keys)> on_keys;
  std::function<void(FakeElement&)> on_typed;

  // Schedules a change of the screen after this time.
  void after(Milliseconds delay, std::function<void()> happens);
  void advance(Milliseconds by);
  // Waits until nothing changed for 300 ms; false after max_wait.
  bool settle(Milliseconds max_wait);

  FakeWindow& open_window(FakeWindow window);
  void close_window(const std::string& id);
  FakeElement& add(FakeElement element);
  FakeElement* element(const std::string& id);

  v1::Observation observation(bool settled) const;
  // Carries out the action at once.
  v1::Outcome perform(const v1::Action& action);

 private:
  void type(const std::string& text);
  void click(FakeElement* target);
  FakeElement* element_at(int x, int y);

  std::multimap<MonoTime, std::function<void()>> coming_;
  bool content_selected_ = false;  // Set by ctrl+a: the next text replaces the content.
  MonoTime changed_at_ = clock.now();
};

// "mousepad": its window opens 200 ms after the launch, and its text gets the focus 100 ms later. ctrl+s opens the
// dialog after 80 ms. Save is enabled 450 ms after the last character in the name field.
void install_editor(FakeWorld& world);

}  // namespace da::planner
