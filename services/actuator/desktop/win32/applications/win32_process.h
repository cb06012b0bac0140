// Information about processes, and their termination. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lib/base/clock.h"
#include "lib/base/result.h"

namespace da::actuator::win32 {

// Absolute path as the kernel knows it; empty when unknown.
std::string executable_of(std::uint32_t pid);
// Time of creation in units of 100 ns since 1601; 0 when there is no such process. Pids are reused; pid and start time
// together identify a process.
std::uint64_t start_of(std::uint32_t pid);

// Whether Windows delivers our input to a process. User Interface Privilege Isolation discards input to processes of a
// higher integrity level than ours.
enum class Reach { kReached, kHigherIntegrity };
// A process whose token we may not read counts as of higher integrity. An unknown process counts as reached.
Reach reach_of(std::uint32_t pid);

// Whether this process runs as administrator, so that it reaches windows of administrators' programs.
bool is_elevated();

struct ProcessInfo {
  std::uint32_t pid = 0;
  std::uint32_t parent = 0;
};
std::vector<ProcessInfo> list_processes();

// Processor cycles that the process has used; equal numbers at two times mean that it did not run in between. nullopt
// when unknown.
std::optional<std::uint64_t> cycles_of(std::uint32_t pid);

// Terminates exactly this process and returns once it is gone. Errors: kNotFound (gone, or the pid was reused),
// kPermissionDenied, kInvalidArgument (this process), kDeadlineExceeded.
Result<void> kill_process(std::uint32_t pid, std::uint64_t process_start, MonoTime deadline, const Clock& clock);

}  // namespace da::actuator::win32
