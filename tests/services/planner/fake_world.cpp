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
constexpr Milliseconds kTick{10};

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

v1::UiNode to_node(const FakeElement& element, bool focused) {
  v1::UiNode node;
  node.set_element_id(element.id);
  node.set_window_id(element.window_id);
  node.set_parent_id(element.parent_id);
  node.set_role(element.role);
  node.set_name(element.name);
  node.set_text(element.text);
  *node.mutable_bounds() = contract::to_proto(element.bounds);
  node.add_states(v1::UI_STATE_SHOWING);
  if (element.enabled) node.add_states(v1::UI_STATE_ENABLED);
  if (element.editable) node.add_states(v1::UI_STATE_EDITABLE);
  if (element.checked) node.add_states(v1::UI_STATE_CHECKED);
  if (element.role == "password text") {
    node.clear_text();
    node.add_states(v1::UI_STATE_PASSWORD);
  }
  if (focused) node.add_states(v1::UI_STATE_FOCUSED);
  if (element.selectable) node.add_states(v1::UI_STATE_SELECTABLE);
  if (element.selected) node.add_states(v1::UI_STATE_SELECTED);
  if (element.range) *node.mutable_range() = *element.range;
  return node;
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
    advance(kTick);
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

v1::ImageFact FakeObserver::image_of(const std::string& image_hash) {
  v1::ImageFact image;
  image.set_image_hash(image_hash);
  image.set_media_type("image/png");
  image.set_data("the pixels of " + image_hash);
  return image;
}

Result<v1::Observation> FakeObserver::observe(const v1::ObserveRequest& request, std::stop_token stop) {
  if (on_call) on_call();
  if (stop.stop_requested()) return Error{Code::kCancelled, "cancelled"};
  if (lost) return *lost;
  const bool settled = request.settle() && world_.settle(Milliseconds(request.max_wait_ms()));
  v1::Observation observation = world_.observation(settled);
  if (request.image() == v1::IMAGE_WISH_UNSPECIFIED) return observation;
  observation.set_image_hash("image-" + observation.frame_id());
  if (request.return_image()) *observation.mutable_returned_image() = image_of(observation.image_hash());
  return observation;
}

Result<v1::LocateReply> FakeObserver::locate(const v1::LocateRequest& request, std::stop_token stop) {
  if (on_call) on_call();
  if (stop.stop_requested()) return Error{Code::kCancelled, "cancelled"};
  if (lost) return *lost;
  const MonoTime deadline = world_.clock.now() + Milliseconds(request.max_wait_ms());
  v1::LocateReply reply = look_for(request);
  while (!reply.missing().empty() && world_.clock.now() < deadline) {
    world_.advance(kTick);
    reply = look_for(request);
  }
  return reply;
}

Result<v1::ImageFact> FakeObserver::read_image(const v1::ReadImageRequest& request, std::stop_token stop) {
  if (on_call) on_call();
  if (stop.stop_requested()) return Error{Code::kCancelled, "cancelled"};
  if (lost) return *lost;
  return image_of(request.image_hash());
}

Result<v1::ImageFact> FakeObserver::zoom(const v1::ZoomRequest& request, std::stop_token stop) {
  if (on_call) on_call();
  if (stop.stop_requested()) return Error{Code::kCancelled, "cancelled"};
  if (lost) return *lost;
  const v1::Rect& area = request.area();
  if (area.x() >= kDesktopWidth || area.y() >= kDesktopHeight) return Error{Code::kInvalidArgument, "outside"};
  v1::ImageFact image;
  image.set_media_type("image/png");
  image.set_data("a part at " + std::to_string(area.x()) + "," + std::to_string(area.y()));
  return image;
}

Result<v1::UiTree> FakeObserver::read_ui(const v1::ReadUiRequest& request, std::stop_token stop) {
  if (on_call) on_call();
  if (stop.stop_requested()) return Error{Code::kCancelled, "cancelled"};
  if (lost) return *lost;
  v1::UiTree tree;
  for (const auto& element : world_.elements) {
    const bool wanted = request.element_id().empty() || element->id == request.element_id();
    if (wanted && !element->painted_only) *tree.add_nodes() = to_node(*element, element->id == world_.focused_element);
  }
  return tree;
}

Result<v1::AnalyzeReply> FakeObserver::analyze(const v1::AnalyzeRequest& request, std::stop_token stop) {
  if (on_call) on_call();
  if (stop.stop_requested()) return Error{Code::kCancelled, "cancelled"};
  if (lost) return *lost;
  analyzed.push_back(request);
  for (const v1::Template& one : request.templates()) {
    if (!one.image().empty()) templates[one.digest()] = one.image();
  }
  const MonoTime deadline = world_.clock.now() + Milliseconds(request.max_wait_ms());
  world_.advance(Milliseconds(request.min_wait_ms()));
  if (request.max_wait_ms() > 0) ++waits;
  v1::AnalyzeReply reply = look(request);
  while (reply.unchanged() && world_.clock.now() < deadline) {
    if (waits_block) {
      std::mutex mutex;
      std::unique_lock lock(mutex);
      std::condition_variable_any().wait(lock, stop, [] { return false; });
    }
    if (stop.stop_requested()) return Error{Code::kCancelled, "cancelled"};
    world_.advance(Milliseconds(1));
    reply = look(request);
  }
  return reply;
}

v1::AnalyzeReply FakeObserver::look(const v1::AnalyzeRequest& request) {
  v1::AnalyzeReply reply;
  std::string seen = "seen:";
  const int analysed = regions_analysed;
  for (const v1::RegionQuery& query : request.regions()) {
    const v1::RegionAnalysis& region = *reply.add_regions() = analyse(query);
    seen += region.name() + '|' + region.area().ShortDebugString() + '|' + region.content() + '|' +
            region.error().message() + '|' + region.window_title() + ';';
  }
  reply.set_seen(seen);
  reply.set_changes_reported(changes_reported);
  reply.set_unchanged(seen == request.seen());
  if (!reply.unchanged()) return reply;
  reply.clear_regions();
  regions_analysed = analysed;
  return reply;
}

v1::RegionAnalysis FakeObserver::analyse(const v1::RegionQuery& query) {
  v1::RegionAnalysis answer;
  answer.set_name(query.name());
  Rect area = contract::from_proto(query.has_area() ? query.area() : query.window().area());
  if (query.has_window()) {
    const auto window = std::ranges::find_if(world_.windows, [&](const FakeWindow& one) {
      return contains_ignoring_case(one.title, query.window().title_pattern());
    });
    if (window == world_.windows.end()) {
      answer.mutable_error()->set_code(v1::AnalysisError::CODE_WINDOW_NOT_FOUND);
      answer.mutable_error()->set_message("no window has such a title");
      return answer;
    }
    if (area.width == 0) area.width = window->bounds.width - area.x;
    if (area.height == 0) area.height = window->bounds.height - area.y;
    area.x += window->bounds.x;
    area.y += window->bounds.y;
  }
  *answer.mutable_area() = contract::to_proto(area);
  std::vector<const FakeElement*> inside;
  std::string text;
  std::string content;
  for (const auto& element : world_.elements) {
    if (!area.contains(element->bounds.center())) continue;
    inside.push_back(element.get());
    text += (text.empty() ? "" : " ") + element->name + (element->text.empty() ? "" : " " + element->text);
    content += element->name + '|' + element->text + '|' + (element->enabled ? "e" : "d") + '|' +
               std::to_string(element->bounds.x - area.x) + ',' + std::to_string(element->bounds.y - area.y) + ';';
  }
  answer.set_content("content:" + content);
  answer.set_unchanged(answer.content() == query.known_content());
  if (answer.unchanged()) return answer;
  ++regions_analysed;
  for (const v1::Point& at : query.pixels()) {
    v1::PixelColour& pixel = *answer.add_pixels();
    *pixel.mutable_at() = at;
    const auto covers = [&](const FakeElement* one) {
      return one->bounds.contains({area.x + at.x(), area.y + at.y()});
    };
    const auto found = std::ranges::find_if(inside, covers);
    const bool none = found == inside.end();
    pixel.mutable_colour()->set_red(none ? 255 : (*found)->enabled ? 0 : 128);
    pixel.mutable_colour()->set_green(none ? 255 : 128);
    pixel.mutable_colour()->set_blue(none ? 255 : (*found)->enabled ? 0 : 128);
  }
  for (const v1::TemplateQuery& wanted : query.templates()) {
    v1::TemplateResult& result = *answer.add_templates();
    result.set_digest(wanted.digest());
    if (!templates.contains(wanted.digest())) {
      result.mutable_error()->set_code(v1::AnalysisError::CODE_TEMPLATE_MISSING);
      result.mutable_error()->set_message("send it again");
      continue;
    }
    for (const FakeElement* one : inside) {
      if (template_of(one->name) != templates[wanted.digest()]) continue;
      result.mutable_best()->set_confidence(1);
      *result.mutable_best()->mutable_area() = contract::to_proto(
          Rect{one->bounds.x - area.x, one->bounds.y - area.y, one->bounds.width, one->bounds.height});
      *result.add_matches() = result.best();
    }
  }
  if (query.has_picture()) {
    v1::RegionPicture& picture = *answer.mutable_picture();
    *picture.mutable_image() = image_of(answer.content());
    picture.mutable_image()->set_data(answer.content());
    picture.set_width(static_cast<std::uint32_t>(area.width / picture_scale));
    picture.set_height(static_cast<std::uint32_t>(area.height / picture_scale));
    *picture.mutable_part() = contract::to_proto(Rect{0, 0, area.width, area.height});
  }
  if (query.has_ocr()) {
    answer.mutable_ocr()->set_text(text);
    answer.mutable_ocr()->set_average_confidence_percent(text.empty() ? 0 : 95);
  }
  return answer;
}

bool FakeObserver::is_wanted(const v1::LocateRequest& request, const FakeElement& element) const {
  if (!contains_ignoring_case(element.name, request.target())) return false;
  if (element.painted_only && !request.use_ocr()) return false;
  if (!contains_ignoring_case(element.role, request.role() == "field" ? "text" : request.role())) return false;
  if (request.window().empty()) return true;
  return std::ranges::any_of(world_.windows, [&](const FakeWindow& window) {
    return window.id == element.window_id && contains_ignoring_case(window.title, request.window());
  });
}

v1::LocateReply FakeObserver::look_for(const v1::LocateRequest& request) const {
  v1::LocateReply reply;
  reply.set_missing("is nowhere on the screen");
  reply.set_incomplete(incomplete);
  reply.set_frame_id("find " + std::to_string(request.number()));
  std::uint32_t number = 0;
  for (const auto& element : world_.elements) {
    if (!is_wanted(request, *element)) continue;
    if (request.index() != 0 && ++number != request.index()) continue;
    v1::Candidate& candidate = *reply.add_candidates();
    candidate.set_source(element->painted_only ? v1::Candidate::SOURCE_OCR : v1::Candidate::SOURCE_UI_TREE);
    candidate.set_text(element->name);
    *candidate.mutable_bounds() = contract::to_proto(element->bounds);
    if (!element->painted_only) *candidate.mutable_node() = to_node(*element, element->id == world_.focused_element);
    const bool enabled = element->enabled || request.actionable() == v1::ACTIONABLE_UNSPECIFIED ||
                         request.actionable() == v1::ACTIONABLE_HOVERABLE;
    const bool editable = element->editable || request.actionable() != v1::ACTIONABLE_EDITABLE;
    reply.set_missing(!enabled ? "shows, but is not enabled" : !editable ? "shows, but takes no text" : "");
  }
  for (const auto& element : world_.elements) {
    const bool alike = element->name.substr(0, 1) == request.target().substr(0, 1);
    if (reply.candidates_size() > 0 || element->painted_only || !alike) continue;
    v1::Candidate& near = *reply.add_nearest();
    near.set_source(v1::Candidate::SOURCE_UI_TREE);
    near.set_text(element->name);
    *near.mutable_bounds() = contract::to_proto(element->bounds);
    *near.mutable_node() = to_node(*element, element->id == world_.focused_element);
  }
  reply.set_ambiguous(reply.candidates_size() > 1 && reply.candidates(0).text() == reply.candidates(1).text());
  return reply;
}

Result<v1::SubmitReply> FakePolicy::submit(const v1::SubmitRequest& request, Milliseconds, std::stop_token stop) {
  submitted.push_back(request);
  while (waits_for_a_person && !stop.stop_requested()) std::this_thread::yield();
  if (stop.stop_requested()) return Error{Code::kCancelled, "cancelled"};
  if (intercept) {
    if (auto reply = intercept(request)) return *std::move(reply);
  }
  {
    const std::lock_guard lock(halt_mutex_);
    if (pause_) return verdict(v1::Verdict::DECISION_ALLOW, v1::Outcome::KIND_REFUSED, v1::Outcome::CODE_PAUSED);
  }
  v1::SubmitReply reply = verdict(v1::Verdict::DECISION_ALLOW);
  if (request.dry_run() || is_planner_tool(request.step().action())) return reply;
  *reply.mutable_outcome() = world_.perform(request.step().action());
  return reply;
}

// Checks every 10 ms whether the caller has cancelled.
Result<v1::AwaitHaltReply> FakePolicy::await_halt(const std::string&, Milliseconds max_wait, std::stop_token stop) {
  const MonoTime deadline = system_clock().now() + max_wait;
  std::unique_lock lock(halt_mutex_);
  while (halt_reason_.empty() && !stop.stop_requested() && system_clock().now() < deadline) {
    halt_changed_.wait_for(lock, Milliseconds(10));
  }
  v1::AwaitHaltReply reply;
  reply.set_halted(!halt_reason_.empty());
  reply.set_reason(halt_reason_);
  return reply;
}

Result<v1::AwaitResumeReply> FakePolicy::await_resume(const std::string&, Milliseconds max_wait, std::stop_token stop) {
  const MonoTime deadline = system_clock().now() + max_wait;
  std::unique_lock lock(halt_mutex_);
  while (pause_ && !stop.stop_requested() && system_clock().now() < deadline) {
    awaited_ = true;
    halt_changed_.notify_all();
    halt_changed_.wait_for(lock, Milliseconds(10));
  }
  if (stop.stop_requested()) return Error{Code::kCancelled, "cancelled"};
  v1::AwaitResumeReply reply;
  if (pause_) *reply.mutable_pause() = *pause_;
  return reply;
}

void FakePolicy::pause(v1::Pause::Cause cause, const std::string& reason) {
  const std::lock_guard lock(halt_mutex_);
  awaited_ = false;
  pause_.emplace().set_cause(cause);
  pause_->set_reason(reason);
}

void FakePolicy::resume() {
  const std::lock_guard lock(halt_mutex_);
  pause_.reset();
  halt_changed_.notify_all();
}

void FakePolicy::wait_until_awaited() {
  std::unique_lock lock(halt_mutex_);
  halt_changed_.wait_for(lock, std::chrono::seconds(20), [this] { return awaited_; });
}

void FakePolicy::halt(const std::string& reason) {
  const std::lock_guard lock(halt_mutex_);
  halt_reason_ = reason;
  halt_changed_.notify_all();
}

Result<void> FakePolicy::close_task(const v1::CloseTaskRequest& request) {
  closed_tokens.push_back(request.task_token());
  return ok();
}

v1::SubmitReply verdict(v1::Verdict::Decision decision, v1::Outcome::Kind kind, v1::Outcome::Code code) {
  v1::SubmitReply reply;
  reply.mutable_verdict()->set_decision(decision);
  if (kind != v1::Outcome::KIND_UNSPECIFIED) *reply.mutable_outcome() = outcome_of(kind, code);
  return reply;
}

}  // namespace da::planner
