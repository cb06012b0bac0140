#include "tests/stale/scene.h"

#include <fstream>

#include "lib/base/id.h"

namespace da::stale {
namespace {

constexpr const char* kElsewhereTitle = "elsewhere";
constexpr Point kParked{1270, 4};
constexpr Milliseconds kTooltipDelay{900};

void append(const std::filesystem::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary | std::ios::app) << text;
}

std::string show(int number) { return std::to_string(number); }

}  // namespace

Result<actuator::Element> Scene::control() {
  ASSIGN_OR_RETURN(const auto tree,
                   stage_->desktop().ui_tree().read(window_, {5000, system_clock().now() + Milliseconds(3000)}));
  for (const auto& element : tree.elements) {
    if (element.name == application_->control && element.has(actuator::ElementState::kShowing)) return element;
  }
  return Error{Code::kNotFound, "no element " + application_->control};
}

Result<void> Scene::changing(const Rect& area, const std::function<Result<void>()>& act) {
  const std::string before = stage_->pixels(area);
  RETURN_IF_ERROR(act());
  RETURN_IF_ERROR(stage_->await("a change of the screen", [&] { return stage_->pixels(area) != before; }));
  stage_->rest();
  return ok();
}

Result<void> Scene::foreground_changing(const std::function<Result<void>()>& act) {
  const auto id = [&] {
    const auto window = stage_->desktop().windows().foreground();
    return window && *window ? (*window)->id : std::string();
  };
  const std::string before = id();
  RETURN_IF_ERROR(act());
  RETURN_IF_ERROR(stage_->await("another active window", [&] { return id() != before; }));
  stage_->rest();
  return ok();
}

Result<void> Scene::pointer_to(Point at) { return stage_->xdotool({"mousemove", show(at.x), show(at.y)}); }

Result<void> Scene::click_target() {
  // Clicks elsewhere first, so that the second click does not become a double click.
  for (const Point at : {Point{target_.x, target_.y + 40}, target_}) {
    RETURN_IF_ERROR(pointer_to(at));
    RETURN_IF_ERROR(stage_->xdotool({"click", "1"}));
  }
  // The key restarts the blinking of the caret and clears a selection.
  RETURN_IF_ERROR(key("Right"));
  stage_->rest(Milliseconds(100));
  return pointer_to(kParked);
}

// Presses a key that types nothing, because GTK stops blinking after a while without keys.
Result<void> Scene::caret_blinks() {
  return changing(around_target(), [&] { return key("Shift_L"); });
}

Result<void> Scene::pointer_comes() {
  RETURN_IF_ERROR(pointer_to(target_));
  stage_->rest(Milliseconds(250));
  return ok();
}

Result<void> Scene::pointer_leaves() {
  RETURN_IF_ERROR(pointer_to(kParked));
  stage_->rest(Milliseconds(250));
  return ok();
}

Result<void> Scene::tooltip_shows() {
  RETURN_IF_ERROR(pointer_to(target_));
  stage_->rest(kTooltipDelay);
  return ok();
}

// The window manager may shift the frame. The next try corrects the offset.
Result<void> Scene::place(Point corner) {
  Point ask = corner;
  for (int attempt = 0; attempt < 4; ++attempt) {
    RETURN_IF_ERROR(stage_->xdotool({"windowmove", window_.id, show(ask.x), show(ask.y)}));
    stage_->rest();
    ASSIGN_OR_RETURN(const auto now, stage_->window(window_.id));
    const Point off{corner.x - now.bounds.x, corner.y - now.bounds.y};
    if (off == Point{}) return ok();
    ask = {ask.x + off.x, ask.y + off.y};
  }
  return Error{Code::kUnavailable, "the window does not move to the requested place"};
}

Result<void> Scene::moves(int dx, int dy) { return place({window_.bounds.x + dx, window_.bounds.y + dy}); }

Result<void> Scene::grows() {
  RETURN_IF_ERROR(
      stage_->xdotool({"windowsize", window_.id, show(window_.bounds.width + 60), show(window_.bounds.height + 60)}));
  RETURN_IF_ERROR(stage_->await("another size", [&] {
    const auto now = stage_->window(window_.id);
    return now && (now->bounds.width != window_.bounds.width || now->bounds.height != window_.bounds.height);
  }));
  stage_->rest(Milliseconds(150));
  return place({window_.bounds.x, window_.bounds.y});
}

Result<void> Scene::clock_ticks_elsewhere() {
  ASSIGN_OR_RETURN(const auto elsewhere, stage_->window_titled(kElsewhereTitle));
  return changing(elsewhere.bounds, [&] {
    append(stage_->file("elsewhere.txt"), random_hex(4) + "\n");
    return ok();
  });
}

Result<void> Scene::show_message(Point at, int width, int height) {
  const std::string geometry = show(width) + "x" + show(height) + "+" + show(at.x) + "+" + show(at.y);
  RETURN_IF_ERROR(stage_->launch("xmessage -title other -geometry " + geometry + " something else", "other"));
  return ok();
}

Result<void> Scene::window_opens_beside() { return show_message({1100, 30}, 150, 80); }

Result<void> Scene::window_covers() { return show_message({target_.x - 90, target_.y - 60}, 180, 100); }

Result<void> Scene::own_dialog_covers() {
  return foreground_changing([&] { return key(application_->own_dialog_chord); });
}

Result<void> Scene::selection_elsewhere() {
  ASSIGN_OR_RETURN(const auto elsewhere, stage_->window_titled(kElsewhereTitle));
  RETURN_IF_ERROR(pointer_to({elsewhere.bounds.x + 12, elsewhere.bounds.y + 30}));
  return changing(elsewhere.bounds, [&] { return stage_->xdotool({"click", "--repeat", "2", "--delay", "30", "1"}); });
}

Result<void> Scene::clipboard_changes() { return stage_->desktop().clipboard().set_text("something else"); }

Result<void> Scene::focus_goes_elsewhere() {
  ASSIGN_OR_RETURN(const auto elsewhere, stage_->window_titled(kElsewhereTitle));
  return foreground_changing([&] { return stage_->xdotool({"windowactivate", elsewhere.id}); });
}

Result<void> Scene::focus_goes_to_another_field() {
  const auto focused = [&] {
    const auto found = stage_->desktop().ui_tree().focused(window_, system_clock().now() + Milliseconds(2000));
    return found && found->element ? found->element->handle : actuator::ElementHandle();
  };
  const auto before = focused();
  RETURN_IF_ERROR(key(application_->field_chord));
  return stage_->await("the focus in another field", [&] { return focused() != before; });
}

Result<void> Scene::restacks_elsewhere() {
  ASSIGN_OR_RETURN(const auto elsewhere, stage_->window_titled(kElsewhereTitle));
  const auto front = [&] {
    const auto windows = stage_->windows();
    return windows && !windows->empty() ? windows->front().id : std::string();
  };
  RETURN_IF_ERROR(stage_->xdotool({"windowraise", elsewhere.id}));
  return stage_->await("it is in front", [&] { return front() == elsewhere.id; });
}

Result<void> Scene::title_changes() {
  RETURN_IF_ERROR(stage_->xdotool({"set_window", "--name", "* " + window_.title, window_.id}));
  return stage_->await("another title", [&] {
    const auto now = stage_->window(window_.id);
    return now && now->title != window_.title;
  });
}

Result<void> Scene::closes() {
  stage_->end(window_);
  return ok();
}

Result<void> Scene::is_replaced() {
  stage_->end(window_);
  std::string title;
  for (const char c : window_.title) title += (c == '"' || c == '\\') ? '_' : c;
  const auto command = "xterm -T \"" + title + "\" -geometry " + show(window_.bounds.width / 6) + "x" +
                       show(window_.bounds.height / 13) + "+" + show(window_.bounds.x) + "+" + show(window_.bounds.y) +
                       " -e cat";
  RETURN_IF_ERROR(stage_->launch(command, title));
  return ok();
}

Result<void> Scene::is_minimized() {
  RETURN_IF_ERROR(stage_->xdotool({"windowminimize", window_.id}));
  RETURN_IF_ERROR(stage_->await("it is minimized", [&] {
    const auto now = stage_->window(window_.id);
    return now && now->minimized;
  }));
  stage_->rest();
  return ok();
}

Result<void> Scene::scrolls() {
  return changing(around_target(), [&]() -> Result<void> {
    if (!application_->known()) {
      append(stage_->file("lines.txt"), "another line of some program\nand one more, which is longer\nthird\n");
      return ok();
    }
    RETURN_IF_ERROR(pointer_to(target_));
    return stage_->xdotool({"click", "5"});
  });
}

Result<void> Scene::content_is_erased() {
  return changing(around_target(), [&]() -> Result<void> {
    if (!application_->known()) {
      append(stage_->file("lines.txt"), "\x1b[2J\x1b[H");
      return ok();
    }
    RETURN_IF_ERROR(key("ctrl+a"));
    return key("Delete");
  });
}

Result<void> Scene::control_is_disabled() {
  RETURN_IF_ERROR(key("ctrl+a"));
  RETURN_IF_ERROR(key("Delete"));
  return stage_->await("the control is disabled", [&] {
    const auto now = control();
    return now && !now->has(actuator::ElementState::kEnabled);
  });
}

// The tab shows the file name and marks it when the text changes.
Result<void> Scene::label_changes() {
  RETURN_IF_ERROR(stage_->xdotool({"type", "x"}));
  return stage_->await("another label", [&] { return !control(); });
}

Result<void> Scene::namesake_opens() {
  return foreground_changing([&]() -> Result<void> {
    ASSIGN_OR_RETURN(const auto plan, stage_->desktop().applications().resolve("xterm -T \"" + window_.title +
                                                                               "\" -geometry 20x4+1000+300 -e cat"));
    RETURN_IF_ERROR(stage_->desktop().applications().launch(plan));
    return ok();
  });
}

Result<void> SceneSetter::start_elsewhere() {
  if (stage_.window_titled(kElsewhereTitle)) return ok();
  append(stage_.file("elsewhere.txt"), "some words to be selected\n");
  RETURN_IF_ERROR(
      stage_.launch("xterm -T elsewhere -geometry 26x6+1090-20 -e tail -f " + stage_.file("elsewhere.txt").string(),
                    kElsewhereTitle));
  return ok();
}

Result<void> SceneSetter::start(const Application& application) {
  std::ofstream lines(stage_.file("lines.txt"), std::ios::binary | std::ios::trunc);
  for (int i = 1; i <= 12; ++i) lines << "line " << i << " of a program that prints\n";
  lines.close();
  std::ofstream text(stage_.file("text.txt"), std::ios::binary | std::ios::trunc);
  for (int i = 1; i <= 200; ++i) text << "Line " << i << ": the quick brown fox jumps over the lazy dog, again.\n";
  text.close();
  ASSIGN_OR_RETURN(home_, stage_.launch(application.command, application.title));
  if (!application.dialog_chord.empty()) {
    RETURN_IF_ERROR(stage_.xdotool({"key", application.dialog_chord}));
    RETURN_IF_ERROR(stage_.await("its dialog", [&] {
      const auto dialog = stage_.window_titled(application.dialog_title);
      return dialog && dialog->focused;
    }));
    ASSIGN_OR_RETURN(home_, stage_.window_titled(application.dialog_title));
  }
  Scene scene(stage_, application, home_);
  if (application.known()) {
    RETURN_IF_ERROR(stage_.await("its elements", [&] { return scene.control().has_value(); }));
  }
  stage_.rest(Milliseconds(150));
  ASSIGN_OR_RETURN(home_, stage_.window(home_.id));
  running_ = application.name;
  return ok();
}

// False if the application must be restarted.
bool SceneSetter::reset(const Application& application) {
  if (application.restart == Restart::kForEachCase) return false;
  Scene scene(stage_, application, home_);
  const auto before = stage_.window(home_.id);
  if (!before) return false;
  if (!stage_.desktop().windows().focus(home_.id, system_clock().now() + Milliseconds(3000))) return false;
  if (before->title != home_.title && !stage_.xdotool({"set_window", "--name", home_.title, home_.id})) return false;
  if (before->bounds.width != home_.bounds.width || before->bounds.height != home_.bounds.height) return false;
  if (before->bounds != home_.bounds && !scene.place({home_.bounds.x, home_.bounds.y})) return false;
  const auto foreground = stage_.desktop().windows().foreground();
  return foreground && *foreground && (*foreground)->id == home_.id;
}

void SceneSetter::end_application() {
  stage_.end(home_);
  running_.clear();
}

Result<Scene> SceneSetter::set(const Application& application) {
  RETURN_IF_ERROR(start_elsewhere());
  const bool same = running_ == application.name;
  const bool dialog = !application.dialog_chord.empty();
  ASSIGN_OR_RETURN(const auto windows, stage_.windows());
  std::size_t own = 0;
  for (const auto& window : windows) {
    if (window.title == kElsewhereTitle) continue;
    if (same && window.pid == home_.pid) {
      ++own;
    } else {
      stage_.end(window);
    }
  }
  bool ready = same && own == (dialog ? 2U : 1U);
  ready = ready && reset(application);
  if (!ready) {
    if (same && stage_.window(home_.id)) stage_.end(home_);
    RETURN_IF_ERROR(start(application));
  }
  Scene scene(stage_, application, home_);
  RETURN_IF_ERROR(scene.pointer_to(kParked));
  for (const std::string& chord : application.reset_keys) RETURN_IF_ERROR(scene.key(chord));
  if (!application.field_text.empty()) RETURN_IF_ERROR(stage_.xdotool({"type", application.field_text}));
  stage_.rest();
  ASSIGN_OR_RETURN(home_, stage_.window(home_.id));
  return Scene(stage_, application, home_);
}

}  // namespace da::stale
