// What an action would act on, found on the desktop just now. same_target.h says whether it is still the same later.
// Reads only. Runs under the desktop's lock.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "da/v1/outcome.pb.h"
#include "da/v1/tools.pb.h"
#include "services/actuator/desktop/desktop.h"
#include "services/actuator/element_registry.h"
#include "services/actuator/screen_mask.h"

namespace da::actuator {

// What a pointer target looks like: the brightness of at most 48x48 desktop pixels around the point
// (lib/contract/likeness.h), of a known element only those within its border.
struct Neighbourhood {
  Rect area;
  std::string look;
};

struct FileIdentity {
  std::string canonical_path;
  std::uint64_t device = 0;
  std::uint64_t inode = 0;  // Used again for a new file, so the time of the last change counts too.
  std::int64_t changed_ns = 0;
  std::uint64_t size = 0;  // Bytes.
  friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};

struct Target {
  std::optional<WindowInfo> foreground;
  std::optional<Element> focused;         // Keyboard tools.
  std::optional<WindowInfo> window;       // Window tools, and the window under a point.
  std::optional<Element> element;         // ui_click, and the element under a point.
  std::optional<WindowInfo> cover;        // ui_click: what is on top at the element, its own window or another.
  std::optional<WindowInfo> drop_window;  // Drags: the window under the last point, and its element there.
  std::optional<Element> drop_element;
  // FoundElement.unread of `focused`, `element` and `drop_element`.
  bool focus_unread = false;
  bool element_unread = false;
  bool drop_unread = false;
  std::optional<Point> point;
  std::optional<Point> button_held;            // Where the button went down that is held.
  std::optional<Point> drop_point;             // Drags: the last point.
  bool by_name = false;                        // ui_click: the point is the middle of what shows of the element.
  std::optional<Neighbourhood> neighbourhood;  // mouse, drag.
  std::optional<Neighbourhood> drop_neighbourhood;
  std::optional<LaunchPlan> launch;
  std::optional<FileIdentity> file;  // file_delete, and the program that launch would execute.
  // Why the action cannot be carried out now.
  std::string problem;
  v1::Outcome::Code problem_code = v1::Outcome::CODE_UNSPECIFIED;
};

class TargetFinder {
 public:
  TargetFinder(Desktop& desktop, const ElementRegistry& registry, const ScreenMask& mask, const Clock& clock)
      : desktop_(desktop), registry_(registry), mask_(mask), clock_(clock) {}

  // An error only where the desktop itself fails; a missing target is Target.problem.
  Result<Target> find(const v1::Action& action) const;

 private:
  // Every point of a drag has to be.
  Result<void> on_desktop(const v1::Drag& drag, Target& target) const;
  Result<void> at_point(Point point, Target& target) const;
  Result<void> look_at_target(Target& target) const;
  Result<void> with_focus(Target& target) const;
  Result<void> by_title(const std::string& title, Target& target) const;
  Result<void> by_process(const std::string& name, Target& target) const;
  Result<void> drop_of(const v1::Drag& drag, Target& target) const;
  Result<std::optional<WindowInfo>> window_of(const Element& element, const std::optional<WindowInfo>& cover) const;
  Result<void> by_element(const std::string& element_id, Target& target) const;
  Result<Neighbourhood> look_around(Point point, const std::optional<Element>& element) const;
  void of_launch(const std::string& command, Target& target) const;
  // With what of their titles is not shown to planners: it must not be found by guessing either.
  Result<std::vector<WindowInfo>> list_windows() const;
  // A name or title for a message: without secrets before it is cut, or the beginning of one would be left.
  std::string show_hidden(std::string foreign) const;

  Desktop& desktop_;
  const ElementRegistry& registry_;
  const ScreenMask& mask_;
  const Clock& clock_;
};

}  // namespace da::actuator
