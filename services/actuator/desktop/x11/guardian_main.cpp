// da-guardian DISPLAY HELD-FD PROCESS-FD: outlives the actuator that starts it, by as long as putting the desktop right
// takes. Not to be started by hand.
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
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

Result<void> run(int argc, char** argv) {
  if (argc != 4) return Error{Code::kInvalidArgument, "da-actuator starts it; it is of no use by hand"};
  ASSIGN_OR_RETURN(auto memory, inherited(argv[2]));
  ASSIGN_OR_RETURN(auto process, inherited(argv[3]));
  // What else the actuator had open must end with the actuator.
  const auto [low, high] = std::minmax({memory.get(), process.get()});
  ::close_range(STDERR_FILENO + 1, static_cast<unsigned>(low) - 1, 0);
  ::close_range(static_cast<unsigned>(low) + 1, static_cast<unsigned>(high) - 1, 0);
  ::close_range(static_cast<unsigned>(high) + 1, ~0U, 0);
  // A signal to all that belongs to the actuator is exactly when it is needed.
  for (const int number : {SIGTERM, SIGINT, SIGHUP, SIGPIPE}) ::signal(number, SIG_IGN);
  ASSIGN_OR_RETURN(auto held, actuator::x11::HeldInput::map(std::move(memory)));
  return actuator::x11::guard({argv[1], std::move(held), std::move(process), os::UniqueFd(STDOUT_FILENO)},
                              system_clock());
}

}  // namespace

int main(int argc, char** argv) {
  const auto guarded = run(argc, argv);
  if (guarded) return 0;
  std::cerr << "da-guardian: " << guarded.error().message << std::endl;
  return 1;
}
