// What /proc tells of a process, and the end of one. Any thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "lib/base/clock.h"
#include "lib/base/result.h"

namespace da::actuator::x11 {

// Of a file below /proc; empty where the process has ended, even between opening and reading.
std::string content_of(const std::filesystem::path& proc_file);

// Absolute path; empty where it cannot be known.
std::string executable_of(std::uint32_t pid);
// Clock ticks since boot (field 22 of /proc/PID/stat); 0 where there is no such process. With the pid it names a
// process for good, as pids are used again.
std::uint64_t start_of(std::uint32_t pid);
// Whether the process has this number, here or in a PID namespace that it runs in. False where there is no such
// process.
bool is_known_as(std::uint32_t pid, std::uint32_t number);

struct ProcessInfo {
  std::uint32_t pid = 0;
  std::uint32_t parent = 0;
  bool zombie = false;
};
// All that can be seen.
std::vector<ProcessInfo> list_processes();

// What the threads of a process do: the same number of switches at two times means that nothing has woken it in
// between. nullopt where that cannot be known.
struct Activity {
  bool asleep = false;         // All of them.
  std::uint64_t switches = 0;  // How often they have been switched until now.
  friend bool operator==(const Activity&, const Activity&) = default;
};
std::optional<Activity> activity_of(std::uint32_t pid);
// The same of a process and all that it has started, down to their last descendants.
std::optional<Activity> activity_of_family(std::uint32_t pid);

// Whether each thread waits without a timeout, or with one of at least `limit`, so that none wakes by itself before.
// False where that cannot be read: without the right to trace the process, for example.
bool sleeps_at_least(std::uint32_t pid, Milliseconds limit);
bool family_sleeps_at_least(std::uint32_t pid, Milliseconds limit);

// Kills exactly this process and returns once it is gone.
// Errors: kNotFound (gone, or the pid is another process's now), kPermissionDenied, kInvalidArgument (ourselves, init),
// kDeadlineExceeded.
Result<void> kill_process(std::uint32_t pid, std::uint64_t process_start, MonoTime deadline, const Clock& clock);

}  // namespace da::actuator::x11
