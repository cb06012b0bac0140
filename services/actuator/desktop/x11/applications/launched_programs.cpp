#include "services/actuator/desktop/x11/applications/launched_programs.h"

#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>

#include <algorithm>
#include <set>

#include "services/actuator/desktop/x11/applications/launch_report.h"
#include "services/actuator/desktop/x11/applications/posix_process.h"

namespace da::actuator::x11 {
namespace {

// Longer than a step waits for a window.
constexpr std::chrono::minutes kFollowedFor{15};
constexpr std::size_t kMostFollowed = 16;
// A search takes some milliseconds, so its interval grows with the age of the last start: 1/20 of it.
constexpr Milliseconds kBetweenSearches{250};
constexpr int kPartOfAge = 20;

}  // namespace

void LaunchedPrograms::add(std::uint32_t launcher, std::uint32_t pid, std::string token, os::UniqueFd report) {
  ::fcntl(report.get(), F_SETFL, O_NONBLOCK);
  LaunchedProgram program;
  program.pid = pid;
  program.pids = {pid};
  program.token = std::move(token);
  followed_.push_back({launcher, start_of(launcher), clock_.now(), std::move(report), std::move(program)});
  if (followed_.size() > kMostFollowed) followed_.pop_front();
  looked_ = {};
}

std::vector<LaunchedProgram> LaunchedPrograms::look() {
  const MonoTime now = clock_.now();
  std::erase_if(followed_, [&](const Followed& each) { return now - each.since > kFollowedFor; });
  for (Followed& each : followed_) read_report(each);
  const Nanoseconds age = followed_.empty() ? Nanoseconds(0) : now - followed_.back().since;
  const Nanoseconds between = std::max<Nanoseconds>(kBetweenSearches, age / kPartOfAge);
  const bool due = looked_ == MonoTime() || now - looked_ >= between;
  // The launcher outlives all descendants of the program, including those not found yet.
  const bool alive = std::ranges::any_of(
      followed_, [](const Followed& each) { return launcher_runs(each) || !each.program.pids.empty(); });
  if (due && alive) find_processes();
  std::vector<LaunchedProgram> programs;
  for (const Followed& each : followed_) programs.push_back(each.program);
  return programs;
}

// Compares start times, as the pid may have been reused.
bool LaunchedPrograms::launcher_runs(const Followed& followed) {
  return start_of(followed.launcher) == followed.launcher_start;
}

void LaunchedPrograms::read_report(Followed& followed) {
  LaunchReport report{};
  if (!followed.report || ::read(followed.report.get(), &report, sizeof(report)) != sizeof(report)) return;
  if (report.kind != LaunchReport::kEnded) return;
  LaunchedProgram& program = followed.program;
  program.ended = true;
  constexpr int kKilled = 128;
  program.exit_status = WIFSIGNALED(report.value) ? kKilled + WTERMSIG(report.value) : WEXITSTATUS(report.value);
  program.last_line.assign(report.line, ::strnlen(report.line, sizeof(report.line)));
  std::erase(program.pids, program.pid);
  followed.report.reset();
}

void LaunchedPrograms::find_processes() {
  looked_ = clock_.now();
  const std::vector<ProcessInfo> all = list_processes();
  for (Followed& each : followed_) {
    const bool runs = launcher_runs(each);
    std::set<std::uint32_t> family;
    if (runs) family.insert(each.launcher);
    std::vector<std::uint32_t> pids;
    // A child may come before its parent in the list.
    for (bool grows = runs; grows;) {
      grows = false;
      for (const ProcessInfo& process : all) {
        if (!family.contains(process.parent) || !family.insert(process.pid).second) continue;
        grows = true;
        if (!process.zombie) pids.push_back(process.pid);
      }
    }
    each.program.pids = std::move(pids);
  }
}

}  // namespace da::actuator::x11
