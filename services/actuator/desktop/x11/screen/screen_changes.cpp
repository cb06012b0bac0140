#include "services/actuator/desktop/x11/screen/screen_changes.h"

namespace da::actuator::x11 {

Result<std::unique_ptr<ScreenChanges>> ScreenChanges::open(const std::string& display, const Clock& clock) {
  ASSIGN_OR_RETURN(auto connection, Connection::open(display, clock));
  ASSIGN_OR_RETURN(const DrawnAreas drawn, DrawnAreas::watch(*connection));
  RETURN_IF_ERROR(connection->select_events(connection->root(), XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY));
  return std::unique_ptr<ScreenChanges>(new ScreenChanges(std::move(connection), drawn));
}

// Window events that the server sent before the reply have arrived with the reply.
Result<Changes> ScreenChanges::take() {
  Changes changes;
  ASSIGN_OR_RETURN(changes.drawn, drawn_.take());
  while (const EventPtr event = connection_->pending_event()) {
    changes.windows = changes.windows || event_type(*event) != drawn_.event();
  }
  return changes;
}

}  // namespace da::actuator::x11
