#include "lib/os/process/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>

#include "lib/os/process/pipe.h"

extern char** environ;

namespace da::os {
namespace {

std::vector<char*> c_strings(const std::vector<std::string>& words) {
  std::vector<char*> result;
  for (const std::string& word : words) result.push_back(const_cast<char*>(word.c_str()));
  result.push_back(nullptr);
  return result;
}

// Runs between fork and exec: only async-signal-safe calls.
[[noreturn]] void exec_or_report(const Command& command, char* const* argv, char* const* environment, int error_pipe) {
  if (!command.uses_terminal) ::setpgid(0, 0);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  for (const int fd : command.inherited) ::fcntl(fd, F_SETFD, 0);
  if (command.input >= 0) ::dup2(command.input, STDIN_FILENO);
  if (command.output >= 0) ::dup2(command.output, STDOUT_FILENO);
  ::execve(command.program.c_str(), argv, environment);
  const int error = errno;
  static_cast<void>(!::write(error_pipe, &error, sizeof error));
  ::_exit(127);
}

// False if nothing came before the deadline.
bool wait_readable(int fd, MonoTime deadline) {
  pollfd polled{fd, POLLIN, 0};
  for (;;) {
    const auto left = std::chrono::ceil<Milliseconds>(deadline - system_clock().now()).count();
    const int ready = ::poll(&polled, 1, static_cast<int>(std::clamp<std::int64_t>(left, 0, 1 << 30)));
    if (ready >= 0 || errno != EINTR) return ready > 0;
  }
}

}  // namespace

Result<ChildProcess> ChildProcess::start(const Command& command) {
  ASSIGN_OR_RETURN(Pipe error, make_pipe());
  std::vector<std::string> words = command.arguments;
  words.insert(words.begin(), command.program);
  const std::vector<char*> argv = c_strings(words);
  const std::vector<char*> environment = c_strings(command.environment);

  const pid_t pid = ::fork();
  if (pid < 0) return posix_error("start " + command.program, errno);
  if (pid == 0) exec_or_report(command, argv.data(), environment.data(), error.writer.get());
  error.writer.reset();
  ChildProcess child(pid, UniqueFd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))));
  if (!child.descriptor_) return posix_error("watch " + command.program, errno);
  int exec_error = 0;
  if (::read(error.reader.get(), &exec_error, sizeof exec_error) == sizeof exec_error) {
    return posix_error("execute " + command.program, exec_error);
  }
  return child;
}

ChildProcess::~ChildProcess() {
  if (!descriptor_ || ended_) return;
  send_signal(SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

std::optional<std::string> ChildProcess::wait(MonoTime deadline) {
  if (ended_) return ended_;
  if (!wait_readable(descriptor_.get(), deadline)) return std::nullopt;
  int status = 0;
  if (::waitpid(pid_, &status, WNOHANG) != pid_) return std::nullopt;
  if (WIFEXITED(status)) exit_code_ = WEXITSTATUS(status);
  ended_ = WIFSIGNALED(status) ? "killed by signal " + std::to_string(WTERMSIG(status))
                               : "exit code " + std::to_string(WEXITSTATUS(status));
  return ended_;
}

void ChildProcess::send_signal(int signal) {
  if (!ended_) ::syscall(SYS_pidfd_send_signal, descriptor_.get(), signal, nullptr, 0);
}

std::vector<std::string> current_environment() {
  std::vector<std::string> variables;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    variables.emplace_back(*variable);
  }
  return variables;
}

Result<Finished> run_to_end(Command command, MonoTime deadline) {
  ASSIGN_OR_RETURN(Pipe pipe, make_pipe());
  command.output = pipe.writer.get();
  ASSIGN_OR_RETURN(auto process, ChildProcess::start(command));
  pipe.writer.reset();
  const Error too_slow{Code::kDeadlineExceeded, command.program + " did not end in time"};
  Finished finished;
  char buffer[4096];
  for (;;) {
    if (!wait_readable(pipe.reader.get(), deadline)) return too_slow;
    const ssize_t got = ::read(pipe.reader.get(), buffer, sizeof buffer);
    if (got < 0 && errno != EINTR) return posix_error("read what " + command.program + " prints", errno);
    if (got == 0) break;
    if (got > 0) finished.output.append(buffer, static_cast<std::size_t>(got));
  }
  const auto ended = process.wait(deadline);
  if (!ended) return too_slow;
  finished.ended = *ended;
  finished.exit_code = process.exit_code();
  return finished;
}

}  // namespace da::os
