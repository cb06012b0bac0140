// Decides from what Windows answers whether input reaches the session's own desktop. Pure; any thread.
//
// An answer that says neither yes nor no is left to the next question. The last question is which desktop has the
// input: there, whatever is not known to be the session's own desktop is an obstacle.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "services/actuator/desktop/roles/session.h"

namespace da::actuator::win32 {

// Answers of the terminal service (WTSQuerySessionInformation), byte for byte; nullopt where it has none, as under
// Wine.
struct ConnectionAnswers {
  std::optional<std::vector<std::byte>> state;    // WTSConnectState.
  std::optional<std::vector<std::byte>> details;  // WTSSessionInfoEx: a WTSINFOEXW.
};
std::optional<SessionObstacle> connection_obstacle(const ConnectionAnswers& answers);

// The desktop of the window station that has the input.
struct InputDesktopAnswer {
  std::uint32_t error = 0;  // Error of OpenInputDesktop: only the system may open the secure desktop.
  std::wstring name;        // Empty: Windows does not tell it.
};
std::optional<SessionObstacle> input_desktop_obstacle(const InputDesktopAnswer& answer);

struct OwnSessionAnswers {
  std::optional<std::uint32_t> session;        // ProcessIdToSessionId.
  std::optional<std::uint32_t> station_flags;  // UOI_FLAGS of the process's window station.
};
// The session's number. Errors: kFailedPrecondition where no desktop is shown, or where Windows does not tell.
Result<std::uint32_t> interactive_session(const OwnSessionAnswers& answers);

}  // namespace da::actuator::win32
