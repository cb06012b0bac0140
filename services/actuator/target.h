// What an action would act on, found on the desktop just now, and whether it is still the same a moment later.
// Reads only. Runs under the desktop's lock.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "da/v1/outcome.pb.h"
#include "da/v1/tools.pb.h"
#include "services/actuator/desktop/desktop.h"
#include "services/actuator/element_registry.h"

namespace da::actuator {

// The neighbourhood of a pointer target: at most 48x48 desktop pixels, tightly packed BGRX.
struct Neighbourhood {
  Rect area;
  std::vector<std::uint8_t> pixels;
};

struct FileIdentity {
  std::string canonical_path;
  std::uint64_t device = 0;
  std::uint64_t inode = 0;  // Used again for a new file, so the time of the last change counts too.
  std::int64_t changed_ns = 0;
  friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};

struct Target {
  std::optional<WindowInfo> foreground;
  std::optional<Element> focused;         // Keyboard tools.
  std::optional<WindowInfo> window;       // Window tools, and the window under a point.
  std::optional<Element> element;         // ui_click, and the element under a point.
  std::optional<WindowInfo> drop_window;  // Drags: the window under the last point, and its element there.
  std::optional<Element> drop_element;
  std::optional<Point> point;
  std::optional<Neighbourhood> neighbourhood;
  std::optional<LaunchPlan> launch;
  std::optional<FileIdentity> file;
  // Why the action cannot be carried out now.
  std::string problem;
  v1::Outcome::Code problem_code = v1::Outcome::CODE_UNSPECIFIED;
};

class TargetFinder {
 public:
  TargetFinder(Desktop& desktop, const ElementRegistry& registry, const Clock& clock)
      : desktop_(desktop), registry_(registry), clock_(clock) {}

  // An error only where the desktop itself fails; a missing target is Target.problem.
  Result<Target> find(const v1::Action& action) const;

 private:
  Result<void> at_point(Point point, Target& target) const;
  Result<void> with_focus(Target& target) const;
  Result<void> by_title(const std::string& title, Target& target) const;
  Result<void> by_process(const std::string& name, Target& target) const;
  Result<void> drop_of(const v1::Drag& drag, Target& target) const;
  Result<std::optional<WindowInfo>> window_of(const Element& element) const;
  Result<void> by_element(const std::string& element_id, Target& target) const;
  Result<void> capture_around(Point point, Target& target) const;
  void of_launch(const std::string& command, Target& target) const;

  Desktop& desktop_;
  const ElementRegistry& registry_;
  const Clock& clock_;
};

// nullopt where the action would still hit what it was prepared for; else what changed, in words. Pixels may differ a
// little (a blinking caret, a hover): see the constants in the .cpp.
std::optional<std::string> difference(const Target& prepared, const Target& now);

}  // namespace da::actuator
