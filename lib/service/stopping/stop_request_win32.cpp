#include "lib/service/stopping/stop_request.h"

#include <thread>

#include "lib/os/process/end_process.h"
#include "lib/os/win32.h"

namespace da::service {
namespace {

// Set by a stop request. Kept open until the process ends: the console's thread uses it.
HANDLE stop_event = nullptr;

// Runs on a thread of the system, which ends the process when this returns for all but Ctrl+C and Ctrl+Break. So it
// waits until the service has stopped; the system allows 5 seconds, and end_process_within() takes less.
BOOL WINAPI on_console_event(DWORD event) {
  ::SetEvent(stop_event);
  if (event != CTRL_C_EVENT && event != CTRL_BREAK_EVENT) ::Sleep(INFINITE);
  return TRUE;
}

}  // namespace

Result<void> prepare_service_process(const std::string& name) {
  const std::wstring event = os::wide("Local\\da-" + name + "-stop-" + std::to_string(::GetCurrentProcessId()));
  stop_event = ::CreateEventW(nullptr, TRUE, FALSE, event.c_str());
  if (stop_event == nullptr) return os::windows_error("make the stop event", ::GetLastError());
  if (::GetLastError() == ERROR_ALREADY_EXISTS) {
    return Error{Code::kAlreadyExists, "another program has already made the stop event " + os::narrow(event)};
  }
  // There is nothing to handle without a console; the event works all the same.
  ::SetConsoleCtrlHandler(on_console_event, TRUE);
  ::SetConsoleOutputCP(CP_UTF8);
  // A crash ends the process at once, and no dialog keeps it alive.
  ::SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX | SEM_NOOPENFILEERRORBOX);
  return ok();
}

std::optional<StopReason> wait_for_stop(const Parent&, Milliseconds timeout) {
  const DWORD milliseconds = timeout.count() < 0 ? INFINITE : static_cast<DWORD>(timeout.count());
  if (::WaitForSingleObject(stop_event, milliseconds) != WAIT_OBJECT_0) return std::nullopt;
  return StopReason::kRequest;
}

void end_process_within(std::chrono::seconds time) {
  std::thread([time] {
    std::this_thread::sleep_for(time);
    os::end_process(1);
  }).detach();
}

}  // namespace da::service
