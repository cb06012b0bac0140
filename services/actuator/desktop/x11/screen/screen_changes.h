// Collects changes of the screen: drawn areas (XDamage on the root window), and whether a top-level window was created,
// destroyed, moved or raised. Leaves out the overlay, which must live longer. Owns a connection. One thread at a time.
#pragma once

#include <memory>
#include <vector>

#include "lib/base/geometry.h"
#include "services/actuator/desktop/x11/connection.h"
#include "services/actuator/desktop/x11/screen/drawn_areas.h"

namespace da::actuator::x11 {

struct Changes {
  std::vector<Rect> drawn;  // Desktop pixels.
  bool windows = false;
};

class ScreenChanges {
 public:
  // kUnimplemented when the server has no DAMAGE or XFIXES extension.
  static Result<std::unique_ptr<ScreenChanges>> open(const std::string& display, const Clock& clock,
                                                     X11Overlay& overlay);

  // The changes since the last call, or since open().
  Result<Changes> take();

 private:
  ScreenChanges(std::unique_ptr<Connection> connection, DrawnAreas drawn, const X11Overlay& overlay)
      : connection_(std::move(connection)), drawn_(drawn), overlay_(overlay) {}

  std::unique_ptr<Connection> connection_;
  DrawnAreas drawn_;
  const X11Overlay& overlay_;
};

}  // namespace da::actuator::x11
