// da-guardian DISPLAY HELD-FD CLIPBOARD-FD PROCESS-FD: cleans up after the actuator that started it (guardian.h).
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <iostream>
#include <string_view>

#include "services/actuator/desktop/x11/session/guardian.h"

namespace {

using namespace da;

Result<os::UniqueFd> inherited(std::string_view text) {
  int number = -1;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  if (parsed.ec != std::errc() || number <= STDERR_FILENO || ::fcntl(number, F_SETFD, FD_CLOEXEC) != 0) {
    return Error{Code::kInvalidArgument, "no such descriptor was inherited: " + std::string(text)};
  }
  return os::UniqueFd(number);
}

void close_all_but(std::array<int, 3> kept) {
  std::ranges::sort(kept);
  auto next = static_cast<unsigned>(STDERR_FILENO + 1);
  for (const int each : kept) {
    const auto descriptor = static_cast<unsigned>(each);
    if (descriptor > next) ::close_range(next, descriptor - 1, 0);
    next = descriptor + 1;
  }
  ::close_range(next, ~0U, 0);
}

Result<void> run(int argc, char** argv) {
  if (argc != 5) return Error{Code::kInvalidArgument, "expected 4 arguments: da-actuator starts this program"};
  ASSIGN_OR_RETURN(auto memory, inherited(argv[2]));
  ASSIGN_OR_RETURN(auto clipboard, inherited(argv[3]));
  ASSIGN_OR_RETURN(auto process, inherited(argv[4]));
  // Files and sockets of the actuator must close when it ends.
  close_all_but({memory.get(), clipboard.get(), process.get()});
  os::UniqueFd ready(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
  if (!ready) return posix_error("duplicate the stream that reports readiness", errno);
  // No descriptor opened later may get the number of a standard stream.
  os::UniqueFd nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO}) ::dup2(nothing.get(), stream);
  nothing.reset();
  // The clipboard may contain a password, which must not reach a core file.
  constexpr rlimit kNoCore{0, 0};
  ::setrlimit(RLIMIT_CORE, &kNoCore);
  // The guardian must survive signals that end the actuator.
  for (const int number : {SIGTERM, SIGINT, SIGHUP, SIGPIPE}) ::signal(number, SIG_IGN);
  ASSIGN_OR_RETURN(auto held, actuator::x11::HeldInput::map(std::move(memory)));
  return actuator::x11::guard({argv[1], std::move(held), actuator::x11::KeptClipboard::of(std::move(clipboard)),
                               std::move(process), std::move(ready)},
                              system_clock());
}

}  // namespace

int main(int argc, char** argv) {
  const auto guarded = run(argc, argv);
  if (guarded) return 0;
  std::cerr << "da-guardian: " << guarded.error().message << std::endl;
  return 1;
}
