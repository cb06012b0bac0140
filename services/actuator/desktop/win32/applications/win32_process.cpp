#include "services/actuator/desktop/win32/applications/win32_process.h"

#include <windows.h>
// windows.h must come first:
#include <tlhelp32.h>

#include <algorithm>

#include "services/actuator/desktop/win32/base/handles.h"
#include "services/actuator/desktop/win32/base/wide_text.h"
#include "services/actuator/desktop/win32/base/win32_error.h"

namespace da::actuator::win32 {
namespace {

constexpr UINT kExitStatusOfTerminated = 1;

UniqueKernelHandle open_process(std::uint32_t pid, DWORD access) {
  return UniqueKernelHandle(::OpenProcess(access, FALSE, pid));
}

std::uint64_t start_of(HANDLE process) {
  FILETIME created{}, ended{}, kernel{}, user{};
  if (!::GetProcessTimes(process, &created, &ended, &kernel, &user)) return 0;
  return (std::uint64_t{created.dwHighDateTime} << 32) | created.dwLowDateTime;
}

Integrity integrity_of(HANDLE process) {
  HANDLE opened = nullptr;
  if (!::OpenProcessToken(process, TOKEN_QUERY, &opened)) return {.read_error = ::GetLastError()};
  const UniqueKernelHandle token(opened);
  // A SID is variable in size.
  alignas(TOKEN_MANDATORY_LABEL) std::uint8_t buffer[sizeof(TOKEN_MANDATORY_LABEL) + SECURITY_MAX_SID_SIZE] = {};
  DWORD size = 0;
  if (!::GetTokenInformation(token.get(), TokenIntegrityLevel, buffer, sizeof buffer, &size)) {
    return {.read_error = ::GetLastError()};
  }
  const auto level = level_in(reinterpret_cast<TOKEN_MANDATORY_LABEL*>(buffer)->Label.Sid);
  return {.level = level, .read_error = level ? 0u : ERROR_INVALID_SID};
}

}  // namespace

std::string executable_of(std::uint32_t pid) {
  const auto process = open_process(pid, PROCESS_QUERY_LIMITED_INFORMATION);
  if (!process) return {};
  std::wstring path(MAX_PATH, L'\0');
  constexpr std::size_t kLongestPath = 32'768;
  for (;;) {
    auto size = static_cast<DWORD>(path.size());
    if (::QueryFullProcessImageNameW(process.get(), 0, path.data(), &size)) return to_utf8({path.data(), size});
    if (::GetLastError() != ERROR_INSUFFICIENT_BUFFER || path.size() >= kLongestPath) return {};
    path.resize(kLongestPath);
  }
}

std::uint64_t start_of(std::uint32_t pid) {
  const auto process = open_process(pid, PROCESS_QUERY_LIMITED_INFORMATION);
  return process ? start_of(process.get()) : 0;
}

Reach reach_of(std::uint32_t pid) {
  static const Integrity ours = own_integrity();
  if (pid == 0 || pid == ::GetCurrentProcessId()) return Reach::kReached;
  const auto process = open_process(pid, PROCESS_QUERY_LIMITED_INFORMATION);
  return reach_between(ours, process ? integrity_of(process.get()) : Integrity{.open_error = ::GetLastError()});
}

Integrity own_integrity() { return integrity_of(::GetCurrentProcess()); }

bool is_elevated() {
  const auto level = own_integrity().level;
  return level && *level >= SECURITY_MANDATORY_HIGH_RID;
}

std::vector<ProcessInfo> list_processes() {
  std::vector<ProcessInfo> found;
  const auto snapshot = file_handle(::CreateToolhelp32Snapshot(TH32CS_SNAPPROCESS, 0));
  if (!snapshot) return found;
  PROCESSENTRY32W entry{};
  entry.dwSize = sizeof entry;
  for (BOOL more = ::Process32FirstW(snapshot.get(), &entry); more; more = ::Process32NextW(snapshot.get(), &entry)) {
    found.push_back({entry.th32ProcessID, entry.th32ParentProcessID});
  }
  return found;
}

// A child starts after its parent: a later start means that the parent has ended and its number is used again.
const std::vector<std::uint32_t>& own_ancestors() {
  static const std::vector<std::uint32_t> ancestors = [] {
    const auto processes = list_processes();
    std::vector<std::uint32_t> all;
    for (std::uint32_t child = ::GetCurrentProcessId();;) {
      const auto found = std::ranges::find(processes, child, &ProcessInfo::pid);
      if (found == processes.end() || found->parent == 0 || start_of(found->parent) > start_of(child)) return all;
      if (std::ranges::find(all, found->parent) != all.end()) return all;
      all.push_back(child = found->parent);
    }
  }();
  return ancestors;
}

std::optional<std::uint64_t> cycles_of(std::uint32_t pid) {
  const auto process = open_process(pid, PROCESS_QUERY_LIMITED_INFORMATION);
  ULONG64 cycles = 0;
  if (!process || !::QueryProcessCycleTime(process.get(), &cycles) || cycles == 0) return std::nullopt;
  return cycles;
}

Result<RunningProcess> RunningProcess::open(std::uint32_t pid, std::uint64_t process_start) {
  const std::string attempted = "terminate process " + std::to_string(pid);
  if (pid == ::GetCurrentProcessId()) return Error{Code::kInvalidArgument, attempted + ": it is the actuator itself"};
  auto process = open_process(pid, PROCESS_TERMINATE | PROCESS_QUERY_LIMITED_INFORMATION | SYNCHRONIZE);
  if (!process) {
    const DWORD number = ::GetLastError();
    // Windows reports a pid without a process as an invalid parameter.
    if (number == ERROR_INVALID_PARAMETER) return Error{Code::kNotFound, attempted + ": it is gone"};
    return win32_error(attempted, number);
  }
  const bool has_ended = ::WaitForSingleObject(process.get(), 0) == WAIT_OBJECT_0;
  if (has_ended || start_of(process.get()) != process_start) {
    return Error{Code::kNotFound, attempted + ": it is gone, or another process has its number now"};
  }
  return RunningProcess(std::move(process), pid);
}

bool RunningProcess::has_ended_in(Milliseconds patience) const {
  return ::WaitForSingleObject(process_.get(), static_cast<DWORD>(patience.count())) == WAIT_OBJECT_0;
}

Result<void> RunningProcess::kill(MonoTime deadline, const Clock& clock) const {
  const std::string attempted = "terminate process " + std::to_string(pid_);
  if (!::TerminateProcess(process_.get(), kExitStatusOfTerminated)) {
    const DWORD failure = ::GetLastError();
    // Windows denies access to a process that ends just now.
    return has_ended_in(Milliseconds(0)) ? ok() : win32_error(attempted, failure);
  }
  const auto left = std::chrono::duration_cast<Milliseconds>(deadline - clock.now());
  if (has_ended_in(std::clamp(left, Milliseconds(0), Milliseconds(60'000)))) return ok();
  return Error{Code::kDeadlineExceeded, attempted + ": it has not ended in time"};
}

}  // namespace da::actuator::win32
