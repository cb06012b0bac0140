#include "lib/os/process/end_process.h"

#include <cstdlib>
#include <string_view>

#include "lib/os/win32.h"

namespace da::os {
namespace {

bool runs_under_wine_on_linux() {
  using HostVersion = void(CDECL*)(const char** system, const char** release);
  const auto host_version = reinterpret_cast<HostVersion>(
      reinterpret_cast<void*>(::GetProcAddress(::GetModuleHandleW(L"ntdll.dll"), "wine_get_host_version")));
  if (host_version == nullptr) return false;  // Windows.
  const char* system = "";
  host_version(&system, nullptr);
  return std::string_view(system) == "Linux";
}

// Wine 8 hands the unfinished transfers of the other threads, which it has just ended, to the thread that ends the
// process. One of them may have held a lock that the thread needs for that, and then the process stays for ever: 1 of
// 14 programs with six busy connections. So under Wine, Linux ends the process, and Wine sees that it is gone.
// The exit code is Linux's alone: other programs under Wine see 0.
void exit_on_linux([[maybe_unused]] int exit_code) {
#if defined(__x86_64__)
  constexpr long kExitGroup = 231;
  asm volatile("syscall" : : "a"(kExitGroup), "D"(static_cast<long>(exit_code)) : "rcx", "r11", "memory");
#endif
}

}  // namespace

// _exit() calls each library's end routine, which may wait for a lock that an ended thread held.
void end_process(int exit_code) {
  if (runs_under_wine_on_linux()) exit_on_linux(exit_code);
  ::TerminateProcess(::GetCurrentProcess(), static_cast<UINT>(exit_code));
  std::abort();
}

}  // namespace da::os
