// Finds out when a sleeping process wakes by itself: reads the system call that each thread waits in, from
// /proc/PID/task/TID/syscall (proc(5)).
#include <sys/syscall.h>
#include <sys/uio.h>

#include <array>
#include <cinttypes>
#include <cstdio>
#include <ctime>
#include <filesystem>

#include "services/actuator/desktop/x11/applications/posix_process.h"

namespace da::actuator::x11 {
namespace {

struct Waiting {
  long call = -1;
  std::array<std::uint64_t, 6> arguments{};
};

// Parses "7 0x55d0c2a0 0x3 0xffffffff ...": number and arguments of the thread's system call.
std::optional<Waiting> waiting_of(const std::filesystem::path& thread) {
  const std::string line = content_of(thread / "syscall");
  Waiting found;
  auto& [a, b, c, d, e, f] = found.arguments;
  constexpr const char* kForm = "%ld %" SCNx64 " %" SCNx64 " %" SCNx64 " %" SCNx64 " %" SCNx64 " %" SCNx64;
  const bool whole = std::sscanf(line.c_str(), kForm, &found.call, &a, &b, &c, &d, &e, &f) == 7;
  return whole && found.call >= 0 ? std::optional(found) : std::nullopt;
}

bool is_long(std::int64_t timeout_ms, Milliseconds limit) { return timeout_ms < 0 || timeout_ms >= limit.count(); }

// Reads a timeout from the memory of the process.
std::optional<timespec> read_timespec(std::uint32_t pid, std::uint64_t address) {
  timespec value{};
  iovec here{&value, sizeof value};
  iovec there{reinterpret_cast<void*>(address), sizeof value};  // NOLINT(performance-no-int-to-ptr)
  if (::process_vm_readv(static_cast<pid_t>(pid), &here, 1, &there, 1, 0) != sizeof value) return std::nullopt;
  return value;
}

std::int64_t in_ms(const timespec& time) { return std::int64_t{time.tv_sec} * 1000 + time.tv_nsec / 1'000'000; }

bool interval_is_long(std::uint32_t pid, std::uint64_t address, Milliseconds limit) {
  if (address == 0) return true;  // No timeout.
  const auto interval = read_timespec(pid, address);
  return interval && is_long(in_ms(*interval), limit);
}

// glibc waits for conditions with FUTEX_WAIT_BITSET, whose timeout is an absolute time.
bool futex_is_long(std::uint32_t pid, const Waiting& waiting, Milliseconds limit) {
  constexpr std::uint64_t kOperation = 0x7f, kWait = 0, kWaitBitset = 9, kRealTime = 0x100;
  const std::uint64_t operation = waiting.arguments[1];
  const std::uint64_t address = waiting.arguments[3];
  if (address == 0) return true;
  if ((operation & kOperation) == kWait) return interval_is_long(pid, address, limit);
  if ((operation & kOperation) != kWaitBitset) return false;
  const auto until = read_timespec(pid, address);
  timespec now{};
  ::clock_gettime((operation & kRealTime) != 0 ? CLOCK_REALTIME : CLOCK_MONOTONIC, &now);
  return until && in_ms(*until) - in_ms(now) >= limit.count();
}

bool waits_long(std::uint32_t pid, const Waiting& waiting, Milliseconds limit) {
  const auto timeout = [&](std::size_t argument) {
    return is_long(static_cast<std::int32_t>(waiting.arguments[argument]), limit);
  };
  switch (waiting.call) {
#ifdef SYS_poll
    case SYS_poll: return timeout(2);
#endif
#ifdef SYS_epoll_wait
    case SYS_epoll_wait: return timeout(3);
#endif
    case SYS_epoll_pwait: return timeout(3);
    case SYS_ppoll: return interval_is_long(pid, waiting.arguments[2], limit);
    case SYS_pselect6: return interval_is_long(pid, waiting.arguments[4], limit);
    case SYS_futex: return futex_is_long(pid, waiting, limit);
    case SYS_read:
    case SYS_recvmsg:
    case SYS_recvfrom:
    case SYS_accept4:
    case SYS_wait4:
    case SYS_rt_sigtimedwait: return waiting.call != SYS_rt_sigtimedwait || waiting.arguments[2] == 0;
    default: return false;
  }
}

}  // namespace

bool sleeps_at_least(std::uint32_t pid, Milliseconds limit) {
  std::error_code failed;
  std::filesystem::directory_iterator thread("/proc/" + std::to_string(pid) + "/task", failed);
  for (const std::filesystem::directory_iterator end; !failed && thread != end; thread.increment(failed)) {
    const auto waiting = waiting_of(thread->path());
    if (!waiting || !waits_long(pid, *waiting, limit)) return false;
  }
  return !failed;
}

}  // namespace da::actuator::x11
