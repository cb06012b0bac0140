#include "services/actuator/desktop/x11/posix_applications.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "lib/base/text.h"
#include "lib/os/pipe.h"
#include "services/actuator/desktop/x11/command_line.h"
#include "services/actuator/desktop/x11/desktop_entry.h"

namespace da::actuator::x11 {
namespace {

// The canonical path of a program that may be executed.
std::optional<std::string> program_at(const std::filesystem::path& path) {
  std::error_code failed;
  const auto canonical = std::filesystem::canonical(path, failed);
  if (failed || !std::filesystem::is_regular_file(canonical, failed) || ::access(canonical.c_str(), X_OK) != 0)
    return std::nullopt;
  return canonical.string();
}

std::optional<std::string> find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return program_at(name);
  const char* variable = std::getenv("PATH");
  std::string_view path = variable != nullptr ? variable : "/usr/local/bin:/usr/bin:/bin";
  while (!path.empty()) {
    const auto end = std::min(path.find(':'), path.size());
    // An empty or relative part would mean "where we happen to be": never search there.
    if (path.starts_with('/'))
      if (auto program = program_at(std::filesystem::path(path.substr(0, end)) / name)) return program;
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return std::nullopt;
}

std::vector<std::string> environment_with(const std::map<std::string, std::string>& changes) {
  std::vector<std::string> variables;
  for (char** each = environ; each != nullptr && *each != nullptr; ++each) {
    const std::string_view variable = *each;
    if (!changes.contains(std::string(variable.substr(0, variable.find('='))))) variables.emplace_back(variable);
  }
  for (const auto& [name, value] : changes) variables.push_back(name + "=" + value);
  return variables;
}

std::vector<char*> pointers_to(std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  for (std::string& each : strings) pointers.push_back(each.data());
  pointers.push_back(nullptr);
  return pointers;
}

// What the started process tells through the pipe. It closes without a failure when exec succeeded.
struct Report {
  enum Kind : int { kPid, kFailed } kind;
  int value;
};

void tell(int pipe, Report report) {
  while (::write(pipe, &report, sizeof(report)) < 0 && errno == EINTR) {
  }
}

// Runs in the child of a process with threads: only async-signal-safe calls, nothing that allocates.
[[noreturn]] void become(const char* program, char* const* argv, char* const* environment, int pipe) {
  const int nowhere = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nowhere >= 0)
    for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nowhere, standard);
  ::syscall(SYS_close_range, 3U, ~0U, static_cast<unsigned>(CLOSE_RANGE_CLOEXEC));
  for (int number = 1; number < NSIG; ++number) ::signal(number, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::execve(program, argv, environment);
  tell(pipe, {Report::kFailed, errno});
  ::_exit(127);
}

[[noreturn]] void fork_again(const char* program, char* const* argv, char* const* environment, int pipe) {
  ::setsid();
  const pid_t pid = ::fork();
  if (pid == 0) become(program, argv, environment, pipe);
  tell(pipe, pid > 0 ? Report{Report::kPid, pid} : Report{Report::kFailed, errno});
  ::_exit(0);
}

}  // namespace

Result<LaunchPlan> PosixApplications::resolve(std::string_view command) {
  ASSIGN_OR_RETURN(auto words, split_words(command));
  if (auto program = find_program(words.front())) return LaunchPlan{std::move(*program), std::move(words)};
  if (auto entry = command_of_desktop_entry(command))
    if (auto program = find_program(entry->front())) return LaunchPlan{std::move(*program), std::move(*entry)};
  return Error{Code::kNotFound,
               "launch " + escape_foreign(command) + ": no program in PATH and no desktop entry has this name"};
}

Result<std::uint32_t> PosixApplications::launch(const LaunchPlan& plan) {
  auto arguments = plan.argv;
  if (arguments.empty()) arguments.push_back(plan.executable);
  auto variables = environment_with(environment_);
  const auto argv = pointers_to(arguments);
  const auto environment = pointers_to(variables);
  ASSIGN_OR_RETURN(os::Pipe report_pipe, os::make_pipe());
  const pid_t child = ::fork();
  if (child < 0) return posix_error("launch " + plan.executable, errno);
  if (child == 0) fork_again(plan.executable.c_str(), argv.data(), environment.data(), report_pipe.writer.get());
  report_pipe.writer.reset();
  while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
  std::uint32_t pid = 0;
  int failure = 0;
  Report report{};
  for (;;) {
    const auto got = ::read(report_pipe.reader.get(), &report, sizeof(report));
    if (got < 0 && errno == EINTR) continue;
    if (got != sizeof(report)) break;
    if (report.kind == Report::kPid)
      pid = static_cast<std::uint32_t>(report.value);
    else
      failure = report.value;
  }
  if (failure != 0) return posix_error("launch " + plan.executable, failure);
  if (pid == 0) return Error{Code::kInternal, "launch " + plan.executable + ": its process ended before it began"};
  return pid;
}

}  // namespace da::actuator::x11
