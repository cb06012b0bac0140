#include "services/actuator/privacy/screen_mask.h"

#include <algorithm>
#include <map>

#include "lib/contract/evidence/element_name.h"

namespace da::actuator {
namespace {

// Toolkits report an element's place before they paint it there, and areas that a moved window uncovers are painted
// later: at most a few frames.
constexpr Milliseconds kLinger{500};
constexpr Milliseconds kTreeReadTimeout{500};  // Per window; after it, the whole window is masked.
// Within a longer time between both reads of its place, a field may move and come back unnoticed.
constexpr Milliseconds kMaxApart{150};
constexpr int kMaxReads = 4;  // Trees and screen are read again if windows moved meanwhile.

Hides hides(const Mask& mask) { return mask.passwords ? Hides::kText : Hides::kNamesToo; }

bool touches(const Rect& a, const Rect& b) { return !intersection(a, b).empty(); }

// Adds `areas` and drops what was last seen more than kLinger ago.
template <class Seen, class Area>
void remember(std::vector<Seen>& seen, const std::vector<Area>& areas, MonoTime now) {
  std::erase_if(seen, [&](const Seen& each) {
    return now - each.at > kLinger || std::ranges::find(areas, each.area) != areas.end();
  });
  for (const Area& area : areas) seen.push_back({area, now});
}

bool stand_still(const std::set<std::string>& watched, const std::vector<WindowInfo>& before,
                 const std::vector<WindowInfo>& after) {
  return std::ranges::all_of(watched, [&](const std::string& id) {
    const WindowInfo* first = find_window(before, id);
    const WindowInfo* second = find_window(after, id);
    if (first == nullptr || second == nullptr) return first == second;
    return first->bounds == second->bounds && first->minimized == second->minimized;
  });
}

// The windows in which an area moved, appeared or disappeared.
std::set<std::string> changed_windows(const std::vector<AnchoredArea>& before, const std::vector<AnchoredArea>& after) {
  std::set<std::string> changed;
  const auto compare = [&](const auto& these, const auto& those) {
    for (const AnchoredArea& area : these) {
      if (area.in_window && std::ranges::find(those, area) == those.end()) changed.insert(area.window_id);
    }
  };
  compare(before, after);
  compare(after, before);
  return changed;
}

}  // namespace

Result<MaskedView> ScreenMask::capture(Desktop& desktop, const std::optional<Rect>& part, const Clock& clock) {
  const auto take = [&] { return part ? desktop.screen().capture_area(*part) : desktop.screen().capture(); };
  MaskedView captured;
  if (masks_nothing()) {
    ASSIGN_OR_RETURN(captured.view, take());
    return captured;
  }
  ASSIGN_OR_RETURN(Found found, find(desktop, clock));
  std::vector<WindowInfo> windows;
  bool still = false;
  for (int read = 0; read < kMaxReads && !still; ++read) {
    ASSIGN_OR_RETURN(const auto before, desktop.windows().list());
    ASSIGN_OR_RETURN(captured.view, take());
    ASSIGN_OR_RETURN(windows, desktop.windows().list());
    auto ids = watched(before, found);
    ids.merge(watched(windows, found));
    still = stand_still(ids, before, windows);
  }
  ASSIGN_OR_RETURN(const Found after, find(desktop, clock));
  for (const std::string& window : changed_windows(found.areas, after.areas)) {
    found.areas.push_back({window, std::nullopt, Hides::kNamesToo});
  }
  found.areas.insert(found.areas.end(), after.areas.begin(), after.areas.end());
  if (!fields_.empty() && clock.now() - found.fields_read > kMaxApart) {
    for (AnchoredArea& area : found.areas) area.in_window.reset();
  }
  found.windows.insert(after.windows.begin(), after.windows.end());
  captured.masked = place_all(found, windows, clock.now());
  if (!still) captured.masked.push_back({captured.view.area, Hides::kNamesToo});
  return captured;
}

Result<Masked> ScreenMask::locate(Desktop& desktop, const Clock& clock) {
  Masked masked;
  if (masks_nothing()) return masked;
  ASSIGN_OR_RETURN(const Found found, find(desktop, clock));
  ASSIGN_OR_RETURN(masked.windows, desktop.windows().list());
  masked.areas = place_all(found, masked.windows, clock.now());
  return masked;
}

Result<ScreenMask::Found> ScreenMask::find(Desktop& desktop, const Clock& clock) {
  Found found;
  ASSIGN_OR_RETURN(const auto windows, desktop.windows().list());
  for (const WindowInfo& window : windows) {
    if (!window.minimized) RETURN_IF_ERROR(find_in_window(desktop, window, clock, found));
  }
  found.fields_read = clock.now();
  ASSIGN_OR_RETURN(const auto fields, fields_.locate(desktop, clock));
  found.areas.insert(found.areas.end(), fields.begin(), fields.end());
  remember(recent_, found.areas, clock.now());
  mask_restless(found);
  return found;
}

// Masks windows in which areas moved more than once within kLinger: they may be painted where nothing located them.
void ScreenMask::mask_restless(Found& found) const {
  std::map<std::string, std::set<MonoTime>> left;
  for (const auto& seen : recent_) {
    const bool is_there = std::ranges::find(found.areas, seen.area) != found.areas.end();
    if (seen.area.in_window && !is_there) left[seen.area.window_id].insert(seen.at);
  }
  for (const auto& [window, times] : left) {
    if (times.size() > 1) found.areas.push_back({window, std::nullopt, Hides::kNamesToo});
  }
}

Result<void> ScreenMask::find_in_window(Desktop& desktop, const WindowInfo& window, const Clock& clock,
                                        Found& found) const {
  std::vector<const Mask*> on_elements;
  for (const Mask& mask : masks_.all()) {
    if (mask.of_elements() && mask.covers(window)) on_elements.push_back(&mask);
  }
  if (on_elements.empty()) return ok();
  found.windows.insert(window.id);
  // Without a process id, no element can be assigned to the window.
  if (window.pid == 0) {
    found.areas.push_back({window.id, std::nullopt, Hides::kNamesToo});
    return ok();
  }
  for (int read = 0; read < kMaxReads; ++read) {
    ASSIGN_OR_RETURN(const auto before, desktop.windows().list());
    ASSIGN_OR_RETURN(const ElementTree tree,
                     desktop.ui_tree().read(window, {TreeLimits{}.max_nodes, clock.now() + kTreeReadTimeout}));
    ASSIGN_OR_RETURN(const auto after, desktop.windows().list());
    // A truncated tree may lack masked elements. A window without a tree has none.
    if (tree.truncated) break;
    if (!stand_still({window.id}, before, after)) continue;
    const WindowInfo* now = find_window(after, window.id);
    if (now == nullptr) return ok();
    for (const Element& element : tree.elements) {
      for (const Mask* mask : on_elements) {
        const bool unplaced = !element.unplaced.empty();
        if ((element.bounds.empty() && !unplaced) || !mask->covers_element(element)) continue;
        const auto area =
            unplaced ? std::nullopt : std::optional(moved(element.bounds, -now->bounds.x, -now->bounds.y));
        found.areas.push_back({window.id, area, hides(*mask)});
      }
    }
    return ok();
  }
  found.areas.push_back({window.id, std::nullopt, Hides::kNamesToo});
  return ok();
}

std::vector<MaskedArea> ScreenMask::place_all(const Found& found, const std::vector<WindowInfo>& windows,
                                              MonoTime now) {
  std::vector<MaskedArea> areas;
  for (const Mask& mask : masks_.all()) {
    if (mask.rect) areas.push_back({*mask.rect, Hides::kNamesToo});
    for (const WindowInfo& window : windows) {
      const bool unknown = mask.of_elements() && !found.windows.contains(window.id);
      if (mask.covers(window) && !window.minimized && (mask.whole_window() || unknown)) {
        areas.push_back({window.bounds, Hides::kNamesToo});
      }
    }
  }
  const auto add = [&](const AnchoredArea& area) {
    const auto placed = place(area, windows);
    if (placed && std::ranges::find(areas, *placed) == areas.end()) areas.push_back(*placed);
  };
  std::ranges::for_each(found.areas, add);
  for (const auto& seen : recent_) add(seen.area);
  remember(placed_, areas, now);
  areas.clear();
  for (const auto& seen : placed_) areas.push_back(seen.area);
  return areas;
}

std::set<std::string> ScreenMask::watched(const std::vector<WindowInfo>& windows, const Found& found) const {
  std::set<std::string> ids;
  for (const AnchoredArea& area : found.areas) {
    if (!area.window_id.empty()) ids.insert(area.window_id);
  }
  for (const WindowInfo& window : windows) {
    if (std::ranges::any_of(masks_.all(), [&](const Mask& mask) { return mask.covers(window); })) ids.insert(window.id);
  }
  return ids;
}

bool ScreenMask::covers(const Mask& mask, const Element& element, const Masked& masked) const {
  const auto may_be_in = [&](const WindowInfo& window) {
    const bool may_be_its_own = window.pid == element.pid && !element.unplaced.empty();
    const bool unattributed = element.window_id.empty() && (window.pid == 0 || may_be_its_own);
    return (window.id == element.window_id || unattributed) && mask.covers(window);
  };
  if (std::ranges::none_of(masked.windows, may_be_in)) return false;
  return mask.whole_window() || mask.covers_element(element);
}

// Whether the element may show in the area. One whose place is unknown may be anywhere in its windows.
bool ScreenMask::may_show_in(const MaskedArea& area, const Element& element, const Masked& masked) {
  if (element.unplaced.empty()) return touches(area.area, element.bounds);
  return std::ranges::any_of(masked.windows, [&](const WindowInfo& window) {
    const bool own = element.window_id.empty() ? window.pid == element.pid : window.id == element.window_id;
    return own && touches(area.area, window.bounds);
  });
}

void ScreenMask::hide_text(Element& element, const Masked& masked) const {
  const auto covered = [&](const MaskedArea& masked_area) { return may_show_in(masked_area, element, masked); };
  if (fields_.contains(element.handle) || std::ranges::any_of(masked.areas, covered) ||
      std::ranges::any_of(masks_.all(), [&](const Mask& mask) { return covers(mask, element, masked); })) {
    element.text.clear();
    element.range.reset();
  }
  const auto given = fields_.given_to(element.pid);
  if (given.empty()) return;
  // The limit is in characters, each at least one byte.
  const bool cut = element.text.size() >= kMaxElementText;
  cut ? secrets_.redact_cut(element.text, given) : secrets_.redact(element.text, given);
  for (std::string* name : {&element.name, &element.placeholder}) {
    contract::may_be_cut(*name) ? secrets_.redact_cut(*name, given) : secrets_.redact(*name, given);
  }
}

void ScreenMask::hide(Element& element, const Masked& masked) const {
  const auto mostly = [&](const MaskedArea& masked_area) {
    if (masked_area.hides != Hides::kNamesToo) return false;
    if (!element.unplaced.empty()) return may_show_in(masked_area, element, masked);
    return !element.bounds.empty() &&
           2 * intersection(masked_area.area, element.bounds).area() >= element.bounds.area();
  };
  const auto by_itself = [&](const Mask& mask) {
    return hides(mask) == Hides::kNamesToo && covers(mask, element, masked);
  };
  if (std::ranges::any_of(masked.areas, mostly) || std::ranges::any_of(masks_.all(), by_itself)) {
    element.name.clear();
    element.placeholder.clear();
  }
  hide_text(element, masked);
}

void ScreenMask::hide(WindowInfo& window) const {
  window.title_is_masked =
      std::ranges::any_of(masks_.all(), [&](const Mask& mask) { return mask.hides_title(window); });
  secrets_.redact(window.title, window.pid == 0 ? fields_.given() : fields_.given_to(window.pid));
}

void ScreenMask::hide_titles(std::string& message, const std::vector<WindowInfo>& windows) const {
  hide(message);
  if (std::ranges::none_of(windows, &WindowInfo::title_is_masked)) return;
  // A quoted title may be escaped or cut, so that it cannot be compared.
  const auto begin = message.find('"');
  const auto end = message.rfind('"');
  if (begin != std::string::npos && end > begin) message.replace(begin, end + 1 - begin, "(masked)");
}

void ScreenMask::hide(std::string& message, std::string_view known) const {
  secrets_.redact(message, fields_.given(), known);
}

}  // namespace da::actuator
