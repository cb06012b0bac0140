#include "services/actuator/desktop/win32/session/win32_session.h"

#include <windows.h>
// windows.h must come first:
#include <wtsapi32.h>

#include "services/actuator/desktop/win32/base/handles.h"
#include "services/actuator/desktop/win32/session/session_answers.h"

namespace da::actuator::win32 {
namespace {

constexpr auto kSessionInfoEx = static_cast<WTS_INFO_CLASS>(25);  // WTSSessionInfoEx; missing in older headers.

std::optional<std::vector<std::byte>> ask_terminal_service(std::uint32_t session, WTS_INFO_CLASS question) {
  wchar_t* answer = nullptr;
  DWORD size = 0;
  if (!::WTSQuerySessionInformationW(WTS_CURRENT_SERVER_HANDLE, session, question, &answer, &size)) return std::nullopt;
  const auto* bytes = reinterpret_cast<const std::byte*>(answer);
  std::vector<std::byte> copied(bytes, bytes + size);
  ::WTSFreeMemory(answer);
  return copied;
}

std::wstring name_of(HDESK desktop) {
  wchar_t name[256] = {};
  DWORD size = 0;
  if (!::GetUserObjectInformationW(desktop, UOI_NAME, name, sizeof name, &size)) return {};
  return name;
}

InputDesktopAnswer ask_for_input_desktop() {
  const UniqueDesktop desktop(::OpenInputDesktop(0, FALSE, DESKTOP_READOBJECTS));
  if (!desktop) return {.error = ::GetLastError()};
  return {.name = name_of(desktop.get())};
}

}  // namespace

Result<std::uint32_t> interactive_session() {
  OwnSessionAnswers answers;
  if (DWORD session = 0; ::ProcessIdToSessionId(::GetCurrentProcessId(), &session)) answers.session = session;
  USEROBJECTFLAGS flags{};
  DWORD size = 0;
  if (::GetUserObjectInformationW(::GetProcessWindowStation(), UOI_FLAGS, &flags, sizeof flags, &size)) {
    answers.station_flags = flags.dwFlags;
  }
  return interactive_session(answers);
}

std::optional<SessionObstacle> Win32Session::recent_connection_obstacle() {
  const std::lock_guard lock(mutex_);
  const MonoTime now = clock_.now();
  if (asked_ == MonoTime() || now - asked_ > kConnectionAge) {
    obstacle_ = connection_obstacle({.state = ask_terminal_service(session_id_, WTSConnectState),
                                     .details = ask_terminal_service(session_id_, kSessionInfoEx)});
    asked_ = now;
  }
  return obstacle_;
}

// A locked session shows the secure desktop, too, so the more precise answer comes first.
Result<std::optional<SessionObstacle>> Win32Session::obstacle() {
  if (auto connection = recent_connection_obstacle()) return connection;
  return input_desktop_obstacle(ask_for_input_desktop());
}

}  // namespace da::actuator::win32
