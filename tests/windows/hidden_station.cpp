// hidden_station.exe PROGRAM [ARGUMENT]...: runs the program on a window station that is not shown, as services are
// run. Returns its exit code; 125: it could not be started.
#include <iostream>
#include <string>

#include "lib/os/win32.h"

namespace {

constexpr int kNotStarted = 125;
constexpr wchar_t kStation[] = L"DesktopAssistTest";

// The command line without this program's own name.
std::wstring rest_of_command_line() {
  const std::wstring line = ::GetCommandLineW();
  const std::size_t end = line.starts_with(L'"') ? line.find(L'"', 1) : line.find(L' ');
  const std::size_t next = end == std::wstring::npos ? end : line.find_first_not_of(L' ', end + 1);
  return next == std::wstring::npos ? std::wstring() : line.substr(next);
}

int fail(const std::string& attempted) {
  std::cerr << da::os::windows_error(attempted, ::GetLastError()).message << "\n";
  return kNotStarted;
}

}  // namespace

// The station and its desktop exist as long as this process does.
int main() {
  const HWINSTA station = ::CreateWindowStationW(kStation, 0, WINSTA_ALL_ACCESS, nullptr);
  if (station == nullptr || !::SetProcessWindowStation(station)) return fail("make a window station");
  if (::CreateDesktopW(L"Default", nullptr, nullptr, 0, GENERIC_ALL, nullptr) == nullptr) return fail("make a desktop");
  std::wstring line = rest_of_command_line();
  std::wstring place = std::wstring(kStation) + L"\\Default";
  STARTUPINFOW startup{};
  startup.cb = sizeof startup;
  startup.lpDesktop = place.data();
  PROCESS_INFORMATION info{};
  if (!::CreateProcessW(nullptr, line.data(), nullptr, nullptr, TRUE, 0, nullptr, nullptr, &startup, &info)) {
    return fail("start the program");
  }
  const da::os::UniqueWinHandle thread(info.hThread);
  const da::os::UniqueWinHandle process(info.hProcess);
  ::WaitForSingleObject(process.get(), INFINITE);
  DWORD exit_code = kNotStarted;
  ::GetExitCodeProcess(process.get(), &exit_code);
  return static_cast<int>(exit_code);
}
