// da-launcher REPORT-FD PROGRAM ARGV0 [ARGUMENT...]: starts the program, reads its output, and reports through the
// descriptor that it runs and how it ended (launch_report.h). Started by the actuator, not by hand.
//
// It outlives the actuator, because a program whose output nobody reads stops at a full pipe. It is the subreaper of
// the program's descendants, so that the actuator can match windows to launches, and ends after the last of them.
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <string_view>

#include "services/actuator/desktop/x11/applications/launch_report.h"

namespace {

using da::actuator::x11::LaunchReport;

// The last non-blank line, cut to the size of LaunchReport::line.
class LastLine {
 public:
  void add(std::string_view bytes) {
    for (const char c : bytes) {
      if (c == '\n') {
        end_line();
      } else if (length_ < now_.size()) {
        now_[length_++] = c;
      }
    }
  }

  void copy_to(LaunchReport& report) {
    end_line();
    std::copy(last_.begin(), last_.end(), report.line);
  }

 private:
  void end_line() {
    const std::string_view line(now_.data(), length_);
    if (line.find_first_not_of(" \t\r") != std::string_view::npos) {
      last_ = {};
      std::copy_n(now_.begin(), length_, last_.begin());
    }
    length_ = 0;
  }

  std::array<char, sizeof(LaunchReport::line)> now_{};
  std::array<char, sizeof(LaunchReport::line)> last_{};
  std::size_t length_ = 0;
};

void send_report(int pipe, const LaunchReport& report) {
  while (::write(pipe, &report, sizeof(report)) < 0 && errno == EINTR) {
  }
}

// Undoes the actuator's higher limit: programs that use select() support only FD_SETSIZE descriptors.
void set_usual_descriptor_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_cur, FD_SETSIZE);
  (void)::setrlimit(RLIMIT_NOFILE, &limit);
}

[[noreturn]] void become(char** program, int output, int failure) {
  set_usual_descriptor_limit();
  const int nowhere = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nowhere >= 0) ::dup2(nowhere, STDIN_FILENO);
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) ::dup2(output, stream);
  ::signal(SIGPIPE, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::execv(program[0], program + 1);
  const int why = errno;
  static_cast<void>(!::write(failure, &why, sizeof(why)));
  ::_exit(127);
}

// Reads the output available now. Returns false once all writers have closed the pipe.
bool drain(int output, LastLine& line) {
  std::array<char, 4096> bytes;
  for (;;) {
    const auto got = ::read(output, bytes.data(), bytes.size());
    if (got > 0) {
      line.add({bytes.data(), static_cast<std::size_t>(got)});
    } else if (got == 0 || errno != EINTR) {
      return got != 0 && errno == EAGAIN;
    }
  }
}

// Returns true once no process is left.
bool reap(pid_t program, int output, LastLine& line, int report) {
  for (;;) {
    int status = 0;
    const pid_t gone = ::waitpid(-1, &status, WNOHANG);
    if (gone < 0 && errno == EINTR) continue;
    if (gone <= 0) return gone < 0;
    if (gone != program) continue;
    drain(output, line);
    LaunchReport ended{LaunchReport::kEnded, status, {}};
    line.copy_to(ended);
    send_report(report, ended);
    ::close(report);
  }
}

int follow(pid_t program, int output, int children, int report) {
  LastLine line;
  bool readable = true;
  for (;;) {
    pollfd waiting[] = {{children, POLLIN, 0}, {readable ? output : -1, POLLIN, 0}};
    if (::poll(waiting, 2, -1) < 0 && errno != EINTR) return 1;
    if (waiting[1].revents != 0) readable = drain(output, line);
    if (waiting[0].revents == 0) continue;
    signalfd_siginfo told;
    while (::read(children, &told, sizeof(told)) > 0) {
    }
    if (reap(program, output, line, report)) return 0;
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  const int report = std::atoi(argv[1]);
  if (report <= STDERR_FILENO || ::fcntl(report, F_SETFD, FD_CLOEXEC) != 0) return 2;
  ::signal(SIGPIPE, SIG_IGN);  // The actuator may be gone.
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  sigset_t ended;
  ::sigemptyset(&ended);
  ::sigaddset(&ended, SIGCHLD);
  ::sigprocmask(SIG_BLOCK, &ended, nullptr);
  int output[2], failure[2];
  const int children = ::signalfd(-1, &ended, SFD_CLOEXEC | SFD_NONBLOCK);
  if (children < 0 || ::pipe2(output, O_CLOEXEC) != 0 || ::pipe2(failure, O_CLOEXEC) != 0) {
    send_report(report, {LaunchReport::kFailed, errno, {}});
    return 1;
  }
  const pid_t program = ::fork();
  if (program == 0) become(argv + 2, output[1], failure[1]);
  int why = program < 0 ? errno : 0;
  ::close(failure[1]);
  ::close(output[1]);
  if (program > 0 && ::read(failure[0], &why, sizeof(why)) != sizeof(why)) why = 0;
  send_report(report, {why != 0 ? LaunchReport::kFailed : LaunchReport::kPid, why != 0 ? why : program, {}});
  if (why != 0) return 1;
  ::fcntl(output[0], F_SETFL, O_NONBLOCK);
  return follow(program, output[0], children, report);
}
