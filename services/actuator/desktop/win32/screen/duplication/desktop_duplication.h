// The pixels of the whole virtual desktop by DXGI desktop duplication, and the areas that have changed: the images of
// all monitors in one buffer, allocated once per layout. Parts that no monitor shows are black.
//
// Opens the duplications at the first use, and again after Windows has ended them. Where and while there are none, its
// methods fail and the caller captures by GDI: kUnimplemented (this system has none) or kUnavailable (not now: a secure
// desktop, a closed remote connection, no image yet). Any thread: one mutex guards everything.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "lib/base/clock.h"
#include "services/actuator/desktop/change_history.h"
#include "services/actuator/desktop/roles/screen.h"
#include "services/actuator/desktop/win32/screen/duplication/output_duplication.h"

namespace da::actuator::win32 {

// A caller's own copy of a part of the desktop, kept from one call to the next.
struct CopiedPixels {
  DesktopPixels pixels;
  std::uint64_t generation = 0;
};

class DesktopDuplication {
 public:
  // How long it waits before it tries again to open a duplication.
  static constexpr Milliseconds kBetweenTries{1'000};

  DesktopDuplication(ListOutputs list, const Clock& clock) : list_(std::move(list)), clock_(clock) {}

  // `desktop`: the bounding rectangle of all monitors. Updates `copy` to the current content of `part`, where it has
  // changed. The view is valid until the next call with this `copy`.
  Result<FrameView> capture(const Rect& desktop, const Rect& part, CopiedPixels& copy);
  // The generation of the desktop's current content: equal values, nothing has changed in between.
  Result<std::uint64_t> generation(const Rect& desktop);
  // See Screen::changed_since().
  Result<std::optional<std::vector<Rect>>> changed_since(const Rect& desktop, std::uint64_t generation);

 private:
  // These need the mutex.
  Result<void> update(const Rect& desktop);
  Result<void> open(const Rect& desktop);
  Error give_up(Error error);

  const ListOutputs list_;
  const Clock& clock_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<OutputDuplication>> outputs_;
  DesktopPixels pixels_;
  ChangeHistory history_;
  std::optional<Error> failure_;  // Why open() or update() last failed; reset by a successful open().
  Rect failed_desktop_;           // The desktop then: another layout may be possible.
  MonoTime next_try_{};
};

}  // namespace da::actuator::win32
