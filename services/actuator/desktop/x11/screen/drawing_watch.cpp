#include "services/actuator/desktop/x11/screen/drawing_watch.h"

#include <poll.h>

#include <cerrno>

#include "lib/os/unique_fd.h"

namespace da::actuator::x11 {

Result<std::unique_ptr<DrawingWatch>> X11DrawingWatch::open(const std::string& display, const Clock& clock,
                                                            X11Overlay& overlay) {
  ASSIGN_OR_RETURN(auto connection, Connection::open(display, clock));
  ASSIGN_OR_RETURN(auto wake_up, os::WakeUp::open());
  ASSIGN_OR_RETURN(const DrawnAreas drawn, DrawnAreas::watch(*connection, overlay));
  return std::unique_ptr<DrawingWatch>(new X11DrawingWatch(std::move(connection), drawn, std::move(wake_up), overlay));
}

bool X11DrawingWatch::take_notices() {
  bool drawn = false;
  while (const EventPtr event = connection_->pending_event()) drawn = drawn || drawn_.is_notice(*event);
  return drawn;
}

// Drops old events before it takes the areas: an event after that may be the last one.
Result<void> X11DrawingWatch::arm() {
  take_notices();
  RETURN_IF_ERROR(drawn_.take());
  return ok();
}

Result<std::vector<Rect>> X11DrawingWatch::next(MonoTime deadline, const std::stop_token& stop) {
  wake_up_->clear();
  const std::stop_callback wake(stop, [this] { wake_up_->notify(); });
  connection_->flush();
  while (!stop.stop_requested()) {
    if (take_notices()) {
      ASSIGN_OR_RETURN(std::vector<Rect> areas, drawn_.take());
      if (!areas.empty()) return areas;
      continue;
    }
    RETURN_IF_ERROR(connection_->alive());
    const int timeout = poll_timeout(connection_->clock(), deadline);
    if (timeout == 0) break;
    pollfd waiting[] = {{xcb_get_file_descriptor(connection_->get()), POLLIN, 0},
                        {static_cast<int>(wake_up_->descriptor()), POLLIN, 0}};
    if (::poll(waiting, 2, timeout) < 0 && errno != EINTR) return posix_error("wait for the X server", errno);
  }
  return std::vector<Rect>();
}

}  // namespace da::actuator::x11
