// What da-console's exit code says. The README lists them.
#pragma once

#include "da/v1/task.pb.h"
#include "lib/base/error.h"

namespace da::console {

enum ExitCode : int {
  kDone = 0,
  kTaskFailed = 1,
  kBadUsage = 2,
  kDenied = 3,
  kHalted = 4,
  kServiceLost = 5,
  kOutcomeUnknown = 6,
  kInterrupted = 130,
};

ExitCode exit_code_of(v1::TaskEnd end);
ExitCode exit_code_of(const Error& error);

// Says on stderr what went wrong, and returns the exit code for it.
ExitCode report(const Error& error);

}  // namespace da::console
