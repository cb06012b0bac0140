// da-guardian DISPLAY HELD-FD CLIPBOARD-FD PROCESS-FD: outlives the actuator that starts it, by as long as putting the
// desktop right takes. Not to be started by hand.
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

#include "services/actuator/desktop/x11/guardian.h"

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
  if (argc != 5) return Error{Code::kInvalidArgument, "da-actuator starts it; it is of no use by hand"};
  ASSIGN_OR_RETURN(auto memory, inherited(argv[2]));
  ASSIGN_OR_RETURN(auto clipboard, inherited(argv[3]));
  ASSIGN_OR_RETURN(auto process, inherited(argv[4]));
  // What else the actuator had open must end with the actuator.
  close_all_but({memory.get(), clipboard.get(), process.get()});
  os::UniqueFd ready(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
  if (!ready) return posix_error("keep the stream that says that the guardian watches", errno);
  // No descriptor opened later may come by the number of a stream.
  os::UniqueFd nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO}) ::dup2(nothing.get(), stream);
  nothing.reset();
  // A clipboard may be a password, and no file may hold it.
  constexpr rlimit kNoCore{0, 0};
  ::setrlimit(RLIMIT_CORE, &kNoCore);
  // A signal to all that belongs to the actuator is exactly when it is needed.
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
