// The desktop owner's masks: parts of the screen that must not leave the actuator. A TOML file, read at the start.
//
//   [[mask]]
//   rect = [0, 1040, 1920, 40]      # x, y, width, height in desktop pixels
//
//   [[mask]]
//   window = 'Inbox'                # pattern (RE2) on the title, or
//   process = '^thunderbird$'       # pattern on the program's name (lib/os/program_name.h), or both
//   element = '^Message list$'      # optional: pattern on the element's name; else the whole window
//   role = '^table$'                # optional: pattern on the element's role
//
//   [[mask]]
//   passwords = true                # every password field; with window or process, those of these windows
//
// Immutable; any thread. Errors name file, line and column.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/base/pattern.h"
#include "lib/base/result.h"
#include "services/actuator/desktop/roles/ui_tree.h"
#include "services/actuator/desktop/roles/windows.h"

namespace da::actuator {

struct Mask {
  std::optional<Rect> rect;
  std::optional<Pattern> window;
  std::optional<Pattern> process;
  std::optional<Pattern> element;
  std::optional<Pattern> role;
  bool passwords = false;

  // Covers the window wholly or partly. A window whose program is unknown matches every program.
  bool covers(const WindowInfo& window) const;
  // The mask covers the whole window, or its rectangle covers at least half of it (as for names of elements).
  bool hides_title(const WindowInfo& window) const;
  bool whole_window() const { return !rect && !of_elements(); }
  bool of_elements() const { return element || role || passwords; }
  bool covers_element(const Element& element) const;  // The element's window must be covered.
};

// The title for observer and planner: the window's own, or a fixed text if it is masked. `window` must outlive it.
std::string_view shown_title(const WindowInfo& window);

class Masks {
 public:
  Masks() = default;
  static Result<Masks> load(const std::filesystem::path& path);
  static Result<Masks> parse(std::string_view toml, const std::string& name);

  const std::vector<Mask>& all() const { return all_; }

 private:
  std::vector<Mask> all_;
};

}  // namespace da::actuator
