#include "services/actuator/desktop/fake/fake_applications.h"

#include <algorithm>
#include <sstream>
#include <utility>

#include "lib/base/nearest.h"
#include "lib/base/text.h"

namespace da::actuator::fake {

Result<LaunchPlan> FakeApplications::resolve(std::string_view command) {
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

Result<std::uint32_t> FakeApplications::launch(const LaunchPlan& plan) {
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

Result<RunDialog> FakeApplications::run_dialog(const LaunchPlan& plan) {
  const std::lock_guard lock(world_.mutex_);
  if (!world_.has_run_dialog_) return Error{Code::kUnimplemented, "this fake desktop has no Run dialog"};
  std::string line = plan.executable;
  for (std::size_t i = 1; i < plan.argv.size(); ++i) line += " " + plan.argv[i];
  return RunDialog{{"win", "r"}, FakeWorld::kShell, line};
}

std::vector<std::string> FakeApplications::open_files(std::uint32_t pid, const std::set<std::uint32_t>&) {
  const std::lock_guard lock(world_.mutex_);
  std::vector<std::string> files;
  for (const FakeWindow& window : world_.windows_) {
    if (window.pid == pid && !window.file.empty()) files.push_back(window.file);
  }
  return files;
}

// A program of the fake world ends with its window.
std::vector<LaunchedProgram> FakeApplications::launched() {
  const std::lock_guard lock(world_.mutex_);
  for (LaunchedProgram& program : world_.launched_) {
    const bool runs = std::ranges::find(world_.windows_, program.pid, &FakeWindow::pid) != world_.windows_.end();
    if (runs || program.ended) continue;
    program.ended = true;
    program.pids.clear();
  }
  return {world_.launched_.begin(), world_.launched_.end()};
}

void FakeApplications::remember(LaunchedProgram program) {
  constexpr std::size_t kMost = 16;
  world_.launched_.push_back(std::move(program));
  if (world_.launched_.size() > kMost) world_.launched_.pop_front();
}

std::string FakeApplications::nearest(const LaunchPlan& plan) const {
  std::vector<std::string> known{"notes"};
  for (const auto& [name, executable] : world_.installed_) known.push_back(name);
  return plan.argv.empty() ? "" : did_you_mean(plan.argv.front(), known);
}

}  // namespace da::actuator::fake
