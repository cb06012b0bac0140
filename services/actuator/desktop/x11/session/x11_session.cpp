#include "services/actuator/desktop/x11/session/x11_session.h"

namespace da::actuator::x11 {

Result<std::unique_ptr<X11Session>> X11Session::open(const std::string& display, const Clock& clock) {
  ASSIGN_OR_RETURN(auto connection, Connection::open(display, clock));
  ASSIGN_OR_RETURN(const LockProbe probe, LockProbe::open(*connection));
  ASSIGN_OR_RETURN(auto hints, SessionHints::open(display));
  return std::unique_ptr<X11Session>(new X11Session(std::move(connection), probe, std::move(hints)));
}

Result<std::optional<std::string>> X11Session::locked() {
  if (auto hint = hints_->locked()) return hint;
  while (connection_->pending_event()) {
  }
  return probe_.locker();
}

}  // namespace da::actuator::x11
