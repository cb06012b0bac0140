#include "services/actuator/desktop/fake/fake_windows.h"

namespace da::actuator::fake {

WindowInfo describe_fake(const FakeWindow& window, const FakeWindow* front) {
  return {.id = window.id,
          .title = window.title,
          .pid = window.pid,
          .executable = window.executable,
          .process_start = window.pid,
          .bounds = window.bounds,
          .focused = &window == front,
          .minimized = window.minimized,
          .kind = window.kind,
          .takes_input = window.takes_input,
          .blocked_by = window.blocked_by};
}

namespace {

Error window_gone() { return {Code::kNotFound, "the window is gone"}; }

}  // namespace

Result<std::vector<WindowInfo>> FakeWindows::list() {
  const std::lock_guard lock(world_.mutex_);
  std::vector<WindowInfo> windows;
  for (const FakeWindow& window : world_.windows_) {
    if (!window.unmanaged) windows.push_back(describe_fake(window, world_.front()));
  }
  return windows;
}

Result<std::optional<WindowInfo>> FakeWindows::foreground() {
  const std::lock_guard lock(world_.mutex_);
  return describe_if(world_.front());
}

Result<std::optional<WindowInfo>> FakeWindows::window_at(Point at) {
  const std::lock_guard lock(world_.mutex_);
  auto found = describe_if(world_.window_at(at));
  if (found && *found) (*found)->surface = (*found)->part = (*found)->id;
  return found;
}

Result<std::optional<Rect>> FakeWindows::popup_at(Point at) {
  const std::lock_guard lock(world_.mutex_);
  const FakeWindow* window = world_.window_at(at);
  return window != nullptr && window->unmanaged && !window->only_shows ? std::optional(window->bounds) : std::nullopt;
}

Result<void> FakeWindows::focus(const std::string& id, MonoTime) {
  const std::lock_guard lock(world_.mutex_);
  const FakeWindow* window = world_.find_window(id);
  if (window == nullptr) return window_gone();
  world_.received("focus " + window->title);
  world_.raise(id);
  return ok();
}

Result<void> FakeWindows::close(const std::string& id) {
  const std::lock_guard lock(world_.mutex_);
  const FakeWindow* window = world_.find_window(id);
  if (window == nullptr) return window_gone();
  world_.received("close " + window->title);
  world_.close(id);
  return ok();
}

Result<Ending> FakeWindows::terminate(std::uint32_t pid, std::uint64_t process_start, const Checkpoint& checkpoint,
                                      MonoTime) {
  RETURN_IF_ERROR(checkpoint());
  const std::lock_guard lock(world_.mutex_);
  const auto removed = std::erase_if(world_.windows_, [&](const FakeWindow& window) {
    return window.pid == pid && describe_fake(window, nullptr).process_start == process_start;
  });
  if (removed == 0) return Error{Code::kNotFound, "the process is gone"};
  world_.received("terminate " + std::to_string(pid));
  world_.touched();
  return Ending::kKilled;
}

Result<std::optional<WindowInfo>> FakeWindows::describe_if(const FakeWindow* window) {
  if (window == nullptr) return std::optional<WindowInfo>();
  return std::optional<WindowInfo>(describe_fake(*window, world_.front()));
}

}  // namespace da::actuator::fake
