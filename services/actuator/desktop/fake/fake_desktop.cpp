#include "services/actuator/desktop/fake/fake_desktop.h"

#include <algorithm>
#include <sstream>
#include <utility>

#include "lib/base/nearest.h"
#include "lib/base/text.h"
#include "lib/contract/keys.h"
#include "services/actuator/desktop/drag_path.h"
#include "services/actuator/desktop/fake/fake_screen.h"
#include "services/actuator/desktop/viewport.h"

namespace da::actuator {
namespace fake {
namespace {

// Characters between two checkpoints.
constexpr std::size_t kChunk = 64;

Error gone(const std::string& what) { return {Code::kNotFound, what + " is gone"}; }

std::string show(Point at) { return std::to_string(at.x) + "," + std::to_string(at.y); }

WindowInfo describe(const FakeWindow& window, const FakeWindow* front) {
  return {.id = window.id,
          .title = window.title,
          .pid = window.pid,
          .executable = window.executable,
          .process_start = window.pid,
          .bounds = window.bounds,
          .focused = &window == front,
          .minimized = window.minimized,
          .kind = window.kind,
          .takes_input = window.takes_input};
}

Element describe(const FakeWindow& window, const FakeElement& element, bool in_front) {
  Element described{.handle = {element.id},
                    .parent = {element.parent},
                    .window_id = window.id,
                    .pid = window.pid,
                    .role = element.role,
                    .name = element.name,
                    .text = element.password ? "" : element.text,
                    .bounds = element.bounds};
  if (!window.minimized) described.states.push_back(ElementState::kShowing);
  if (element.enabled) described.states.push_back(ElementState::kEnabled);
  if (element.editable) described.states.push_back(ElementState::kEditable);
  if (element.multi_line) described.states.push_back(ElementState::kMultiLine);
  if (element.password) described.states.push_back(ElementState::kPassword);
  if (in_front && window.focused_element == element.id) described.states.push_back(ElementState::kFocused);
  if (element.selectable) described.states.push_back(ElementState::kSelectable);
  if (element.selected) described.states.push_back(ElementState::kSelected);
  Element container{.role = "scroll pane", .bounds = element.viewport, .states = described.states};
  Viewport viewport;
  viewport.place(container, Drawn::kYes);
  (element.viewport.empty() ? Viewport() : viewport.of_children(container)).place(described, Drawn::kYes);
  return described;
}

}  // namespace

template <class Role>
class FakeRole : public Role {
 public:
  explicit FakeRole(FakeWorld& world) : world_(world) {}

 protected:
  FakeWorld& world_;
};

class FakeInput final : public FakeRole<Input> {
 public:
  using FakeRole::FakeRole;

  Result<void> move(Point to) override {
    const std::lock_guard lock(world_.mutex_);
    RETURN_IF_ERROR(may_send());
    world_.cursor_ = to;
    world_.note("move " + show(to));
    world_.hover(to);
    return ok();
  }
  Progress click(Point at, Button button, int clicks, Milliseconds, const Checkpoint& checkpoint) override {
    return in_units(static_cast<std::size_t>(clicks), 1, checkpoint, [&](std::size_t) {
      world_.cursor_ = at;
      world_.note("click " + show(at));
      world_.press(at, button);
      world_.release(at, button);
    });
  }
  Result<void> button_down(Point at, Button button) override {
    const std::lock_guard lock(world_.mutex_);
    RETURN_IF_ERROR(may_send());
    world_.cursor_ = at;
    world_.note("down " + show(at));
    world_.press(at, button);
    return ok();
  }
  Result<void> button_up(Point at, Button button) override {
    const std::lock_guard lock(world_.mutex_);
    RETURN_IF_ERROR(may_send());
    world_.cursor_ = at;
    world_.note("up " + show(at));
    world_.release(at, button);
    return ok();
  }
  Progress scroll(Point at, int dx, int dy, const Checkpoint& checkpoint) override {
    const auto sign = [](int notches) { return (notches > 0) - (notches < 0); };
    return in_units(static_cast<std::size_t>(std::abs(dx) + std::abs(dy)), 1, checkpoint, [&](std::size_t) {
      world_.note("scroll " + show(at));
      world_.scroll(at, sign(dx), sign(dy));
    });
  }
  Progress drag(std::span<const Point> path, Button button, const Checkpoint& checkpoint) override {
    const std::vector<DragMove> moves = drag_moves(path);
    auto move = moves.begin();
    const Progress progress = in_units(path.size(), 1, checkpoint, [&](std::size_t i) {
      world_.note("drag " + show(path[i]));
      if (i == 0) world_.press(path[i], button);
      for (; i > 0 && move != moves.end() && move->reached <= i; ++move) world_.hover(move->to);
      if (i > 0) world_.hover(path[i]);
      world_.cursor_ = path[i];
      if (i + 1 == path.size()) world_.release(path[i], button);
    });
    const std::lock_guard lock(world_.mutex_);
    if (progress.stopped && progress.done > 0) world_.release(path.front(), button);
    return progress;
  }
  Progress tap(std::span<const std::string> keys, const Checkpoint& checkpoint) override {
    if (auto known = check(keys); !known) return {0, static_cast<std::uint32_t>(keys.size()), known.error()};
    return in_units(keys.size(), 1, checkpoint, [&](std::size_t i) {
      world_.note("tap " + keys[i]);
      world_.tap(keys[i]);
    });
  }
  Result<void> chord(std::span<const std::string> keys) override {
    RETURN_IF_ERROR(check(keys));
    const std::lock_guard lock(world_.mutex_);
    RETURN_IF_ERROR(may_send());
    std::string text;
    for (const std::string& key : keys) text += (text.empty() ? "chord " : "+") + key;
    world_.note(text);
    world_.chord({keys.begin(), keys.end()});
    return ok();
  }
  Progress type(std::u32string_view text, Milliseconds, const Checkpoint& checkpoint) override {
    Progress progress = in_units(text.size(), kChunk, checkpoint, [&](std::size_t i) {
      std::string character;
      append_utf8(character, text[i]);
      world_.received("type " + character);
      world_.insert(text[i]);
    });
    if (progress.stopped) return progress;
    if (const auto read = checkpoint(); !read) progress.stopped = read.error();  // The real one waits for the reader.
    return progress;
  }
  void await_reading(MonoTime) override {}  // The fake application reads at once.
  // These use held_mutex_ alone: an application that hangs may hold mutex_.
  std::optional<Point> button_held() override {
    const std::lock_guard lock(world_.held_mutex_);
    return world_.held_ ? std::optional(world_.held_->at) : std::nullopt;
  }
  bool release_all() override {
    const std::lock_guard lock(world_.held_mutex_);
    if (!world_.held_) return false;
    world_.released_.push_back(*std::exchange(world_.held_, std::nullopt));
    return true;
  }
  void shut() override {
    world_.shut_ = true;
    release_all();
  }

 private:
  static Result<void> check(std::span<const std::string> keys) {
    for (const std::string& key : keys) {
      if (contract::canonical_key(key) != key) return Error{Code::kInvalidArgument, "no such key: \"" + key + "\""};
    }
    return ok();
  }
  // Call with mutex_ held, before sending.
  Result<void> may_send() const {
    if (world_.shut_) return Error{Code::kFailedPrecondition, "input is shut down"};
    if (world_.obstacle_)
      return Error{Code::kPermissionDenied, "the session takes no input: " + world_.obstacle_->reason};
    return ok();
  }

  template <class Act>
  Progress in_units(std::size_t total, std::size_t chunk, const Checkpoint& checkpoint, const Act& act) {
    Progress progress{0, static_cast<std::uint32_t>(total), std::nullopt};
    for (std::size_t i = 0; i < total;) {
      if (auto go_on = checkpoint(); !go_on) {
        progress.stopped = go_on.error();
        return progress;
      }
      const std::lock_guard lock(world_.mutex_);
      if (auto may = may_send(); !may) {
        progress.stopped = may.error();
        return progress;
      }
      for (const std::size_t end = std::min(total, i + chunk); i < end; ++i) act(i);
      progress.done = static_cast<std::uint32_t>(i);
    }
    return progress;
  }
};

class FakeWindows final : public FakeRole<Windows> {
 public:
  using FakeRole::FakeRole;

  Result<std::vector<WindowInfo>> list() override {
    const std::lock_guard lock(world_.mutex_);
    std::vector<WindowInfo> windows;
    for (const FakeWindow& window : world_.windows_) windows.push_back(describe(window, world_.front()));
    return windows;
  }
  Result<std::optional<WindowInfo>> foreground() override {
    const std::lock_guard lock(world_.mutex_);
    return describe_if(world_.front());
  }
  Result<std::optional<WindowInfo>> window_at(Point at) override {
    const std::lock_guard lock(world_.mutex_);
    return describe_if(world_.window_at(at));
  }
  Result<void> focus(const std::string& id, MonoTime) override {
    const std::lock_guard lock(world_.mutex_);
    const FakeWindow* window = world_.find_window(id);
    if (window == nullptr) return gone("the window");
    world_.received("focus " + window->title);
    world_.raise(id);
    return ok();
  }
  Result<void> close(const std::string& id) override {
    const std::lock_guard lock(world_.mutex_);
    const FakeWindow* window = world_.find_window(id);
    if (window == nullptr) return gone("the window");
    world_.received("close " + window->title);
    world_.close(id);
    return ok();
  }
  Result<Ending> terminate(std::uint32_t pid, std::uint64_t process_start, const Checkpoint& checkpoint,
                           MonoTime) override {
    RETURN_IF_ERROR(checkpoint());
    const std::lock_guard lock(world_.mutex_);
    const auto removed = std::erase_if(world_.windows_, [&](const FakeWindow& window) {
      return window.pid == pid && describe(window, nullptr).process_start == process_start;
    });
    if (removed == 0) return gone("the process");
    world_.received("terminate " + std::to_string(pid));
    world_.touched();
    return Ending::kKilled;
  }

 private:
  Result<std::optional<WindowInfo>> describe_if(const FakeWindow* window) {
    if (window == nullptr) return std::optional<WindowInfo>();
    return std::optional<WindowInfo>(describe(*window, world_.front()));
  }
};

class FakeApplications final : public FakeRole<Applications> {
 public:
  using FakeRole::FakeRole;

  Result<LaunchPlan> resolve(std::string_view command) override {
    std::istringstream words{std::string(command)};
    LaunchPlan plan;
    for (std::string word; words >> word;) plan.argv.push_back(word);
    const std::lock_guard lock(world_.mutex_);
    const auto found = plan.argv.empty() ? world_.installed_.end() : world_.installed_.find(plan.argv.front());
    if (found != world_.installed_.end()) {
      plan.executable = found->second;
      return plan;
    }
    if (plan.argv.empty() || plan.argv.front() != "notes") {
      return Error{Code::kNotFound, "there is no program \"" + escape_foreign(command, 80) + "\"" + nearest(plan)};
    }
    plan.executable = "/usr/bin/notes";
    return plan;
  }
  Result<std::uint32_t> launch(const LaunchPlan& plan) override {
    const std::lock_guard lock(world_.mutex_);
    const std::string& name = plan.argv.front();
    std::string command = "launch";
    for (const std::string& word : plan.argv) command += " " + word;
    world_.received(command);
    if (const auto failing = world_.failing_.find(name); failing != world_.failing_.end()) {
      const auto pid = static_cast<std::uint32_t>(100'000 + ++world_.ids_);
      remember({.pid = pid,
                .ended = true,
                .exit_status = failing->second.exit_status,
                .last_line = failing->second.last_line});
      return pid;
    }
    const std::string id = world_.installed_.contains(name)
                               ? world_.open_window_locked(name, plan.executable, {0, 0, 400, 300})
                               : world_.open_notes_locked(plan.argv.size() > 1 ? plan.argv[1] : "");
    const std::uint32_t pid = world_.find_window(id)->pid;
    remember({.pid = pid, .pids = {pid}});
    return pid;
  }
  Result<RunDialog> run_dialog(const LaunchPlan& plan) override {
    const std::lock_guard lock(world_.mutex_);
    if (!world_.has_run_dialog_) return Error{Code::kUnimplemented, "this fake desktop has no Run dialog"};
    std::string line = plan.executable;
    for (std::size_t i = 1; i < plan.argv.size(); ++i) line += " " + plan.argv[i];
    return RunDialog{{"win", "r"}, FakeWorld::kShell, line};
  }
  // A program of the fake world ends with its window.
  std::vector<LaunchedProgram> launched() override {
    const std::lock_guard lock(world_.mutex_);
    for (LaunchedProgram& program : world_.launched_) {
      const bool runs = std::ranges::find(world_.windows_, program.pid, &FakeWindow::pid) != world_.windows_.end();
      if (runs || program.ended) continue;
      program.ended = true;
      program.pids.clear();
    }
    return {world_.launched_.begin(), world_.launched_.end()};
  }

 private:
  void remember(LaunchedProgram program) {
    constexpr std::size_t kMost = 16;
    world_.launched_.push_back(std::move(program));
    if (world_.launched_.size() > kMost) world_.launched_.pop_front();
  }
  std::string nearest(const LaunchPlan& plan) const {
    std::vector<std::string> known{"notes"};
    for (const auto& [name, executable] : world_.installed_) known.push_back(name);
    return plan.argv.empty() ? "" : did_you_mean(plan.argv.front(), known);
  }
};

class FakeUiTree final : public FakeRole<UiTree> {
 public:
  using FakeRole::FakeRole;

  Result<ElementTree> read(const std::optional<WindowInfo>& only, const TreeLimits& limits) override {
    const std::lock_guard lock(world_.mutex_);
    ElementTree tree;
    for (const FakeWindow& window : world_.windows_) {
      if (only && only->id != window.id) continue;
      for (const FakeElement& element : window.elements) {
        if (tree.elements.size() == limits.max_nodes) {
          tree.truncated = true;
          tree.note = "the node limit was reached";
          return tree;
        }
        tree.elements.push_back(describe(window, element, &window == world_.front()));
      }
    }
    return tree;
  }
  Result<FoundElement> element_at(const WindowInfo& at, Point point, MonoTime) override {
    const std::lock_guard lock(world_.mutex_);
    const FakeWindow* window = world_.find_window(at.id);
    if (window == nullptr || window->answers_late) return FoundElement{{}, window != nullptr};
    for (const FakeElement& element : window->elements) {
      if (element.bounds.contains(point)) return FoundElement{describe(*window, element, window == world_.front())};
    }
    return FoundElement();
  }
  Result<FoundElement> focused(const WindowInfo& in, MonoTime) override {
    const std::lock_guard lock(world_.mutex_);
    const FakeWindow* window = world_.find_window(in.id);
    if (window != nullptr && window->answers_late) return FoundElement{{}, true};
    const FakeElement* element = world_.focused_element();
    if (element == nullptr) return FoundElement();
    return FoundElement{describe(*world_.front(), *element, true)};
  }
  Result<Element> refresh(const ElementHandle& handle, MonoTime) override {
    const std::lock_guard lock(world_.mutex_);
    const auto [window, element] = world_.find_element(handle.native);
    if (element == nullptr) return gone("the element");
    return describe(*window, *element, window == world_.front());
  }
  // Fake texts never scroll, so every range lies within its element.
  Result<std::vector<Rect>> text_places(const ElementHandle& handle, std::span<const TextRange> ranges,
                                        MonoTime) override {
    const std::lock_guard lock(world_.mutex_);
    const FakeElement* element = world_.find_element(handle.native).second;
    if (element == nullptr) return gone("the element");
    return std::vector<Rect>(ranges.size(), element->bounds);
  }
  Result<void> invoke(const ElementHandle& handle, MonoTime) override {
    const std::lock_guard lock(world_.mutex_);
    const auto [window, element] = world_.find_element(handle.native);
    if (element == nullptr) return gone("the element");
    if (window->acts_by_pointer_alone) return Error{Code::kUnimplemented, "this window has no element actions"};
    world_.note("invoke " + element->name);
    const bool slow = element->slow;
    world_.activate(*window, *element);
    if (slow) return Error{Code::kDeadlineExceeded, "the application does not answer"};
    return ok();
  }
  Result<void> reveal(const ElementHandle& handle, MonoTime) override {
    const std::lock_guard lock(world_.mutex_);
    const auto [window, element] = world_.find_element(handle.native);
    if (element == nullptr) return gone("the element");
    if (!world_.reveal(*window, *element)) return Error{Code::kUnimplemented, "this window scrolls by the wheel alone"};
    return ok();
  }
  void forget_all() override {
    const std::lock_guard lock(world_.mutex_);
    ++world_.forgotten_;
  }
};

class FakeClipboard final : public FakeRole<Clipboard> {
 public:
  using FakeRole::FakeRole;
  Result<void> set_text(std::string_view text) override {
    notify_owner();
    const std::lock_guard lock(world_.mutex_);
    world_.received("clipboard " + std::string(text));
    world_.clipboard_ = text;
    world_.clipboard_fetched_ = false;
    return ok();
  }
  Result<bool> wait_until_fetched(MonoTime deadline) override {
    std::unique_lock lock(world_.mutex_);
    return world_.changed_.wait_until(lock, deadline, [this] { return world_.clipboard_fetched_; });
  }

 private:
  // Called without the lock: the old owner may take long to hand over its content.
  void notify_owner() {
    std::unique_lock lock(world_.mutex_);
    const auto owner = std::exchange(world_.clipboard_owner_, {});
    lock.unlock();
    if (owner) owner();
  }
};

class FakePersonWatch final : public FakeRole<PersonWatch> {
 public:
  using FakeRole::FakeRole;
  ~FakePersonWatch() override { FakePersonWatch::watch({}); }
  void watch(Notice notice) override {
    const std::lock_guard lock(world_.notice_mutex_);
    world_.notice_ = std::move(notice);
  }
  void look() override {}
  std::optional<std::string> blindness() override {
    const std::lock_guard lock(world_.mutex_);
    return world_.blindness_;
  }
};

class FakeSession final : public FakeRole<Session> {
 public:
  using FakeRole::FakeRole;
  Result<std::optional<SessionObstacle>> obstacle() override {
    const std::lock_guard lock(world_.mutex_);
    return world_.obstacle_;
  }
};

namespace {

class FakeDesktop final : public Desktop {
 public:
  FakeDesktop(std::shared_ptr<FakeWorld> world, FilesOptions files)
      : world_(std::move(world)), files_(open_system_files(std::move(files), system_clock())) {}

  std::string_view id() const override { return "fake:0"; }
  Screen& screen() override { return screen_; }
  Input& input() override { return input_; }
  Windows& windows() override { return windows_; }
  Applications& applications() override { return applications_; }
  UiTree& ui_tree() override { return ui_tree_; }
  Clipboard& clipboard() override { return clipboard_; }
  PersonWatch& person_watch() override { return person_watch_; }
  Session& session() override { return session_; }
  Files& files() override { return *files_; }
  Overlay& overlay() override { return world_->overlay(); }

 private:
  std::shared_ptr<FakeWorld> world_;
  FakeScreen screen_{*world_};
  FakeInput input_{*world_};
  FakeWindows windows_{*world_};
  FakeApplications applications_{*world_};
  FakeUiTree ui_tree_{*world_};
  FakeClipboard clipboard_{*world_};
  FakePersonWatch person_watch_{*world_};
  FakeSession session_{*world_};
  std::unique_ptr<Files> files_;
};

}  // namespace
}  // namespace fake

std::unique_ptr<Desktop> open_fake_desktop(std::shared_ptr<fake::FakeWorld> world, FilesOptions files) {
  return std::make_unique<fake::FakeDesktop>(std::move(world), std::move(files));
}

}  // namespace da::actuator
