#include "services/actuator/proof/window_effect.h"

#include <algorithm>
#include <thread>

#include "lib/contract/evidence/evidence.h"
#include "services/actuator/proof/click_kind.h"
#include "services/actuator/proof/window_change.h"

namespace da::actuator {
namespace {

// A program that is busy with a window of its own tells a click within this time, if it tells any.
constexpr Milliseconds kTellsWithin{100};
constexpr Milliseconds kBetweenLooks{5};

// The ids of the program's menus and other popups.
std::set<std::string> popups_of(std::span<const ClickArea> areas, const OwnWindows& own) {
  std::set<std::string> popups;
  for (const ClickArea& area : areas) {
    const bool of_program = own.pid != 0 && area.window.pid == own.pid;
    if (!area.listed && !area.only_shows && of_program) popups.insert(area.window.id);
  }
  return popups;
}

OwnWindows own_windows(const v1::Action& action, const ActionTarget& target) {
  OwnWindows own;
  const auto& window = contract::is_keyboard_tool(action) ? target.foreground : target.window;
  for (const auto* each : {&window, &target.drop_window}) {
    if (!*each) continue;
    own.ids.push_back((*each)->id);
    own.area = bounding(own.area, (*each)->bounds);
    if (own.pid == 0) own.pid = (*each)->pid;
  }
  return own;
}

}  // namespace

void WindowEffect::begin(const v1::Action& action, const ActionTarget& target) {
  own_ = own_windows(action, target);
  on_content_ = is_click(action) && target.window && !target.window->on_frame;
  windows_.clear();
  popups_.clear();
  lively_titles_.clear();
}

void WindowEffect::remember_windows() {
  if (auto windows = desktop_.windows().list()) windows_ = *std::move(windows);
}

std::vector<Rect> WindowEffect::remember_popups() {
  const auto areas = desktop_.state().click_areas(windows_);
  if (!areas) return {};
  popups_ = popups_of(*areas, own_);
  return areas_in_front(*areas, own_);
}

Result<void> WindowEffect::check_no_new_window() const {
  if (own_.pid == 0 || windows_.empty()) return ok();
  const auto now = desktop_.windows().list();
  if (!now || !has_new_window(windows_, *now, own_.pid)) return ok();
  return Error{Code::kAborted, "its program opened another window in the last moment"};
}

std::optional<std::vector<WindowInfo>> WindowEffect::windows_now(bool types_line) const {
  auto now = desktop_.windows().list();
  if (!now) return std::nullopt;
  std::erase_if(*now, [&](const WindowInfo& window) {
    if (std::ranges::find(windows_, window.id, &WindowInfo::id) != windows_.end()) return false;
    if (types_line) return true;
    const bool of_another_program = own_.pid != 0 && window.pid != own_.pid;
    return of_another_program && !desktop_.windows().may_be_started_by(window.pid, own_.pid);
  });
  return *std::move(now);
}

std::string WindowEffect::changed(bool types_line) const {
  auto now = windows_now(types_line);
  if (!now) return {};
  // A window may have opened by itself just before its program takes the input, which then goes nowhere.
  const bool may_tell = !own_.ids.empty() && own_.pid != 0;
  for (Milliseconds waited{0}; may_tell && waited < kTellsWithin; waited += kBetweenLooks) {
    if (!has_new_window(windows_, *now, own_.pid) || tells_new_input(windows_, *now, own_.ids.front())) break;
    std::this_thread::sleep_for(kBetweenLooks);
    now = windows_now(types_line);
    if (!now) return {};
  }
  return window_change(windows_, *now, own_.pid, own_.ids, on_content_).value_or("");
}

std::string WindowEffect::changed_title(const Checkpoint& checkpoint) {
  const auto title_now = [&](const std::string& id) -> std::optional<std::string> {
    const auto listed = desktop_.windows().list();
    if (!listed) return std::nullopt;
    const auto window = std::ranges::find(*listed, id, &WindowInfo::id);
    return window == listed->end() ? std::nullopt : std::optional(window->title);
  };
  for (const std::string& id : own_.ids) {
    const auto before = std::ranges::find(windows_, id, &WindowInfo::id);
    if (before == windows_.end() || lively_titles_.contains(id)) continue;
    const auto changed = title_now(id);
    if (!changed || *changed == before->title) continue;
    const MonoTime until = clock_.now() + DrawingPause::kTick;
    while (!lively_titles_.contains(id) && pause_.await_drawing(until, checkpoint)) {
      if (const auto later = title_now(id); later && later != changed) lively_titles_.insert(id);
    }
    if (!lively_titles_.contains(id)) return "a window's title changed";
  }
  return {};
}

bool WindowEffect::missed_input() {
  const auto listed = desktop_.windows().list();
  if (!listed || own_.ids.empty()) return false;
  const std::string& id = own_.ids.front();
  const auto before = std::ranges::find(windows_, id, &WindowInfo::id);
  const auto now = std::ranges::find(*listed, id, &WindowInfo::id);
  if (before == windows_.end() || now == listed->end() || !now->input_time) return false;
  if (before->input_time == now->input_time) return tells_input_.contains(id);
  tells_input_.insert(id);
  return false;
}

bool WindowEffect::has_new_popup() const {
  const auto listed = desktop_.windows().list();
  if (!listed) return false;
  const auto areas = desktop_.state().click_areas(*listed);
  return areas && !std::ranges::includes(popups_, popups_of(*areas, own_));
}

bool WindowEffect::lost_focus(std::span<const WindowInfo> listed) const {
  return std::ranges::any_of(own_.ids, [&](const std::string& id) {
    const auto before = std::ranges::find(windows_, id, &WindowInfo::id);
    const auto now = std::ranges::find(listed, id, &WindowInfo::id);
    return before != windows_.end() && now != listed.end() && before->focused && !now->focused;
  });
}

std::optional<std::vector<Rect>> WindowEffect::in_front_now() const {
  const auto listed = desktop_.windows().list();
  if (!listed || lost_focus(*listed)) return std::nullopt;
  const auto areas = desktop_.state().click_areas(*listed);
  if (!areas) return std::nullopt;
  return areas_in_front(*areas, own_);
}

}  // namespace da::actuator
