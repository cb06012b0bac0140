#include "services/actuator/desktop/x11/session/x11_session.h"

namespace da::actuator::x11 {

Result<std::unique_ptr<X11Session>> X11Session::open(const std::string& display, const Clock& clock) {
  ASSIGN_OR_RETURN(auto connection, Connection::open(display, clock));
  ASSIGN_OR_RETURN(const LockProbe probe, LockProbe::open(*connection));
  ASSIGN_OR_RETURN(auto hints, SessionHints::open(display));
  return std::unique_ptr<X11Session>(new X11Session(std::move(connection), probe, std::move(hints)));
}

Result<std::optional<SessionObstacle>> X11Session::obstacle() {
  std::optional<std::string> locked = hints_->locked();
  if (!locked) {
    while (connection_->pending_event()) {
    }
    ASSIGN_OR_RETURN(locked, probe_.locker());
  }
  if (!locked) return std::optional<SessionObstacle>();
  return SessionObstacle{SessionObstacle::Kind::kLocked, *std::move(locked)};
}

}  // namespace da::actuator::x11
