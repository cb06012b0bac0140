// Detects a locked session by the screen (LockProbe) and by services (SessionHints). Owns a connection. One thread.
#pragma once

#include <memory>

#include "services/actuator/desktop/roles/session.h"
#include "services/actuator/desktop/x11/connection.h"
#include "services/actuator/desktop/x11/session/lock_probe.h"
#include "services/actuator/desktop/x11/session/session_hints.h"

namespace da::actuator::x11 {

class X11Session final : public Session {
 public:
  static Result<std::unique_ptr<X11Session>> open(const std::string& display, const Clock& clock);

  Result<std::optional<SessionObstacle>> obstacle() override;

 private:
  X11Session(std::unique_ptr<Connection> connection, LockProbe probe, std::unique_ptr<SessionHints> hints)
      : connection_(std::move(connection)), probe_(probe), hints_(std::move(hints)) {}

  std::unique_ptr<Connection> connection_;
  LockProbe probe_;
  std::unique_ptr<SessionHints> hints_;
};

}  // namespace da::actuator::x11
