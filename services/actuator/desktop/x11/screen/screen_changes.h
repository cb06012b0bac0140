// Collects changes of the screen: drawn areas (XDamage on the root window), and whether a top-level window was created,
// destroyed, moved or raised. Owns a connection. One thread at a time.
#pragma once

#include <memory>
#include <vector>

#include "lib/base/geometry.h"
#include "services/actuator/desktop/x11/connection.h"

namespace da::actuator::x11 {

struct Changes {
  std::vector<Rect> drawn;  // Desktop pixels.
  bool windows = false;
};

class ScreenChanges {
 public:
  // kUnimplemented when the server has no DAMAGE or XFIXES extension.
  static Result<std::unique_ptr<ScreenChanges>> open(const std::string& display, const Clock& clock);

  // The changes since the last call, or since open().
  Result<Changes> take();

 private:
  ScreenChanges(std::unique_ptr<Connection> connection, std::uint32_t damage, std::uint32_t region,
                std::uint8_t damage_event)
      : connection_(std::move(connection)), damage_(damage), region_(region), damage_event_(damage_event) {}

  std::unique_ptr<Connection> connection_;
  std::uint32_t damage_;
  std::uint32_t region_;  // A region of the server that receives the damage.
  std::uint8_t damage_event_;
};

}  // namespace da::actuator::x11
