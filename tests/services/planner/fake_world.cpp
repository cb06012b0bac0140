#include "tests/services/planner/fake_world.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "lib/base/text.h"
#include "lib/contract/coordinates.h"
#include "lib/contract/describe.h"
#include "services/planner/tools/planner_tools.h"

namespace da::planner {
namespace {

constexpr Milliseconds kQuiet{300};

v1::Outcome outcome_of(v1::Outcome::Kind kind, v1::Outcome::Code code = v1::Outcome::CODE_UNSPECIFIED) {
  v1::Outcome outcome;
  outcome.set_kind(kind);
  outcome.set_code(code);
  return outcome;
}

v1::Window to_window(const FakeWindow& window, const std::string& focused) {
  v1::Window out;
  out.set_window_id(window.id);
  out.set_title(window.title);
  out.set_executable(window.executable);
  *out.mutable_bounds() = contract::to_proto(window.bounds);
  out.set_focused(window.id == focused);
  out.set_kind(window.kind);
  out.set_pid(window.pid);
  return out;
}

}  // namespace

void FakeWorld::after(Milliseconds delay, std::function<void()> happens) {
  coming_.emplace(clock.now() + delay, std::move(happens));
}

void FakeWorld::advance(Milliseconds by) {
  const MonoTime until = clock.now() + by;
  while (!coming_.empty() && coming_.begin()->first <= until) {
    const auto next = coming_.extract(coming_.begin());
    clock.advance(std::max(Nanoseconds(0), next.key() - clock.now()));
    changed_at_ = clock.now();
    next.mapped()();
  }
  clock.advance(until - clock.now());
}

bool FakeWorld::settle(Milliseconds max_wait) {
  const MonoTime begin = clock.now();
  while (clock.now() - begin < max_wait) {
    advance(kWorldTick);
    if (!restless && clock.now() - std::max(begin, changed_at_) >= kQuiet) return true;
  }
  return false;
}

FakeWindow& FakeWorld::open_window(FakeWindow window) {
  focused_window = window.id;
  return *windows.insert(windows.begin(), std::move(window));
}

void FakeWorld::close_window(const std::string& id) {
  std::erase_if(windows, [&](const FakeWindow& window) { return window.id == id; });
  std::erase_if(elements, [&](const auto& element) { return element->window_id == id; });
  if (focused_window == id) focused_window = windows.empty() ? "" : windows.front().id;
}

FakeElement& FakeWorld::add(FakeElement element) {
  return *elements.emplace_back(std::make_unique<FakeElement>(std::move(element)));
}

FakeElement* FakeWorld::element(const std::string& id) {
  const auto found = std::ranges::find_if(elements, [&](const auto& element) { return element->id == id; });
  return found == elements.end() ? nullptr : found->get();
}

v1::Observation FakeWorld::observation(bool settled) const {
  v1::Observation observation;
  observation.set_frame_id("frame-" + std::to_string(clock.now().time_since_epoch().count()));
  observation.set_settled(settled);
  auto& coordinates = *observation.mutable_coordinates();
  coordinates.mutable_desktop()->set_width(kDesktopWidth);
  coordinates.mutable_desktop()->set_height(kDesktopHeight);
  coordinates.set_image_width(kDesktopWidth / kImageScale);
  coordinates.set_image_height(kDesktopHeight / kImageScale);
  for (const v1::LaunchedProcess& program : launched) *observation.add_launched() = program;
  std::string digest;
  for (const FakeWindow& window : windows) {
    *observation.add_windows() = to_window(window, focused_window);
    if (window.id == focused_window) *observation.mutable_focused_window() = to_window(window, focused_window);
  }
  for (const auto& element : elements) digest += element->id + element->text + (element->enabled ? "+" : "-");
  observation.set_ui_digest(digest);
  return observation;
}

FakeElement* FakeWorld::element_at(int x, int y) {
  for (const auto& element : elements) {
    if (element->bounds.contains({x, y})) return element.get();
  }
  return nullptr;
}

void FakeWorld::click(FakeElement* target) {
  if (target == nullptr || !target->enabled) return;
  if (target->editable) focused_element = target->id;
  if (target->on_click) target->on_click();
}

void FakeWorld::type(const std::string& text) {
  FakeElement* target = element(focused_element);
  if (target == nullptr || target->window_id != focused_window) return;
  if (std::exchange(content_selected_, false)) target->text.clear();
  target->text += text;
  if (on_typed) on_typed(*target);
}

v1::Outcome FakeWorld::perform(const v1::Action& action) {
  performed.push_back(contract::describe(action));
  changed_at_ = clock.now();
  switch (action.tool_case()) {
    case v1::Action::kLaunch:
      if (on_launch) on_launch(action.launch().command());
      break;
    case v1::Action::kUiClick: {
      FakeElement* target = element(action.ui_click().element_id());
      if (target == nullptr) return outcome_of(v1::Outcome::KIND_REFUSED, v1::Outcome::CODE_STALE_TARGET);
      click(target);
      break;
    }
    case v1::Action::kMouse: click(element_at(action.mouse().x(), action.mouse().y())); break;
    case v1::Action::kWrite: type(action.write().text()); break;
    case v1::Action::kPaste: type(action.paste().text()); break;
    case v1::Action::kPress:
      if (on_keys && action.press().has_key()) on_keys({action.press().key()});
      if (on_keys && !action.press().has_key()) on_keys({action.press().keys().begin(), action.press().keys().end()});
      break;
    case v1::Action::kHotkey:
      content_selected_ = action.hotkey().keys_size() == 2 && action.hotkey().keys(1) == "a";
      if (on_keys) on_keys({action.hotkey().keys().begin(), action.hotkey().keys().end()});
      break;
    case v1::Action::kFocusWindow:
      for (const FakeWindow& window : windows) {
        if (contains_ignoring_case(window.title, action.focus_window().title())) focused_window = window.id;
      }
      break;
    case v1::Action::kCloseWindow: {
      const auto window = std::ranges::find_if(windows, [&](const FakeWindow& candidate) {
        return contains_ignoring_case(candidate.title, action.close_window().title());
      });
      if (window != windows.end()) close_window(std::string(window->id));
      break;
    }
    case v1::Action::kFileDelete: files.erase(action.file_delete().path()); break;
    default: break;
  }
  return outcome_of(v1::Outcome::KIND_DISPATCHED);
}

namespace {

void open_save_dialog(FakeWorld& world) {
  const auto save = [&world] {
    world.files[world.element("name")->text] = world.element("editor")->text;
    world.after(Milliseconds(50), [&world] {
      world.close_window("dialog");
      world.focused_element = "editor";
    });
  };
  world.open_window({"dialog", "Save As", "/usr/bin/mousepad", {200, 200, 400, 300}});
  world.add({.id = "name",
             .window_id = "dialog",
             .role = "text",
             .name = "Name",
             .bounds = {220, 220, 300, 20},
             .editable = true});
  world.add({.id = "cancel",
             .window_id = "dialog",
             .role = "push button",
             .name = "Cancel",
             .bounds = {220, 450, 80, 20},
             .on_click = [&world] { world.close_window("dialog"); }});
  world.add({.id = "save",
             .window_id = "dialog",
             .role = "push button",
             .name = "Save",
             .bounds = {420, 450, 80, 20},
             .enabled = false,
             .on_click = save});
  world.focused_element = "name";
}

void editor_keys(FakeWorld& world, const std::vector<std::string>& keys) {
  if (keys == std::vector<std::string>{"ctrl", "s"} && world.focused_window == "editor-window") {
    world.after(Milliseconds(80), [&world] { open_save_dialog(world); });
  }
  if (keys == std::vector<std::string>{"enter"} && world.focused_window == "dialog") {
    FakeElement& save = *world.element("save");
    if (save.enabled) save.on_click();
  }
}

}  // namespace

void install_editor(FakeWorld& world) {
  world.on_launch = [&world](const std::string& command) {
    if (command != "mousepad") return;
    world.after(Milliseconds(200), [&world] {
      world.open_window({"editor-window", "Untitled 1 - Mousepad", "/usr/bin/mousepad"});
      world.add({.id = "editor",
                 .window_id = "editor-window",
                 .role = "text",
                 .name = "Document",
                 .bounds = {0, 50, 800, 140},
                 .editable = true});
    });
    world.after(Milliseconds(300), [&world] { world.focused_element = "editor"; });
  };
  world.on_keys = [&world](const std::vector<std::string>& keys) { editor_keys(world, keys); };
  world.on_typed = [&world](FakeElement& element) {
    if (element.id != "name") return;
    world.after(Milliseconds(450), [&world] {
      if (FakeElement* save = world.element("save")) save->enabled = true;
    });
  };
}

}  // namespace da::planner
