#include "services/actuator/desktop/win32/screen/screen_rest.h"

#include <cstring>
#include <map>
#include <optional>
#include <thread>

#include "services/actuator/desktop/win32/applications/win32_process.h"

namespace da::actuator::win32 {
namespace {

bool same_pixels(const FrameView& a, const FrameView& b) {
  if (a.area != b.area) return false;
  const std::size_t bytes = static_cast<std::size_t>(a.area.width) * FrameBitmap::kBytesPerPixel;
  for (int row = 0; row < a.area.height; ++row) {
    const auto line = static_cast<std::size_t>(row);
    if (std::memcmp(a.data + line * a.stride, b.data + line * b.stride, bytes) != 0) return false;
  }
  return true;
}

// The cycles of the process with the keyboard focus and of its children; nullopt when they are unknown.
std::optional<std::map<std::uint32_t, std::uint64_t>> cycles_of_foreground() {
  DWORD pid = 0;
  ::GetWindowThreadProcessId(::GetForegroundWindow(), &pid);
  if (pid == 0) return std::nullopt;
  const auto own = cycles_of(pid);
  if (!own) return std::nullopt;
  std::map<std::uint32_t, std::uint64_t> cycles{{pid, *own}};
  for (const ProcessInfo& process : list_processes()) {
    if (process.parent != pid) continue;
    if (const auto of_child = cycles_of(process.pid)) cycles[process.pid] = *of_child;
  }
  return cycles;
}

}  // namespace

Rect virtual_desktop() {
  return {::GetSystemMetrics(SM_XVIRTUALSCREEN), ::GetSystemMetrics(SM_YVIRTUALSCREEN),
          ::GetSystemMetrics(SM_CXVIRTUALSCREEN), ::GetSystemMetrics(SM_CYVIRTUALSCREEN)};
}

Result<bool> ScreenRest::look(Seen& seen) {
  const Rect desktop = virtual_desktop();
  if (const auto generation = duplication_.generation(desktop)) {
    const bool same = seen.generation == *generation;
    seen = {.generation = *generation};
    return !same;
  }
  ASSIGN_OR_RETURN(const FrameView now, frames_[1 - last_].copy(desktop));
  const bool same = seen.pixels && same_pixels(*seen.pixels, now);
  last_ = 1 - last_;
  seen = {.pixels = now};
  return !same;
}

Result<Quiet> ScreenRest::wait(const Rest& rest, MonoTime deadline) {
  const std::lock_guard lock(waiting_);
  const bool looks_at_application = rest.idle.count() > 0 && rest.idle < rest.quiet;
  Seen seen;
  RETURN_IF_ERROR(look(seen));
  MonoTime unchanged_since = clock_.now();
  MonoTime asleep_since = unchanged_since;
  auto cycles = looks_at_application ? cycles_of_foreground() : std::nullopt;
  for (;;) {
    const MonoTime now = clock_.now();
    if (now - unchanged_since >= rest.quiet) return Quiet::kSettled;
    const bool asleep = cycles && now - asleep_since >= rest.idle && now - unchanged_since >= rest.idle;
    if (asleep) return Quiet::kSettled;
    if (now >= deadline) return Quiet::kStillChanging;
    std::this_thread::sleep_for(std::min<Nanoseconds>(kBetweenLooks, deadline - now));
    ASSIGN_OR_RETURN(const bool changed, look(seen));
    if (changed) unchanged_since = clock_.now();
    if (!looks_at_application) continue;
    auto now_used = cycles_of_foreground();
    if (now_used != cycles) asleep_since = clock_.now();
    cycles = std::move(now_used);
  }
}

}  // namespace da::actuator::win32
