#include "services/observer/analyse/region.h"

#include <string>
#include <utility>

#include "lib/base/name_text.h"
#include "lib/base/pattern.h"
#include "lib/base/text.h"
#include "services/observer/frames/wire.h"

namespace da::observer {
namespace {

std::string place_of(const Rect& area) {
  return std::to_string(area.x) + "," + std::to_string(area.y) + " " + std::to_string(area.width) + "x" +
         std::to_string(area.height);
}

// Width or height 0 reach to the window's edge.
Rect inside_window(const Rect& part, const Rect& window) {
  return {window.x + part.x, window.y + part.y, part.width == 0 ? window.width - part.x : part.width,
          part.height == 0 ? window.height - part.y : part.height};
}

}  // namespace

v1::AnalysisError analysis_error(v1::AnalysisError::Code code, std::string message) {
  v1::AnalysisError error;
  error.set_code(code);
  error.set_message(std::move(message));
  return error;
}

std::variant<Region, v1::AnalysisError> find_region(const v1::RegionQuery& query, const Rect& desktop,
                                                    std::span<const v1::Window* const> windows) {
  Region region{rect_from_wire(query.area()), {}, nullptr};
  if (query.has_window()) {
    const std::string& wanted = query.window().title_pattern();
    const auto pattern = Pattern::compile(wanted);
    if (!pattern) return analysis_error(v1::AnalysisError::CODE_BAD_WINDOW_PATTERN, pattern.error().message);
    bool minimized = false;
    for (const v1::Window* window : windows) {
      if (!pattern->matches(composed(window->title()))) continue;
      minimized = minimized || window->minimized();
      if (window->minimized()) continue;
      region.window = window;
      break;
    }
    if (region.window == nullptr) {
      return analysis_error(
          v1::AnalysisError::CODE_WINDOW_NOT_FOUND,
          (minimized ? "the window is minimized: " : "no window has such a title: ") + quote_foreign(wanted));
    }
    region.area = inside_window(rect_from_wire(query.window().area()), rect_from_wire(region.window->bounds()));
  }
  region.visible = intersection(region.area, desktop);
  if (region.area.empty() || region.visible.empty()) {
    return analysis_error(v1::AnalysisError::CODE_OUTSIDE_DESKTOP,
                          "the region " + place_of(region.area) + " is outside of the desktop, " + place_of(desktop));
  }
  return region;
}

}  // namespace da::observer
