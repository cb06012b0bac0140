#include "lib/service/stopping/stop_request.h"

#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>

#include "lib/os/network/accept_bound.h"
#include "lib/os/network/connection_limits.h"
#include "lib/os/process/confinement.h"
#include "lib/os/unique_fd.h"

namespace da::service {
namespace {

sigset_t stop_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGHUP);
  return signals;
}

}  // namespace

Result<void> prepare_service_process(const std::string&) {
  os::hide_from_other_processes();
  const sigset_t signals = stop_signals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  signal(SIGPIPE, SIG_IGN);
  os::raise_descriptor_limit();
  os::keep_descriptors_from_connections(os::ConnectionLimits::of_process().highest_descriptor);
  return ok();
}

std::optional<StopReason> wait_for_stop(const Parent& parent, Milliseconds timeout) {
  const sigset_t signals = stop_signals();
  const os::UniqueFd signal_fd(signalfd(-1, &signals, SFD_CLOEXEC));
  pollfd polled[] = {{signal_fd.get(), POLLIN, 0}, {parent.lifeline(), POLLIN, 0}};
  int ready = 0;
  while ((ready = poll(polled, 2, static_cast<int>(timeout.count()))) < 0 && errno == EINTR) {
  }
  if (ready <= 0) return std::nullopt;
  return polled[0].revents != 0 ? StopReason::kRequest : StopReason::kParentGone;
}

void end_process_within(std::chrono::seconds time) { alarm(static_cast<unsigned>(time.count())); }

}  // namespace da::service
