#include "services/actuator/desktop/win32/session/session_answers.h"

#include <windows.h>
// windows.h must come first:
#include <wtsapi32.h>

#include <cstring>

#include "lib/base/text.h"
#include "services/actuator/desktop/win32/base/wide_text.h"

namespace da::actuator::win32 {
namespace {

using Kind = SessionObstacle::Kind;

// Source: Microsoft's documentation of WTSINFOEXW, which older headers lack.
struct SessionDetails {
  DWORD level;
  alignas(8) ULONG session;  // The following structure contains 64-bit numbers.
  std::int32_t state;
  LONG flags;
};
constexpr LONG kLocked = 0;
constexpr LONG kUnlocked = 1;
constexpr LONG kUnknown = -1;

// The beginning of an answer; nullopt when it is too short.
template <class T>
std::optional<T> read(const std::optional<std::vector<std::byte>>& answer) {
  T value{};
  if (!answer || answer->size() < sizeof value) return std::nullopt;
  std::memcpy(&value, answer->data(), sizeof value);
  return value;
}

// A shadowed session is one that an administrator watches.
bool takes_input(std::int32_t state) { return state == WTSActive || state == WTSConnected || state == WTSShadow; }

}  // namespace

std::optional<SessionObstacle> connection_obstacle(const ConnectionAnswers& answers) {
  const auto state = read<std::int32_t>(answers.state);
  if (state == WTSDisconnected) {
    return SessionObstacle{Kind::kDisconnected, "the session is disconnected, so it has no input"};
  }
  if (state && !takes_input(*state)) {
    return SessionObstacle{Kind::kDisconnected,
                           "the session has no input in its state, number " + std::to_string(*state) + " of Windows"};
  }
  const auto details = read<SessionDetails>(answers.details);
  if (!details || details->level != 1 || details->flags == kUnlocked || details->flags == kUnknown) return std::nullopt;
  if (details->flags == kLocked) return SessionObstacle{Kind::kLocked, "Windows reports a lock"};
  return SessionObstacle{Kind::kLocked,
                         "Windows reports an unknown state of its lock, number " + std::to_string(details->flags)};
}

std::optional<SessionObstacle> input_desktop_obstacle(const InputDesktopAnswer& answer) {
  if (answer.error != 0) {
    return SessionObstacle{Kind::kSecureDesktop,
                           "Windows shows its secure desktop, such as a UAC prompt or Ctrl+Alt+Del (Windows error " +
                               std::to_string(answer.error) + ")"};
  }
  if (answer.name == L"Default") return std::nullopt;
  if (answer.name.empty()) {
    return SessionObstacle{Kind::kSecureDesktop, "Windows does not tell which desktop has the input"};
  }
  const Kind kind = answer.name == L"Screen-saver" ? Kind::kLocked
                    : answer.name == L"Disconnect" ? Kind::kDisconnected
                                                   : Kind::kSecureDesktop;
  return SessionObstacle{kind, "the desktop " + quote_foreign(to_utf8(answer.name)) + " has the input"};
}

Result<std::uint32_t> interactive_session(const OwnSessionAnswers& answers) {
  if (!answers.session) return Error{Code::kFailedPrecondition, "Windows does not tell the session of this process"};
  if (*answers.session == 0) {
    return Error{Code::kFailedPrecondition,
                 "the actuator runs in session 0, where services run and no desktop is shown: start it in the user's "
                 "session, for example by a task at logon"};
  }
  if (!answers.station_flags || (*answers.station_flags & WSF_VISIBLE) == 0) {
    return Error{Code::kFailedPrecondition,
                 "the actuator's window station is not interactive: start it in the user's session"};
  }
  return *answers.session;
}

}  // namespace da::actuator::win32
