#include "services/console/standard_output.h"

#include <poll.h>
#include <unistd.h>

#include <cstdio>
#include <iostream>

#include "services/console/exit_codes.h"

namespace da::console {
namespace {

// A pipe, a socket or a terminal whose other end was closed.
bool reader_is_gone() {
  pollfd polled{STDOUT_FILENO, POLLOUT, 0};
  return ::poll(&polled, 1, 0) == 1 && (polled.revents & (POLLERR | POLLHUP)) != 0;
}

}  // namespace

int after_output(int exit_code) {
  std::cout.flush();
  if (std::cout && std::ferror(stdout) == 0) return exit_code;
  if (!reader_is_gone()) std::cerr << "da-console: not all of the output could be written to stdout" << std::endl;
  return exit_code == kDone ? kTaskFailed : exit_code;
}

}  // namespace da::console
