#include "services/actuator/desktop/x11/screen/damage_watch.h"

namespace da::actuator::x11 {
namespace {

constexpr int kLooksInIdle = 4;

}  // namespace

Result<std::unique_ptr<DamageWatch>> DamageWatch::open(const std::string& display, const Clock& clock,
                                                       X11Overlay& overlay) {
  ASSIGN_OR_RETURN(auto connection, Connection::open(display, clock));
  ASSIGN_OR_RETURN(const DrawnAreas drawn, DrawnAreas::watch(*connection, overlay));
  ASSIGN_OR_RETURN(const FocusAtoms atoms, FocusAtoms::of(*connection));
  return std::unique_ptr<DamageWatch>(new DamageWatch(std::move(connection), drawn, atoms));
}

// Process 0 when nobody has the focus; nullopt when the process is unknown or awake.
Result<std::optional<FocusedWork>> DamageWatch::focused_work() {
  ASSIGN_OR_RETURN(const FocusOwner owner, find_focus_owner(*connection_, atoms_));
  if (!owner.focused) return std::optional(FocusedWork());
  const auto activity = activity_of_family(owner.pid);
  if (!activity || !activity->asleep) return std::optional<FocusedWork>();
  return std::optional(FocusedWork{owner.pid, *activity});
}

Result<Quiet> DamageWatch::wait_quiet(const Rest& rest, MonoTime deadline) {
  const std::lock_guard lock(mutex_);
  // Drop old events before rearming: an event after it may be the last one.
  while (connection_->pending_event()) {
  }
  RETURN_IF_ERROR(drawn_.take());
  const Clock& clock = connection_->clock();
  MonoTime last_change = clock.now();
  const bool asks_for_work = rest.idle > Milliseconds(0) && rest.idle < rest.quiet;
  // Reading the activity takes some milliseconds, so it waits until nothing was drawn for a moment.
  const Milliseconds between_looks = rest.idle / kLooksInIdle;
  std::optional<FocusedWork> work;
  MonoTime work_since = last_change;
  MonoTime next_look = last_change + between_looks;
  for (;;) {
    const MonoTime quiet_at = last_change + rest.quiet;
    MonoTime until = std::min(quiet_at, deadline);
    if (asks_for_work) until = std::min(until, next_look);
    ASSIGN_OR_RETURN(EventPtr event, connection_->next_event(until));
    const MonoTime now = clock.now();
    if (event) {
      if (!drawn_.is_notice(*event)) continue;
      ASSIGN_OR_RETURN(const std::vector<Rect> drawn, drawn_.take());
      if (drawn.empty()) continue;
      last_change = now;
      work.reset();
      next_look = now + between_looks;
      continue;
    }
    if (now >= quiet_at) return Quiet::kSettled;
    if (now >= deadline) return Quiet::kStillChanging;
    if (!asks_for_work || now < next_look) continue;
    next_look = now + between_looks;
    ASSIGN_OR_RETURN(auto seen, focused_work());
    if (!seen || seen != work) {
      work = std::move(seen);
      work_since = now;
    } else if (now >= work_since + rest.idle - between_looks && now >= last_change + rest.idle &&
               (work->pid == 0 || family_sleeps_at_least(work->pid, rest.quiet))) {
      return Quiet::kSettled;
    }
  }
}

}  // namespace da::actuator::x11
