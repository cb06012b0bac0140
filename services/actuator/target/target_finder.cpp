#include "services/actuator/target/target_finder.h"

#include <algorithm>
#include <thread>

#include "lib/base/name_text.h"
#include "lib/base/path_text.h"
#include "lib/base/text.h"
#include "lib/contract/secret_placeholder.h"

namespace da::actuator {
namespace {

// An application that is busy for longer would not read keys either.
constexpr Milliseconds kFocusedElementTimeout{2'000};
// How often, and for how long each time, the first keys for a window wait for its focus.
constexpr int kMostFocusTries = 8;
constexpr Milliseconds kFocusPause{50};
constexpr std::size_t kMostReceivers = 200;
constexpr int kNamedButtons = 6;  // Most buttons listed for a dialog that is in the way.
constexpr const char* kNoWindowManager =
    "no window manager runs on this display, which would give it to one (start one, for example openbox)";

std::string show(const std::string& foreign) { return "\"" + escape_foreign(foreign, 80) + "\""; }

std::string executable_name(const WindowInfo& window) { return text_of(path_of(window.executable).filename()); }

// The window that the action's input goes to, if the system discards that input.
const WindowInfo* out_of_reach(const ActionTarget& target) {
  const bool by_keys = !target.window && !target.point && !target.launch && !target.file;
  for (const auto& window : {&target.window, &target.drop_window, by_keys ? &target.foreground : &target.window}) {
    if (*window && !(*window)->takes_input) return &**window;
  }
  return nullptr;
}

// The pointer reaches only monitors, and an element may lie across their edges.
Rect part_on_one_monitor(const Rect& area, const Layout& layout) {
  Rect largest;
  for (const MonitorInfo& monitor : layout.monitors) {
    const Rect part = intersection(area, monitor.bounds);
    if (part.area() > largest.area()) largest = part;
  }
  return layout.monitors.empty() ? intersection(area, layout.desktop) : largest;
}

}  // namespace

Result<ActionTarget> TargetFinder::find(const v1::Action& action) const {
  ActionTarget target;
  ASSIGN_OR_RETURN(target.foreground, desktop_.windows().foreground());
  target.button_held = desktop_.input().button_held();
  switch (action.tool_case()) {
    case v1::Action::kMouse:
      RETURN_IF_ERROR(at_point({action.mouse().x(), action.mouse().y()}, target));
      RETURN_IF_ERROR(look_at_target(target));
      break;
    case v1::Action::kScroll: RETURN_IF_ERROR(at_point({action.scroll().x(), action.scroll().y()}, target)); break;
    case v1::Action::kDrag:
      RETURN_IF_ERROR(on_desktop(action.drag(), target));
      if (!target.problem.empty()) break;
      RETURN_IF_ERROR(at_point({action.drag().path(0).x(), action.drag().path(0).y()}, target));
      RETURN_IF_ERROR(look_at_target(target));
      RETURN_IF_ERROR(drop_of(action.drag(), target));
      RETURN_IF_ERROR(passed_by(action.drag(), target));
      break;
    case v1::Action::kPress:
    case v1::Action::kHotkey:
    case v1::Action::kWrite:
    case v1::Action::kPaste:
    case v1::Action::kKeyboardType: RETURN_IF_ERROR(with_focus(target)); break;
    case v1::Action::kUiClick:
      RETURN_IF_ERROR(by_element(action.ui_click().element_id(), target));
      if (target.button_held) {
        target.set_problem(
            v1::Outcome::CODE_NOT_ACTIONABLE,
            "a mouse button is held, and clicking an element would drop what it drags: release it first");
      }
      break;
    case v1::Action::kFocusWindow: RETURN_IF_ERROR(by_title(action.focus_window().title(), target)); break;
    case v1::Action::kCloseWindow: RETURN_IF_ERROR(by_title(action.close_window().title(), target)); break;
    case v1::Action::kAppTerminate:
      RETURN_IF_ERROR(action.app_terminate().has_title() ? by_title(action.app_terminate().title(), target)
                                                         : by_process(action.app_terminate().process(), target));
      if (target.window && !target.window->owner_is_known()) {
        target.set_problem(v1::Outcome::CODE_UNSUPPORTED, "it is unknown which program owns " +
                                                              show_hidden(std::string(shown_title(*target.window))) +
                                                              ", so none is terminated: use close_window");
      }
      break;
    case v1::Action::kLaunch: of_launch(action.launch().command(), target); break;
    case v1::Action::kFileDelete: of_file(action.file_delete().path(), target); break;
    default: target.set_problem(v1::Outcome::CODE_UNSUPPORTED, "the actuator does not carry out this tool"); break;
  }
  // Moving the pointer and releasing a button need no answer.
  const bool gives_input = action.has_ui_click() || action.has_scroll() || action.has_drag() ||
                           (action.has_mouse() && action.mouse().action() != v1::Mouse::GESTURE_MOVE &&
                            action.mouse().action() != v1::Mouse::GESTURE_UP);
  if (gives_input && target.problem.empty()) RETURN_IF_ERROR(not_blocked(target.window, target));
  if (action.has_drag() && target.problem.empty()) RETURN_IF_ERROR(not_blocked(target.drop_window, target));
  if (const auto* window = out_of_reach(target); window != nullptr && target.problem.empty()) {
    target.set_problem(v1::Outcome::CODE_OUT_OF_REACH,
                       "the system discards input to " + show_hidden(std::string(shown_title(*window))) +
                           ", because its program has more rights than the actuator: start it without them");
  }
  return target;
}

Result<void> TargetFinder::at_point(Point point, ActionTarget& target) const {
  ASSIGN_OR_RETURN(const Layout layout, desktop_.screen().layout());
  target.point = point;
  if (!layout.desktop.contains(point)) {
    target.set_outside(point);
    return ok();
  }
  ASSIGN_OR_RETURN(target.window, desktop_.windows().window_at(point));
  if (target.window) {
    ASSIGN_OR_RETURN(auto found, desktop_.ui_tree().element_at(*target.window, point, clock_.now() + kElementTimeout));
    target.element = std::move(found.element);
    target.element_unread = found.unread;
  }
  return ok();
}

Result<void> TargetFinder::look_at_target(ActionTarget& target) const {
  if (!target.problem.empty()) return ok();
  ASSIGN_OR_RETURN(target.neighbourhood, look_around(desktop_, *target.point, target.element));
  return ok();
}

Result<void> TargetFinder::with_focus(ActionTarget& target) const {
  ASSIGN_OR_RETURN(target.receiver, desktop_.state().key_receiver());
  if (!target.receiver->unknown.empty()) {
    ASSIGN_OR_RETURN(const auto windows, list_windows());
    std::string why = target.receiver->unknown;
    mask_.hide_titles(why, windows);
    target.set_problem(v1::Outcome::CODE_NOT_ACTIONABLE, why + ": close its menu or window first");
    return ok();
  }
  const bool was_active = target.foreground.has_value();
  target.foreground = target.receiver->window;
  if (!target.foreground) {
    ASSIGN_OR_RETURN(const bool managed, desktop_.state().manages_focus());
    // The window manager may be about to give the focus to the active window.
    target.set_problem(was_active ? v1::Outcome::CODE_NOT_ACTIONABLE : v1::Outcome::CODE_NOT_FOUND,
                       managed ? "no window has the keyboard focus"
                               : std::string("no window has the keyboard focus: ") + kNoWindowManager);
    return ok();
  }
  RETURN_IF_ERROR(not_blocked(target.foreground, target));
  if (!target.problem.empty()) return ok();
  ASSIGN_OR_RETURN(auto found, focus_of(*target.foreground));
  target.focused = std::move(found.element);
  target.focus_unread = found.unread;
  return ok();
}

// A program that has just opened its window may not have told yet where the focus is. So the first keys for a window
// wait for it. Some programs never tell.
Result<FoundElement> TargetFinder::focus_of(const WindowInfo& window) const {
  if (receivers_.size() >= kMostReceivers) receivers_.clear();
  const bool first = receivers_.insert(window.id).second;
  for (int tries = 0;; ++tries) {
    ASSIGN_OR_RETURN(auto found, desktop_.ui_tree().focused(window, clock_.now() + kFocusedElementTimeout));
    if (!first || found.element || found.unread || tries == kMostFocusTries) return found;
    std::this_thread::sleep_for(kFocusPause);
  }
}

void TargetFinder::expect_receiver(const std::string& window_id, ActionTarget& target) const {
  if (window_id.empty() || !target.receiver || !target.problem.empty()) return;
  if (target.foreground && target.foreground->id == window_id) return;
  target.set_problem(
      v1::Outcome::CODE_STALE_TARGET,
      "the keys would go to " +
          (target.foreground ? show_hidden(std::string(shown_title(*target.foreground))) : std::string("no window")) +
          ", not to the window that they are meant for");
}

// The observer may have seen a part of the name only, because of a mask or a secret.
void TargetFinder::expect_row(const v1::RowName& row, ActionTarget& target) const {
  if (row.element_id().empty() || row.name().empty() || !target.problem.empty()) return;
  const auto handle = registry_.find(row.element_id());
  const auto now = handle ? desktop_.ui_tree().refresh(*handle, clock_.now() + kElementTimeout)
                          : Result<Element>(Error{Code::kNotFound, ""});
  if (!now && now.error().code != Code::kNotFound) return;
  const auto fits = [&](const std::string& name) {
    if (name == row.name() || contract::mentions_secret(row.name())) return true;
    // A part of the name may tell a progress. Where the goal has the whole name, another one is another row's.
    if (row.wanted().empty() || is_same_name(row.name(), row.wanted())) return false;
    return name_contains(name, row.wanted());
  };
  if (now && fits(now->name)) return;
  target.set_problem(v1::Outcome::CODE_STALE_TARGET, "the row of " + show_hidden(row.name()) +
                                                         " is not there any more, or has another place in its list");
}

std::string TargetFinder::buttons_of(const WindowInfo& window) const {
  const auto tree = desktop_.ui_tree().read(window, {.deadline = clock_.now() + kElementTimeout});
  std::string buttons;
  int named = 0;
  const auto masked = mask_.locate(desktop_, clock_);
  if (!tree || !masked) return buttons;
  for (Element element : tree->elements) {
    mask_.hide(element, *masked);
    const bool usable = element.has(ElementState::kShowing) && element.has(ElementState::kEnabled);
    if (element.role != "push button" || element.window_id != window.id || element.name.empty() || !usable) continue;
    if (named++ >= kNamedButtons) break;
    buttons += (buttons.empty() ? "" : ", ") + show_hidden(element.name);
  }
  return buttons;
}

Result<void> TargetFinder::not_blocked(const std::optional<WindowInfo>& window, ActionTarget& target) const {
  if (!window) return ok();
  ASSIGN_OR_RETURN(const std::vector<WindowInfo> windows, list_windows());
  const auto now = std::ranges::find(windows, window->id, &WindowInfo::id);
  if (now == windows.end() || now->blocked_by.empty()) return ok();
  const auto dialog = std::ranges::find(windows, now->blocked_by, &WindowInfo::id);
  std::string what = "a dialog";
  if (dialog != windows.end()) {
    const std::string buttons = dialog->title_is_masked ? "" : buttons_of(*dialog);
    what = "the dialog " + show_hidden(std::string(shown_title(*dialog))) +
           (buttons.empty() ? "" : " (buttons: " + buttons + ")");
  }
  target.set_problem(v1::Outcome::CODE_NOT_ACTIONABLE, "the window " + show_hidden(std::string(shown_title(*now))) +
                                                           " is blocked by " + what +
                                                           ", which has to be answered first");
  return ok();
}

Result<std::vector<WindowInfo>> TargetFinder::list_windows() const {
  ASSIGN_OR_RETURN(std::vector<WindowInfo> windows, desktop_.windows().list());
  for (WindowInfo& window : windows) mask_.hide(window);
  return windows;
}

std::string TargetFinder::show_hidden(std::string foreign) const {
  mask_.hide(foreign);
  return show(foreign);
}

Result<void> TargetFinder::by_title(const std::string& title, ActionTarget& target) const {
  ASSIGN_OR_RETURN(const std::vector<WindowInfo> windows, list_windows());
  std::vector<WindowInfo> found;
  TitleFit best = TitleFit::kContains;
  for (const WindowInfo& window : windows) {
    // Matches the shown title, so that nobody can guess a masked one.
    const TitleFit fit = title_fit(shown_title(window), title);
    if (fit < best) continue;
    if (fit > best) found.clear();
    best = fit;
    found.push_back(window);
  }
  if (found.size() == 1) {
    target.window = found.front();
    return ok();
  }
  std::string titles;
  for (const WindowInfo& window : found.empty() ? windows : found) {
    titles += (titles.empty() ? "" : ", ") + show_hidden(std::string(shown_title(window)));
  }
  if (found.empty()) {
    target.set_problem(v1::Outcome::CODE_NOT_FOUND, "no window's title contains " + show(title) +
                                                        "; open are: " + (titles.empty() ? "none" : titles));
  } else {
    target.set_problem(v1::Outcome::CODE_AMBIGUOUS,
                       std::to_string(found.size()) + " windows' titles contain " + show(title) + ": " + titles);
  }
  return ok();
}

Result<void> TargetFinder::by_process(const std::string& name, ActionTarget& target) const {
  ASSIGN_OR_RETURN(const std::vector<WindowInfo> windows, list_windows());
  for (const WindowInfo& window : windows) {
    if (executable_name(window) != name) continue;
    if (target.window && target.window->pid != window.pid) {
      target.window.reset();
      target.set_problem(v1::Outcome::CODE_AMBIGUOUS, "several processes are named " + show(name) + ": use the title");
      return ok();
    }
    target.window = window;
  }
  if (!target.window) target.set_problem(v1::Outcome::CODE_NOT_FOUND, "no window belongs to a process " + show(name));
  return ok();
}

Result<void> TargetFinder::by_element(const std::string& element_id, ActionTarget& target) const {
  const auto handle = registry_.find(element_id);
  if (!handle) {
    target.set_problem(v1::Outcome::CODE_STALE_TARGET,
                       "the element " + show(element_id) + " is not known in this task: observe again");
    return ok();
  }
  auto element = desktop_.ui_tree().refresh(*handle, clock_.now() + kElementTimeout);
  if (!element) {
    target.set_problem(v1::Outcome::CODE_STALE_TARGET, "the element is gone: " + element.error().message);
    return ok();
  }
  target.element = *std::move(element);
  target.by_name = true;
  const bool placed = target.element->unplaced.empty();
  const bool scrolled_out = target.element->has(ElementState::kScrolledOut);
  if (placed) {
    ASSIGN_OR_RETURN(const Layout layout, desktop_.screen().layout());
    // Until a scrolled-out element is in view, its container gives the point.
    const Rect& shown = scrolled_out ? target.element->viewport : target.element->visible;
    const Rect reachable = part_on_one_monitor(shown, layout);
    target.point = (reachable.empty() ? shown : reachable).center();
    ASSIGN_OR_RETURN(target.cover, desktop_.windows().window_at(*target.point));
  }
  ASSIGN_OR_RETURN(target.window, window_of(*target.element, target.cover));
  if (target.window) mask_.hide(*target.window);
  const bool masked = target.window && target.window->title_is_masked;
  const std::string name = masked ? "the element" : show_hidden(target.element->name);
  if (!placed) {
    const std::string why = masked ? "its application's places do not fit its window" : target.element->unplaced;
    target.set_problem(v1::Outcome::CODE_NOT_ACTIONABLE,
                       "the place of " + name + " on the screen is unknown, so it is not clicked: " + why);
  } else if (!target.element->has(ElementState::kShowing) && !scrolled_out) {
    target.set_problem(v1::Outcome::CODE_NOT_ACTIONABLE, name + " is not showing");
  } else if (!target.element->has(ElementState::kEnabled)) {
    target.set_problem(v1::Outcome::CODE_NOT_ACTIONABLE, name + " is not enabled");
  }
  return ok();
}

// The element's own window, even if another one covers it: its accessibility action works under any cover, so the rules
// must judge the owner.
Result<std::optional<WindowInfo>> TargetFinder::window_of(const Element& element,
                                                          const std::optional<WindowInfo>& cover) const {
  const auto owns = [&](const WindowInfo& window) {
    if (!element.window_id.empty()) return window.id == element.window_id;
    return element.pid == 0 || window.pid == element.pid;
  };
  if (cover && owns(*cover)) return cover;
  ASSIGN_OR_RETURN(const std::vector<WindowInfo> windows, desktop_.windows().list());
  const auto own = std::ranges::find_if(windows, owns);
  if (own == windows.end() || (element.window_id.empty() && element.pid == 0)) return std::optional<WindowInfo>();
  return std::optional(*own);
}

void TargetFinder::of_launch(const std::string& command, ActionTarget& target) const {
  auto plan = desktop_.applications().resolve(command);
  if (plan) {
    if (auto file = desktop_.files().identify_program(plan->executable)) target.file = *std::move(file);
    target.launch = *std::move(plan);
  } else {
    target.set_problem(v1::Outcome::CODE_NOT_FOUND, plan.error().message);
  }
}

void TargetFinder::of_file(const std::string& path, ActionTarget& target) const {
  auto file = desktop_.files().identify(path);
  if (file) {
    target.file = *std::move(file);
  } else {
    const bool invalid = file.error().code == Code::kInvalidArgument;
    target.set_problem(invalid ? v1::Outcome::CODE_INVALID : v1::Outcome::CODE_NOT_FOUND, file.error().message);
  }
}

}  // namespace da::actuator
