#include "services/console/exit_codes.h"

#include <poll.h>
#include <unistd.h>

#include <cstdio>
#include <iostream>

#include "lib/base/text.h"

namespace da::console {
namespace {

constexpr std::size_t kMostErrorCharacters = 8'000;

// The other end of the pipe, socket or terminal was closed.
bool reader_is_gone() {
  pollfd polled{STDOUT_FILENO, POLLOUT, 0};
  return ::poll(&polled, 1, 0) == 1 && (polled.revents & (POLLERR | POLLHUP)) != 0;
}

}  // namespace

ExitCode exit_code_of(v1::TaskEnd end) {
  switch (end) {
    case v1::TASK_END_DONE: return kDone;
    case v1::TASK_END_BAD_GOAL: return kBadUsage;
    case v1::TASK_END_DENIED:
    case v1::TASK_END_EXPIRED: return kDenied;
    case v1::TASK_END_HALTED: return kHalted;
    case v1::TASK_END_SERVICE_LOST: return kServiceLost;
    case v1::TASK_END_UNKNOWN_OUTCOME: return kOutcomeUnknown;
    case v1::TASK_END_CANCELLED: return kInterrupted;
    default: return kTaskFailed;
  }
}

ExitCode exit_code_of(const Error& error) {
  switch (error.code) {
    case Code::kInvalidArgument: return kBadUsage;
    case Code::kPermissionDenied: return kDenied;
    case Code::kUnavailable:
    case Code::kDeadlineExceeded: return kServiceLost;
    case Code::kCancelled: return kInterrupted;
    default: return kTaskFailed;
  }
}

ExitCode report(const Error& error) {
  // Messages quote files, peers and windows. Nothing in them may reach the terminal as a control character.
  std::cerr << "da-console: " << escape_foreign_lines(error.message, kMostErrorCharacters) << std::endl;
  return exit_code_of(error);
}

int after_output(int exit_code) {
  std::cout.flush();
  if (std::cout && std::ferror(stdout) == 0) return exit_code;
  if (!reader_is_gone()) std::cerr << "da-console: not all of the output could be written to stdout" << std::endl;
  return exit_code == kDone ? kTaskFailed : exit_code;
}

}  // namespace da::console
