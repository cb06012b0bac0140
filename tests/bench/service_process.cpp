#include "tests/bench/service_process.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>

extern char** environ;

namespace da::bench {
namespace {

constexpr int kReadyTimeoutMs = 15'000;

struct Pipe {
  os::UniqueFd reader;
  os::UniqueFd writer;
};

Result<Pipe> make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return posix_error("make a pipe", errno);
  return Pipe{os::UniqueFd(ends[0]), os::UniqueFd(ends[1])};
}

}  // namespace

std::filesystem::path build_directory() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path();
}

Result<os::ChildProcess> start_serving(const std::filesystem::path& program,
                                       const std::function<std::vector<std::string>(const Ties&)>& arguments,
                                       const std::vector<std::string>& more_environment) {
  static const auto lifeline = make_pipe();
  if (!lifeline) return lifeline.error();
  ASSIGN_OR_RETURN(auto ready, make_pipe());
  const Ties ties{ready.writer.get(), lifeline->reader.get()};
  std::vector<std::string> environment = more_environment;
  for (char** variable = environ; *variable != nullptr; ++variable) environment.emplace_back(*variable);
  ASSIGN_OR_RETURN(auto process, os::ChildProcess::start({.program = program.string(),
                                                          .arguments = arguments(ties),
                                                          .environment = environment,
                                                          .inherited = {ties.ready_fd, ties.lifeline_fd},
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
