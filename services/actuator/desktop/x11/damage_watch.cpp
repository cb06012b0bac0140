#include "services/actuator/desktop/x11/damage_watch.h"

#include <xcb/damage.h>

namespace da::actuator::x11 {

Result<std::unique_ptr<DamageWatch>> DamageWatch::open(const std::string& display, const Clock& clock) {
  ASSIGN_OR_RETURN(auto connection, Connection::open(display, clock));
  const auto* extension = xcb_get_extension_data(connection->get(), &xcb_damage_id);
  if (extension == nullptr || extension->present == 0)
    return Error{Code::kUnimplemented, "the X server has no DAMAGE extension: it cannot tell when its screen rests"};
  RETURN_IF_ERROR(connection->reply(xcb_damage_query_version_reply, xcb_damage_query_version(connection->get(), 1, 1),
                                    "ask the version of DAMAGE"));
  const std::uint32_t damage = xcb_generate_id(connection->get());
  const auto created =
      xcb_damage_create_checked(connection->get(), damage, connection->root(), XCB_DAMAGE_REPORT_LEVEL_NON_EMPTY);
  RETURN_IF_ERROR(connection->check(created, "watch the root window for damage"));
  return std::unique_ptr<DamageWatch>(new DamageWatch(std::move(connection), damage, extension->first_event));
}

// Once damaged, the root reports nothing more until its damage was taken back.
Result<void> DamageWatch::rearm() {
  return connection_->check(xcb_damage_subtract_checked(connection_->get(), damage_, XCB_NONE, XCB_NONE),
                            "take back the root window's damage");
}

Result<Quiet> DamageWatch::wait_quiet(Milliseconds quiet, MonoTime deadline) {
  const std::lock_guard lock(mutex_);
  // In this order: a report that is thrown away behind the rearming would have been the last one.
  while (connection_->pending_event()) {
  }
  RETURN_IF_ERROR(rearm());
  MonoTime last_change = connection_->clock().now();
  for (;;) {
    const MonoTime rest = last_change + quiet;
    ASSIGN_OR_RETURN(EventPtr event, connection_->next_event(std::min(rest, deadline)));
    if (event) {
      if (event_type(*event) != first_event_ + XCB_DAMAGE_NOTIFY) continue;
      RETURN_IF_ERROR(rearm());
      last_change = connection_->clock().now();
      continue;
    }
    const MonoTime now = connection_->clock().now();
    if (now >= rest) return Quiet::kSettled;
    if (now >= deadline) return Quiet::kStillChanging;
  }
}

}  // namespace da::actuator::x11
