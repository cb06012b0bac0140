// The exit codes of da-console, which the README lists. Main thread.
#pragma once

#include "da/v1/task.pb.h"
#include "lib/base/result.h"

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

// Prints the error on stderr and returns its exit code.
ExitCode report(const Error& error);

// ASSIGN_OR_REPORT(auto file, open(path)); reports an error and returns its exit code to the caller.
#define ASSIGN_OR_REPORT(target, expression) ASSIGN_OR_REPORT_INNER(DA_CONCAT(result_, __LINE__), target, expression)
#define ASSIGN_OR_REPORT_INNER(result, target, expression)   \
  auto result = (expression);                                \
  if (!result) return ::da::console::report(result.error()); \
  target = *std::move(result)

// Flushes stdout at the end of a run and returns the program's exit code. If output was lost (for example a full disk),
// prints an error and turns kDone into kTaskFailed. Prints nothing if the reader has closed the pipe (`| head -1`).
int after_output(int exit_code);

}  // namespace da::console
