// An error as a value, with gRPC's canonical codes, so that it keeps its meaning across a process border. A message
// says what failed, on what, why, and what to do. Any thread.
#pragma once

#include <string>
#include <string_view>

namespace da {

enum class Code {
  kCancelled = 1,
  kUnknown = 2,
  kInvalidArgument = 3,
  kDeadlineExceeded = 4,
  kNotFound = 5,
  kAlreadyExists = 6,
  kPermissionDenied = 7,
  kResourceExhausted = 8,
  kFailedPrecondition = 9,
  kAborted = 10,
  kOutOfRange = 11,
  kUnimplemented = 12,
  kInternal = 13,
  kUnavailable = 14,
  kDataLoss = 15,
  kUnauthenticated = 16,
};

struct [[nodiscard]] Error {
  Code code;
  std::string message;
};

std::string_view to_string(Code code);

// Translates an errno. Call it once, where the system call failed: posix_error("open /etc/x", errno).
Error posix_error(std::string_view attempted, int error_number);

}  // namespace da
