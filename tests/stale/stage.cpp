#include "tests/stale/stage.h"

#include "lib/base/text.h"
#include "lib/bus/memory_transport.h"
#include "lib/os/process/child_process.h"
#include "services/actuator/desktop/x11/x11_desktop.h"

namespace da::stale {
namespace {

constexpr Milliseconds kTimeout{5000};
constexpr const char* kDesktopId = "x11:stale";

MonoTime soon() { return system_clock().now() + kTimeout; }

}  // namespace

Result<std::unique_ptr<Stage>> Stage::open(const std::filesystem::path& directory) {
  ASSIGN_OR_RETURN(auto desktop,
                   actuator::open_x11_desktop({.files = {.home_trash = directory / "trash"}}, system_clock()));
  ASSIGN_OR_RETURN(auto ledger, actuator::Ledger::open(directory / "ledger"));
  ASSIGN_OR_RETURN(auto stops, service::StopLatch::open(directory / "state"));
  return std::unique_ptr<Stage>(new Stage(std::move(desktop), std::move(ledger), std::move(stops), directory));
}

Stage::Stage(std::unique_ptr<actuator::Desktop> desktop, std::unique_ptr<actuator::Ledger> ledger,
             service::StopLatch stops, std::filesystem::path directory)
    : directory_(std::move(directory)),
      desktop_(std::move(desktop)),
      ledger_(std::move(ledger)),
      stops_(std::move(stops)),
      bus_(bus::MemoryBus::create()->sink(), {"actuator", kDesktopId}, system_clock()),
      executor_(shared_, kDesktopId, *actuator::GrantCheck::create(policy_.public_key_hex()), *ledger_, stops_, bus_,
                system_clock()) {}

Result<v1::Evidence> Stage::prepare(const v1::Action& action) {
  v1::PrepareRequest request;
  *request.mutable_action() = action;
  request.set_task_id("task");
  request.set_step_id("step");
  ASSIGN_OR_RETURN(auto sealed, executor_.prepare(request));
  return std::move(sealed.evidence);
}

v1::Outcome Stage::execute(const v1::Action& action, const v1::Evidence& evidence,
                           const std::function<void()>& between_chunks) {
  auto claims = policy_.claims(evidence);
  claims.set_desktop_id(kDesktopId);
  claims.set_valid_ms(60'000);  // Disturbances are slow.
  v1::ExecuteRequest request;
  *request.mutable_action() = action;
  *request.mutable_grant() = policy_.sign(claims);
  return executor_.execute(request, [&] {
    between_chunks();
    return false;
  });
}

std::string Stage::id_of(const actuator::Element& element) {
  shared_.elements.enter_task("task");
  return shared_.elements.id_of(element.handle);
}

Result<void> Stage::xdotool(const std::vector<std::string>& words) {
  ASSIGN_OR_RETURN(
      const auto run,
      os::run_to_end({.program = "/usr/bin/xdotool", .arguments = words, .environment = os::current_environment()},
                     soon()));
  if (run.exit_code == 0) return ok();
  return Error{Code::kUnavailable, "xdotool " + (words.empty() ? "" : words.front()) + ": " + run.ended};
}

Result<void> Stage::await(const std::string& what, const std::function<bool()>& is_true) {
  const MonoTime deadline = soon();
  while (!is_true()) {
    if (system_clock().now() >= deadline) return Error{Code::kDeadlineExceeded, "did not happen in 5 s: " + what};
    (void)desktop_->screen().wait_quiet(Milliseconds(10), system_clock().now() + Milliseconds(50));
  }
  return ok();
}

void Stage::rest(Milliseconds quiet) {
  (void)desktop_->screen().wait_quiet(quiet, system_clock().now() + quiet + Milliseconds(1000));
}

std::string Stage::pixels(const Rect& area) {
  const auto view = desktop_->screen().capture_area(area);
  std::string bytes;
  if (!view) return bytes;
  for (int row = 0; row < view->area.height; ++row) {
    bytes.append(reinterpret_cast<const char*>(view->data) + static_cast<std::size_t>(row) * view->stride,
                 static_cast<std::size_t>(view->area.width) * 4);
  }
  return bytes;
}

Result<actuator::WindowInfo> Stage::window_titled(const std::string& title) {
  ASSIGN_OR_RETURN(const auto windows, desktop_->windows().list());
  for (const auto& window : windows) {
    if (contains_ignoring_case(window.title, title)) return window;
  }
  return Error{Code::kNotFound, "no window is titled " + title};
}

Result<actuator::WindowInfo> Stage::window(const std::string& id) {
  ASSIGN_OR_RETURN(const auto windows, desktop_->windows().list());
  const auto found = std::ranges::find(windows, id, &actuator::WindowInfo::id);
  if (found == windows.end()) return Error{Code::kNotFound, "the window is gone"};
  return *found;
}

Result<actuator::WindowInfo> Stage::launch(const std::string& command, const std::string& title) {
  ASSIGN_OR_RETURN(const auto plan, desktop_->applications().resolve(command));
  RETURN_IF_ERROR(desktop_->applications().launch(plan));
  RETURN_IF_ERROR(await("a window of " + command, [&] {
    const auto window = window_titled(title);
    return window && window->focused;
  }));
  rest();
  return window_titled(title);
}

void Stage::end(const actuator::WindowInfo& window) {
  if (window.pid == 0) {
    (void)xdotool({"windowkill", window.id});
  } else {
    (void)desktop_->windows().terminate(
        window.pid, window.process_start, [] { return ok(); }, soon());
  }
  (void)await("the window is gone", [&] { return !this->window(window.id); });
}

}  // namespace da::stale
