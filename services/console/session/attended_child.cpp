#include "services/console/session/attended_child.h"

#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "lib/os/unique_fd.h"

namespace da::console {
namespace {

constexpr Milliseconds kEndsWithin{2000};  // Longest wait for the child after a signal.

int milliseconds_until(MonoTime deadline) {
  const auto left = std::chrono::ceil<Milliseconds>(deadline - system_clock().now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, 1 << 30));
}

}  // namespace

Result<std::string> attend(os::ChildProcess& child, const sigset_t& signals, MonoTime deadline) {
  const os::UniqueFd stopped(::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!stopped) return posix_error("wait for signals", errno);
  std::array<pollfd, 2> polled{pollfd{child.descriptor(), POLLIN, 0}, pollfd{stopped.get(), POLLIN, 0}};
  while (true) {
    const int ready = ::poll(polled.data(), polled.size(), milliseconds_until(deadline));
    if (ready < 0 && errno != EINTR) return posix_error("wait for a program", errno);
    if (ready == 0) return Error{Code::kDeadlineExceeded, "the program did not end in time"};
    if (ready < 0) continue;
    if (const auto ended = child.wait(system_clock().now())) return *ended;
    signalfd_siginfo signal{};
    if (::read(stopped.get(), &signal, sizeof signal) != sizeof signal) continue;
    child.send_signal(static_cast<int>(signal.ssi_signo));
    static_cast<void>(child.wait(system_clock().now() + kEndsWithin));
    return Error{Code::kCancelled, "interrupted"};
  }
}

}  // namespace da::console
