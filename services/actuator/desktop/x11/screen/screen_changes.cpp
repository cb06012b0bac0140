#include "services/actuator/desktop/x11/screen/screen_changes.h"

namespace da::actuator::x11 {
namespace {

// All structure events have the window at the same place.
xcb_window_t subject_of(const xcb_generic_event_t& event) {
  return reinterpret_cast<const xcb_map_notify_event_t&>(event).window;
}

}  // namespace

Result<std::unique_ptr<ScreenChanges>> ScreenChanges::open(const std::string& display, const Clock& clock,
                                                           X11Overlay& overlay) {
  ASSIGN_OR_RETURN(auto connection, Connection::open(display, clock));
  ASSIGN_OR_RETURN(const DrawnAreas drawn, DrawnAreas::watch(*connection, overlay));
  RETURN_IF_ERROR(connection->select_events(connection->root(), XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY));
  return std::unique_ptr<ScreenChanges>(new ScreenChanges(std::move(connection), drawn, overlay));
}

// Window events that the server sent before the reply have arrived with the reply.
Result<Changes> ScreenChanges::take() {
  Changes changes;
  ASSIGN_OR_RETURN(changes.drawn, drawn_.take());
  while (const EventPtr event = connection_->pending_event()) {
    const bool of_others = !drawn_.is_notice(*event) && !overlay_.owns(subject_of(*event));
    changes.windows = changes.windows || of_others;
  }
  return changes;
}

}  // namespace da::actuator::x11
