#include "services/actuator/desktop/win32/session/win32_session.h"

#include <windows.h>
// After windows.h:
#include <wtsapi32.h>

#include "lib/base/text.h"
#include "services/actuator/desktop/win32/base/handles.h"
#include "services/actuator/desktop/win32/base/wide_text.h"
#include "services/actuator/desktop/win32/base/win32_error.h"

namespace da::actuator::win32 {
namespace {

// From Microsoft's documentation of WTSINFOEXW; missing in older headers.
constexpr auto kSessionInfoEx = static_cast<WTS_INFO_CLASS>(25);
struct SessionInfoEx {
  DWORD level;
  alignas(8) ULONG session;  // The following structure contains 64-bit numbers.
  WTS_CONNECTSTATE_CLASS state;
  LONG flags;
};
constexpr LONG kLockedFlag = 0;  // WTS_SESSIONSTATE_LOCK

struct WtsMemory {
  void operator()(wchar_t* memory) const { ::WTSFreeMemory(memory); }
};

// The answer of the terminal service; null where it has none, such as under Wine.
std::unique_ptr<wchar_t, WtsMemory> ask_terminal_service(std::uint32_t session, WTS_INFO_CLASS question) {
  wchar_t* answer = nullptr;
  DWORD size = 0;
  if (!::WTSQuerySessionInformationW(WTS_CURRENT_SERVER_HANDLE, session, question, &answer, &size)) answer = nullptr;
  return std::unique_ptr<wchar_t, WtsMemory>(answer);
}

std::wstring name_of(HDESK desktop) {
  wchar_t name[256] = {};
  DWORD size = 0;
  if (!::GetUserObjectInformationW(desktop, UOI_NAME, name, sizeof name, &size)) return {};
  return name;
}

}  // namespace

Result<std::uint32_t> interactive_session() {
  DWORD session = 0;
  if (!::ProcessIdToSessionId(::GetCurrentProcessId(), &session)) {
    return win32_error("find the session of this process", ::GetLastError());
  }
  if (session == 0) {
    return Error{Code::kFailedPrecondition,
                 "the actuator runs in session 0, where services run and no desktop is shown: start it in the user's "
                 "session, for example by a task at logon"};
  }
  USEROBJECTFLAGS flags{};
  DWORD size = 0;
  const bool known =
      ::GetUserObjectInformationW(::GetProcessWindowStation(), UOI_FLAGS, &flags, sizeof flags, &size) != 0;
  if (known && (flags.dwFlags & WSF_VISIBLE) == 0) {
    return Error{Code::kFailedPrecondition,
                 "the actuator's window station is not interactive: start it in the user's session"};
  }
  return session;
}

std::optional<SessionObstacle> input_desktop_obstacle() {
  using Kind = SessionObstacle::Kind;
  const UniqueDesktop desktop(::OpenInputDesktop(0, FALSE, DESKTOP_READOBJECTS));
  if (!desktop) {
    return SessionObstacle{Kind::kSecureDesktop, "Windows shows its secure desktop, such as a UAC prompt or Ctrl+Alt+Del"};
  }
  const std::wstring name = name_of(desktop.get());
  if (name.empty() || name == L"Default") return std::nullopt;
  return SessionObstacle{name == L"Screen-saver" ? Kind::kLocked : Kind::kSecureDesktop,
                         "the desktop " + quote_foreign(to_utf8(name)) + " has the input"};
}

std::optional<SessionObstacle> Win32Session::connection_obstacle() {
  using Kind = SessionObstacle::Kind;
  const auto state = ask_terminal_service(session_id_, WTSConnectState);
  if (state && *reinterpret_cast<const WTS_CONNECTSTATE_CLASS*>(state.get()) == WTSDisconnected) {
    return SessionObstacle{Kind::kDisconnected, "the session is disconnected, so it has no input"};
  }
  const auto extended = ask_terminal_service(session_id_, kSessionInfoEx);
  if (!extended) return std::nullopt;
  const auto& info = *reinterpret_cast<const SessionInfoEx*>(extended.get());
  if (info.level != 1 || info.flags != kLockedFlag) return std::nullopt;
  return SessionObstacle{Kind::kLocked, "Windows reports it"};
}

std::optional<SessionObstacle> Win32Session::recent_connection_obstacle() {
  const std::lock_guard lock(mutex_);
  const MonoTime now = clock_.now();
  if (asked_ == MonoTime() || now - asked_ > kConnectionAge) {
    obstacle_ = connection_obstacle();
    asked_ = now;
  }
  return obstacle_;
}

// A locked session shows the secure desktop, too, so the more precise answer comes first.
Result<std::optional<SessionObstacle>> Win32Session::obstacle() {
  if (auto connection = recent_connection_obstacle()) return connection;
  return input_desktop_obstacle();
}

}  // namespace da::actuator::win32
