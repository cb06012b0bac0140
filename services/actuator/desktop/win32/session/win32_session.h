// Whether input reaches the session's own desktop.
//
// A locked session, a UAC prompt and Ctrl+Alt+Del show the "Winlogon" desktop, which only the system may use; a screen
// saver has a desktop of its own. A remote session without a client has no input at all. Any thread may call; nothing
// blocks. The state of the connection is asked of the terminal service, so it is at most kConnectionAge old.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "lib/base/clock.h"
#include "services/actuator/desktop/roles/session.h"

namespace da::actuator::win32 {

// Errors: kFailedPrecondition in session 0 (where services run) and where no interactive window station exists.
Result<std::uint32_t> interactive_session();

class Win32Session final : public Session {
 public:
  static constexpr Milliseconds kConnectionAge{250};

  Win32Session(std::uint32_t session_id, const Clock& clock) : session_id_(session_id), clock_(clock) {}

  Result<std::optional<SessionObstacle>> obstacle() override;

 private:
  std::optional<SessionObstacle> recent_connection_obstacle();

  const std::uint32_t session_id_;
  const Clock& clock_;
  std::mutex mutex_;  // Guards these:
  MonoTime asked_;
  std::optional<SessionObstacle> obstacle_;
};

}  // namespace da::actuator::win32
