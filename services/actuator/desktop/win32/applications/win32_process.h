// Information about processes, and their termination. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lib/base/clock.h"
#include "lib/base/result.h"
#include "services/actuator/desktop/win32/applications/integrity.h"
#include "services/actuator/desktop/win32/base/handles.h"

namespace da::actuator::win32 {

// Absolute path as the kernel knows it; empty when unknown.
std::string executable_of(std::uint32_t pid);
// Time of creation in units of 100 ns since 1601; 0 when there is no such process. Pids are reused; pid and start time
// together identify a process.
std::uint64_t start_of(std::uint32_t pid);

// Whether Windows delivers our input to a process. Pid 0 is no process, and counts as reached.
Reach reach_of(std::uint32_t pid);

Integrity own_integrity();
// Whether this process runs as administrator, so that it reaches windows of administrators' programs.
bool is_elevated();

struct ProcessInfo {
  std::uint32_t pid = 0;
  std::uint32_t parent = 0;
};
std::vector<ProcessInfo> list_processes();

// The ancestors of this process, the nearest first, as of the first call.
const std::vector<std::uint32_t>& own_ancestors();

// Processor cycles that the process has used; equal numbers at two times mean that it did not run in between. nullopt
// when unknown.
std::optional<std::uint64_t> cycles_of(std::uint32_t pid);

// A process that runs, found by its pid and start time. Its pid is not used again while this lives.
class RunningProcess {
 public:
  // kNotFound (gone, or the pid was reused), kPermissionDenied, kInvalidArgument (this process).
  static Result<RunningProcess> open(std::uint32_t pid, std::uint64_t process_start);
  // Waits for its end, at most for `patience`.
  bool has_ended_in(Milliseconds patience) const;
  // Returns once it is gone. kDeadlineExceeded.
  Result<void> kill(MonoTime deadline, const Clock& clock) const;

 private:
  RunningProcess(UniqueKernelHandle process, std::uint32_t pid) : process_(std::move(process)), pid_(pid) {}

  UniqueKernelHandle process_;
  std::uint32_t pid_;
};

}  // namespace da::actuator::win32
