#include "tests/bench/service_process.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>

#include "lib/os/process/pipe.h"

namespace da::bench {
namespace {

constexpr int kReadyTimeoutMs = 15'000;

}  // namespace

std::filesystem::path build_directory() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path();
}

Result<os::ChildProcess> start_serving(const std::filesystem::path& program,
                                       const std::function<std::vector<std::string>(const Ties&)>& arguments,
                                       const std::vector<int>& more_inherited,
                                       const std::vector<std::string>& more_environment) {
  static const auto lifeline = os::make_pipe();
  if (!lifeline) return lifeline.error();
  ASSIGN_OR_RETURN(auto ready, os::make_pipe());
  const Ties ties{ready.writer.get(), lifeline->reader.get()};
  std::vector<int> inherited = {ties.ready_fd, ties.lifeline_fd};
  inherited.insert(inherited.end(), more_inherited.begin(), more_inherited.end());
  auto environment = os::current_environment();
  environment.insert(environment.begin(), more_environment.begin(), more_environment.end());
  ASSIGN_OR_RETURN(auto process, os::ChildProcess::start({.program = program.string(),
                                                          .arguments = arguments(ties),
                                                          .environment = environment,
                                                          .inherited = inherited,
                                                          .output = STDERR_FILENO}));
  ready.writer.reset();
  pollfd polled{ready.reader.get(), POLLIN, 0};
  char byte = 0;
  if (::poll(&polled, 1, kReadyTimeoutMs) <= 0 || ::read(ready.reader.get(), &byte, 1) != 1) {
    return Error{Code::kUnavailable, program.string() + " did not start"};
  }
  return process;
}

}  // namespace da::bench
