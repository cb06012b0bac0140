// Information about processes from /proc, and their termination. Any thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "lib/base/clock.h"
#include "lib/base/result.h"

namespace da::actuator::x11 {

// Reads a file below /proc; empty when the process has ended, even between opening and reading.
std::string content_of(const std::filesystem::path& proc_file);

// Absolute path; empty when unknown.
std::string executable_of(std::uint32_t pid);
// Clock ticks since boot (field 22 of /proc/PID/stat); 0 when there is no such process. Pids are reused; pid and start
// time together identify a process.
std::uint64_t start_of(std::uint32_t pid);
// The time since then; nullopt when there is no such process.
std::optional<Milliseconds> age_of(std::uint32_t pid);
// Whether the process has this pid, here or in a PID namespace that it runs in. False when there is no such process.
bool is_known_as(std::uint32_t pid, std::uint32_t number);

struct ProcessInfo {
  std::uint32_t pid = 0;
  std::uint32_t parent = 0;
  bool zombie = false;
};
// Whether `program` is the process or an ancestor of it.
bool descends_from(std::uint32_t pid, std::uint32_t program);
// The ancestors of this process, the nearest first, as of the first call.
const std::vector<std::uint32_t>& own_ancestors();
// As descends_from(), or it is unknown who had the process started, because a service of the session or the system did
// it, or its parent has ended.
bool may_be_started_by(std::uint32_t pid, std::uint32_t program);

// The process and its descendants that run, except the processes `without` and their descendants.
std::vector<std::uint32_t> family_of(std::uint32_t pid, const std::set<std::uint32_t>& without = {});

// All processes visible in /proc.
std::vector<ProcessInfo> list_processes();

// Activity of all threads of a process; nullopt when unknown. An equal number of switches at two times means that no
// thread woke in between.
struct Activity {
  bool asleep = false;         // All threads sleep.
  std::uint64_t switches = 0;  // Context switches so far.
  friend bool operator==(const Activity&, const Activity&) = default;
};
std::optional<Activity> activity_of(std::uint32_t pid);
// As activity_of(), for a process and all its descendants.
std::optional<Activity> activity_of_family(std::uint32_t pid);

// Whether each thread waits without a timeout, or with one of at least `limit`, so that none wakes by itself earlier.
// False when that cannot be read, for example without the right to trace the process.
bool sleeps_at_least(std::uint32_t pid, Milliseconds limit);
bool family_sleeps_at_least(std::uint32_t pid, Milliseconds limit);

// Kills exactly this process and returns once it is gone. Errors: kNotFound (gone, or the pid was reused),
// kPermissionDenied, kInvalidArgument (this process or init), kDeadlineExceeded.
Result<void> kill_process(std::uint32_t pid, std::uint64_t process_start, MonoTime deadline, const Clock& clock);

}  // namespace da::actuator::x11
