#include "tests/stale/cases.h"

#include <algorithm>
#include <set>

#include "tests/stale/applications.h"
#include "tests/stale/file_cases.h"

namespace da::stale {
namespace {

struct Tool {
  std::string name;
  std::function<Result<v1::Action>(Scene&)> action;
  After after = After::kNothing;
};

struct Disturbance {
  std::string name;
  std::function<Result<void>(Scene&)> disturb;
  std::function<Result<void>(Scene&)> before;
  After after = After::kNothing;
};

Result<void> nothing(Scene&) { return ok(); }

class List {
 public:
  void add(const Application& application, const std::vector<Tool>& tools, Expected expected,
           const std::vector<Disturbance>& disturbances) {
    for (const Tool& tool : tools) {
      for (const Disturbance& each : disturbances) {
        cases_.push_back({&application, tool.name, each.name, expected, tool.action,
                          each.before ? each.before : nothing, each.disturb,
                          tool.after == After::kRestart ? tool.after : each.after});
      }
    }
  }
  std::vector<Case> take() { return std::move(cases_); }

 private:
  std::vector<Case> cases_;
};

Disturbance moved(int pixels) {
  return {"window moved by " + std::to_string(pixels) + " px", [pixels](Scene& s) { return s.moves(pixels, 0); }, {}};
}

const Disturbance kNothing{"nothing", nothing, {}};
const Disturbance kCaret{"caret blinked", &Scene::caret_blinks, &Scene::click_target};
const Disturbance kHover{"pointer came over it", &Scene::pointer_comes, {}};
const Disturbance kHoverEnds{"pointer left it", &Scene::pointer_leaves, &Scene::pointer_comes};
const Disturbance kTooltip{"pointer stayed on it (tooltip)", &Scene::tooltip_shows, {}};
const Disturbance kGrows{"window resized", &Scene::grows, {}};
const Disturbance kClock{"text elsewhere repainted", &Scene::clock_ticks_elsewhere, {}};
const Disturbance kBeside{"window opened beside it", &Scene::window_opens_beside, {}};
const Disturbance kSelection{"selection elsewhere", &Scene::selection_elsewhere, {}};
const Disturbance kClipboard{"clipboard changed", &Scene::clipboard_changes, {}};
const Disturbance kFocus{"focus went to another window", &Scene::focus_goes_elsewhere, {}};
const Disturbance kField{"focus went to another field", &Scene::focus_goes_to_another_field, {}};
const Disturbance kRestack{"window elsewhere raised", &Scene::restacks_elsewhere, {}};
const Disturbance kTitle{"title changed", &Scene::title_changes, {}};
const Disturbance kCover{"window opened over it", &Scene::window_covers, {}};
const Disturbance kDialog{"its own dialog opened over it", &Scene::own_dialog_covers, {}};
const Disturbance kClosed{"window closed", &Scene::closes, {}};
const Disturbance kReplaced{"another process under the same title", &Scene::is_replaced, {}};
const Disturbance kMinimized{"window minimized", &Scene::is_minimized, {}};
const Disturbance kScrolled{"content scrolled", &Scene::scrolls, {}};
const Disturbance kErased{"content erased", &Scene::content_is_erased, {}, After::kRestart};
const Disturbance kDisabled{"control disabled", &Scene::control_is_disabled, {}};
const Disturbance kLabel{"label changed", &Scene::label_changes, {}, After::kRestart};
const Disturbance kNamesake{"second window of that title", &Scene::namesake_opens, {}};

void set_point(v1::PathPoint& point, Point at) {
  point.set_x(at.x);
  point.set_y(at.y);
}

v1::Action click_at(Scene& scene, Point at) {
  scene.aim(at);
  v1::Action action;
  action.mutable_mouse()->set_x(at.x);
  action.mutable_mouse()->set_y(at.y);
  return action;
}

constexpr int kDragLength = 160;

Result<v1::Action> drag(Scene& scene) {
  const Point from = scene.content();
  scene.aim(from);
  v1::Action action;
  set_point(*action.mutable_drag()->add_path(), from);
  set_point(*action.mutable_drag()->add_path(), {from.x + kDragLength, from.y});
  return action;
}

// The disturbances happen where the drag ends.
Result<v1::Action> drag_to_target(Scene& scene) {
  ASSIGN_OR_RETURN(auto action, drag(scene));
  scene.aim({scene.content().x + kDragLength, scene.content().y});
  return action;
}

Result<v1::Action> scroll(Scene& scene) {
  scene.aim(scene.content());
  v1::Action action;
  action.mutable_scroll()->set_x(scene.content().x);
  action.mutable_scroll()->set_y(scene.content().y);
  action.mutable_scroll()->set_dy(1);
  return action;
}

Result<v1::Action> click_control(Scene& scene) {
  ASSIGN_OR_RETURN(const auto control, scene.control());
  return click_at(scene, control.bounds.center());
}

Result<v1::Action> ui_click(Scene& scene) {
  ASSIGN_OR_RETURN(const auto control, scene.control());
  scene.aim(control.bounds.center());
  v1::Action action;
  action.mutable_ui_click()->set_element_id(scene.stage().id_of(control));
  return action;
}

// A keyboard tool. The disturbances happen where the application shows the typed text.
Tool typing(const std::string& name, const std::function<void(v1::Action&)>& fill) {
  return {name, [fill](Scene& scene) -> Result<v1::Action> {
            scene.aim(scene.content());
            v1::Action action;
            fill(action);
            return action;
          }};
}

Tool of_window(const std::string& name, const std::function<void(v1::Action&, const std::string&)>& fill,
               After after = After::kNothing) {
  return {name,
          [fill](Scene& scene) -> Result<v1::Action> {
            scene.aim(scene.content());
            v1::Action action;
            fill(action, scene.window().title);
            return action;
          },
          after};
}

const Tool kClick{"mouse click on content", [](Scene& s) -> Result<v1::Action> { return click_at(s, s.content()); }};
const Tool kDrag{"drag", drag};
const Tool kDragEnd{"drag, its end", drag_to_target};
const Tool kScroll{"scroll", scroll};
const Tool kClickControl{"mouse click on control", click_control};
const Tool kUiClick{"ui_click", ui_click};
const std::vector<Tool> kOnControls = {kClickControl, kUiClick};
const std::vector<Tool> kTyping = {
    typing("write", [](auto& action) { action.mutable_write()->set_text("x"); }),
    typing("press", [](auto& action) { action.mutable_press()->set_key("right"); }),
    typing("hotkey",
           [](auto& action) {
             for (const char* key : {"shift", "right"}) action.mutable_hotkey()->add_keys(key);
           }),
};
const std::vector<Tool> kMoreTyping = {
    typing("keyboard_type", [](auto& action) { action.mutable_keyboard_type()->set_text("x"); }),
    typing("paste", [](auto& action) { action.mutable_paste()->set_text("x"); }),
};
const Tool kLongWrite = typing("write, in chunks", [](auto& action) {
  action.mutable_write()->set_text(std::string(60, 'x'));
  action.mutable_write()->set_interval_ms(15);
});
const Tool kFocusWindow =
    of_window("focus_window", [](auto& action, const auto& title) { action.mutable_focus_window()->set_title(title); });
const Tool kCloseWindow = of_window(
    "close_window", [](auto& action, const auto& title) { action.mutable_close_window()->set_title(title); },
    After::kRestart);
const Tool kTerminate = of_window(
    "app_terminate", [](auto& action, const auto& title) { action.mutable_app_terminate()->set_title(title); },
    After::kRestart);

void on_content(List& list, const Application& application) {
  const std::vector<Tool> pointing = {kClick, kDrag, kScroll};
  list.add(application, pointing, Expected::kAct, {kNothing, kHover, kClock, kBeside, kSelection, kFocus, kRestack});
  list.add(application, pointing, application.known() ? Expected::kAct : Expected::kRefuse, {kTitle});
  list.add(application, pointing, Expected::kRefuse,
           {moved(1), moved(3), moved(12), moved(150), kCover, kClosed, kReplaced, kMinimized});
  if (!application.own_dialog_chord.empty()) list.add(application, pointing, Expected::kRefuse, {kDialog});
}

// Cases for applications whose content is text that can be scrolled.
void on_long_text(List& list, const Application& application) {
  on_content(list, application);
  list.add(application, {kClick, kDrag}, Expected::kAct, {kCaret});
  list.add(application, {kClick, kDrag}, Expected::kRefuse, {kScrolled, kErased});
  list.add(application, {kScroll}, Expected::kAct, {kScrolled});
  list.add(application, {kDragEnd}, Expected::kRefuse, {kCover, kErased});
}

void on_control(List& list, const Application& application) {
  list.add(application, kOnControls, Expected::kAct,
           {kNothing, kHover, kHoverEnds, kTooltip, kClock, kBeside, kSelection, kFocus, kRestack, kTitle});
  list.add(application, {kUiClick}, Expected::kAct, {moved(1), moved(2)});
  list.add(application, {kClickControl}, Expected::kRefuse, {moved(1)});
  list.add(application, kOnControls, Expected::kRefuse,
           {moved(3), moved(12), moved(150), kCover, kClosed, kReplaced, kMinimized});
}

void by_keyboard(List& list, const Application& application, const std::vector<Tool>& tools) {
  list.add(application, tools, Expected::kAct, {kNothing, moved(150), kHover, kGrows, kClock, kClipboard, kRestack});
  list.add(application, tools, application.known() ? Expected::kAct : Expected::kRefuse, {kTitle});
  list.add(application, tools, Expected::kRefuse, {kFocus, kBeside, kClosed, kReplaced, kMinimized});
  if (!application.own_dialog_chord.empty()) list.add(application, tools, Expected::kRefuse, {kDialog});
  if (!application.field_chord.empty()) list.add(application, tools, Expected::kRefuse, {kField});
}

void between_chunks(List& list, const Application& application) {
  list.add(application, {kLongWrite}, Expected::kAct, {kNothing, moved(150), kClock});
  list.add(application, {kLongWrite}, Expected::kInterrupt, {kFocus, kBeside, kMinimized, kClosed});
  if (!application.own_dialog_chord.empty()) list.add(application, {kLongWrite}, Expected::kInterrupt, {kDialog});
  if (!application.field_chord.empty()) list.add(application, {kLongWrite}, Expected::kInterrupt, {kField});
}

void on_window(List& list, const Application& application, const std::vector<Tool>& tools) {
  list.add(application, tools, Expected::kAct, {kNothing, moved(150), kTitle, kCover, kMinimized, kFocus, kClock});
  list.add(application, tools, Expected::kRefuse, {kClosed, kReplaced, kNamesake});
}

}  // namespace

std::vector<Case> all_cases(const std::filesystem::path& directory) {
  static const Applications applications(directory);
  List list;
  on_long_text(list, applications.mousepad);
  by_keyboard(list, applications.mousepad, kTyping);
  by_keyboard(list, applications.mousepad, kMoreTyping);
  list.add(applications.mousepad, kTyping, Expected::kAct, {kCaret});
  between_chunks(list, applications.mousepad);
  on_control(list, applications.mousepad);

  on_content(list, applications.dialog);
  on_control(list, applications.dialog);
  list.add(applications.dialog, kOnControls, Expected::kRefuse, {kDisabled});
  by_keyboard(list, applications.dialog, kTyping);
  between_chunks(list, applications.dialog);

  on_long_text(list, applications.featherpad);
  by_keyboard(list, applications.featherpad, kTyping);
  between_chunks(list, applications.featherpad);
  on_control(list, applications.featherpad);
  list.add(applications.featherpad_tab, kOnControls, Expected::kRefuse, {kLabel});

  on_content(list, applications.calculator);
  on_control(list, applications.calculator);
  list.add(applications.calculator, kOnControls, Expected::kRefuse, {kGrows});
  by_keyboard(list, applications.calculator, kTyping);
  on_window(list, applications.calculator, {kFocusWindow, kCloseWindow, kTerminate});

  on_long_text(list, applications.xterm);
  list.add(applications.xterm, {kClick, kDrag, kScroll}, Expected::kRefuse, {kGrows});
  by_keyboard(list, applications.xterm, kTyping);
  between_chunks(list, applications.xterm);
  on_window(list, applications.xterm, {kFocusWindow, kCloseWindow, kTerminate});

  on_content(list, applications.xmessage);
  on_window(list, applications.xmessage, {kFocusWindow, kCloseWindow});  // Its process is unknown.

  auto cases = list.take();
  for (Case& each : file_cases(applications.xmessage, directory)) cases.push_back(std::move(each));
  return cases;
}

std::vector<Case> selection(const std::vector<Case>& cases, std::size_t count) {
  std::set<std::string> seen;
  std::vector<bool> taken(cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const bool new_tool = seen.insert(cases[i].tool).second;
    const bool new_disturbance = seen.insert(cases[i].disturbance).second;
    taken[i] = new_tool || new_disturbance;
  }
  const auto so_far = static_cast<std::size_t>(std::ranges::count(taken, true));
  const std::size_t more = count > so_far ? count - so_far : 0;
  for (std::size_t i = 0; i < more; ++i) taken[i * cases.size() / more] = true;
  std::vector<Case> chosen;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (taken[i]) chosen.push_back(cases[i]);
  }
  return chosen;
}

}  // namespace da::stale
