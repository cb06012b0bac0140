#include "services/actuator/desktop/x11/applications/posix_applications.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "lib/base/command_words.h"
#include "lib/base/nearest.h"
#include "lib/base/text.h"
#include "lib/os/process/pipe.h"
#include "services/actuator/desktop/x11/applications/desktop_entry.h"
#include "services/actuator/desktop/x11/applications/launch_report.h"
#include "services/actuator/desktop/x11/applications/open_files.h"

namespace da::actuator::x11 {
namespace {

enum class Follow { kNo, kYes };

// The canonical path of an executable file.
std::optional<std::string> program_at(const std::filesystem::path& path) {
  std::error_code failed;
  const auto canonical = std::filesystem::canonical(path, failed);
  if (failed || !std::filesystem::is_regular_file(canonical, failed) || ::access(canonical.c_str(), X_OK) != 0)
    return std::nullopt;
  return canonical.string();
}

// The directories of PATH; `fallback` when it is not set. Leaves out relative ones: they mean the working directory.
std::vector<std::filesystem::path> program_directories(const char* fallback) {
  const char* variable = std::getenv("PATH");
  std::string_view path = variable != nullptr ? variable : fallback;
  std::vector<std::filesystem::path> found;
  while (!path.empty()) {
    const auto end = std::min(path.find(':'), path.size());
    if (path.starts_with('/')) found.emplace_back(path.substr(0, end));
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return found;
}

std::optional<std::string> find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return program_at(name);
  for (const auto& directory : program_directories("/usr/local/bin:/usr/bin:/bin"))
    if (auto program = program_at(directory / name)) return program;
  return std::nullopt;
}

// Suggests files in PATH and desktop entries with similar names. Executes and opens no program.
std::string did_you_mean_program(const std::string& name) {
  std::vector<std::string> known = desktop_entry_names();
  for (const auto& directory : program_directories("")) {
    std::error_code failed;
    for (std::filesystem::directory_iterator file(directory, failed), last; !failed && file != last;
         file.increment(failed)) {
      known.push_back(file->path().filename().string());
    }
  }
  // Suggest no name that the message would have to escape.
  std::erase_if(known, [](const std::string& each) { return quote_foreign(each) != "\"" + each + "\""; });
  std::ranges::sort(known);
  return did_you_mean(name, known);
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

void send_report(int pipe, const LaunchReport& report) {
  while (::write(pipe, &report, sizeof(report)) < 0 && errno == EINTR) {
  }
}

// Runs in the child of a process with threads: only async-signal-safe calls, no allocation.
[[noreturn]] void become(const char* program, char* const* argv, char* const* environment, int pipe, Follow follow) {
  const int nowhere = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nowhere >= 0)
    for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nowhere, standard);
  ::syscall(SYS_close_range, 3U, ~0U, static_cast<unsigned>(CLOSE_RANGE_CLOEXEC));
  if (follow == Follow::kYes) ::fcntl(pipe, F_SETFD, 0);  // The launcher inherits it.
  for (int number = 1; number < NSIG; ++number) ::signal(number, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::execve(program, argv, environment);
  send_report(pipe, {LaunchReport::kFailed, errno, {}});
  ::_exit(127);
}

[[noreturn]] void fork_again(const char* program, char* const* argv, char* const* environment, int pipe,
                             Follow follow) {
  ::setsid();
  const pid_t pid = ::fork();
  if (pid == 0) become(program, argv, environment, pipe, follow);
  send_report(pipe, {pid > 0 ? LaunchReport::kStarted : LaunchReport::kFailed, pid > 0 ? pid : errno, {}});
  ::_exit(0);
}

// Reads the next record; nullopt at the end.
std::optional<LaunchReport> next_report(int pipe) {
  LaunchReport report{};
  for (;;) {
    const auto got = ::read(pipe, &report, sizeof(report));
    if (got < 0 && errno == EINTR) continue;
    return got == sizeof(report) ? std::optional(report) : std::nullopt;
  }
}

struct Started {
  std::uint32_t first = 0;  // The launcher, or the program when there is no launcher.
  std::uint32_t program = 0;
};

// The records come in any order. A program without a launcher sends none: exec closes its end of the pipe.
Result<Started> await_start(int pipe, const LaunchPlan& plan, Follow follow) {
  Started started;
  const auto complete = [&] { return follow == Follow::kYes && started.first != 0 && started.program != 0; };
  while (!complete()) {
    const auto report = next_report(pipe);
    if (!report) break;
    if (report->kind == LaunchReport::kFailed) return posix_error("launch " + plan.executable, report->value);
    const auto pid = static_cast<std::uint32_t>(report->value);
    if (report->kind == LaunchReport::kStarted) started.first = pid;
    if (report->kind == LaunchReport::kPid) started.program = pid;
  }
  if (follow == Follow::kNo) started.program = started.first;
  if (started.first == 0 || started.program == 0) {
    return Error{Code::kInternal, "launch " + plan.executable + ": its process ended before it reported its start"};
  }
  return started;
}

// A startup id (freedesktop.org Startup Notification): it identifies the windows of this launch, and its time makes the
// window manager treat it as a recent wish of the user. The X server's time is milliseconds of the monotonic clock.
std::string new_startup_id(const Clock& clock) {
  static int count = 0;
  const auto now = std::chrono::duration_cast<Milliseconds>(clock.now().time_since_epoch()).count();
  return "desktopassist-" + std::to_string(::getpid()) + "-" + std::to_string(++count) + "_TIME" +
         std::to_string(static_cast<std::uint32_t>(now));
}

}  // namespace

Result<LaunchPlan> PosixApplications::resolve(std::string_view command) {
  ASSIGN_OR_RETURN(auto words, split_words(command));
  if (auto program = find_program(words.front())) return LaunchPlan{std::move(*program), std::move(words)};
  if (auto entry = command_of_desktop_entry(command)) {
    if (auto program = find_program(entry->front())) return LaunchPlan{std::move(*program), std::move(*entry)};
    return Error{Code::kNotFound, "launch " + escape_foreign(command) + ": its desktop entry starts " +
                                      quote_foreign(entry->front()) +
                                      ", which is no program in PATH: install it, or add its directory to PATH"};
  }
  return Error{Code::kNotFound, "launch " + escape_foreign(command) +
                                    ": no program in PATH and no desktop entry has this name" +
                                    did_you_mean_program(words.front())};
}

Result<std::uint32_t> PosixApplications::launch(const LaunchPlan& plan) {
  const Follow follow = launcher_.empty() ? Follow::kNo : Follow::kYes;
  auto arguments = plan.argv;
  if (arguments.empty()) arguments.push_back(plan.executable);
  ASSIGN_OR_RETURN(os::Pipe report_pipe, os::make_pipe());
  std::string token;
  auto changes = environment_;
  if (follow == Follow::kYes) {
    arguments.insert(arguments.begin(), {launcher_, std::to_string(report_pipe.writer.get()), plan.executable});
    token = new_startup_id(clock_);
    changes["DESKTOP_STARTUP_ID"] = token;
  }
  const std::string& program = follow == Follow::kYes ? launcher_ : plan.executable;
  auto variables = environment_with(changes);
  const auto argv = pointers_to(arguments);
  const auto environment = pointers_to(variables);
  const pid_t child = ::fork();
  if (child < 0) return posix_error("launch " + plan.executable, errno);
  if (child == 0) fork_again(program.c_str(), argv.data(), environment.data(), report_pipe.writer.get(), follow);
  report_pipe.writer.reset();
  while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
  ASSIGN_OR_RETURN(const Started started, await_start(report_pipe.reader.get(), plan, follow));
  if (follow == Follow::kYes) {
    launched_.add(started.first, started.program, std::move(token), std::move(report_pipe.reader));
  }
  return started.program;
}

Result<RunDialog> PosixApplications::run_dialog(const LaunchPlan&) {
  return Error{Code::kUnimplemented, "X11 desktops have no Run dialog in common"};
}

std::vector<LaunchedProgram> PosixApplications::launched() { return launched_.look(); }

std::vector<std::string> PosixApplications::open_files(std::uint32_t pid, const std::set<std::uint32_t>& others) {
  return open_files_of(pid, others);
}

}  // namespace da::actuator::x11
