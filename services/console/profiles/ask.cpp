#include "services/console/profiles/ask.h"

#include <poll.h>
#include <sys/signalfd.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <iostream>

#include "lib/os/unique_fd.h"
#include "services/console/commands/commands.h"

namespace da::console {

std::optional<std::string> ask_person(const std::string& question) {
  if (::isatty(STDIN_FILENO) == 0 || ::isatty(STDERR_FILENO) == 0) return std::nullopt;
  const sigset_t signals = stop_signals();
  const os::UniqueFd stopped(::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK));
  ::tcflush(STDIN_FILENO, TCIFLUSH);  // Text that was typed before the question is not its answer.
  std::cerr << question << std::flush;
  std::string line;
  std::array<pollfd, 2> polled{pollfd{STDIN_FILENO, POLLIN, 0}, pollfd{stopped.get(), POLLIN, 0}};
  while (true) {
    if (::poll(polled.data(), polled.size(), -1) < 0 && errno != EINTR) return std::nullopt;
    if (polled[1].revents != 0) return std::nullopt;
    if (polled[0].revents == 0) continue;
    char buffer[256];
    const ssize_t got = ::read(STDIN_FILENO, buffer, sizeof buffer);
    if (got <= 0) return std::nullopt;
    line.append(buffer, static_cast<std::size_t>(got));
    if (const auto end = line.find('\n'); end != std::string::npos) return line.substr(0, end);
  }
}

}  // namespace da::console
