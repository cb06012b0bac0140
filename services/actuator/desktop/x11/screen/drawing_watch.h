// DrawingWatch by XDamage on a connection of its own. Costs nothing between two events.
#pragma once

#include <memory>

#include "lib/os/network/wake_up.h"
#include "services/actuator/desktop/roles/screen.h"
#include "services/actuator/desktop/x11/connection.h"
#include "services/actuator/desktop/x11/screen/drawn_areas.h"

namespace da::actuator::x11 {

class X11DrawingWatch final : public DrawingWatch {
 public:
  // The overlay, whose drawing does not count, must outlive it.
  static Result<std::unique_ptr<DrawingWatch>> open(const std::string& display, const Clock& clock,
                                                    X11Overlay& overlay);
  ~X11DrawingWatch() override { overlay_.forget(drawn_.watched()); }
  X11DrawingWatch(const X11DrawingWatch&) = delete;
  X11DrawingWatch& operator=(const X11DrawingWatch&) = delete;

  Result<void> arm() override;
  Result<std::vector<Rect>> next(MonoTime deadline, const std::stop_token& stop) override;

 private:
  X11DrawingWatch(std::unique_ptr<Connection> connection, DrawnAreas drawn, std::unique_ptr<os::WakeUp> wake_up,
                  X11Overlay& overlay)
      : connection_(std::move(connection)), drawn_(drawn), wake_up_(std::move(wake_up)), overlay_(overlay) {}
  bool take_notices();

  const std::unique_ptr<Connection> connection_;
  DrawnAreas drawn_;
  const std::unique_ptr<os::WakeUp> wake_up_;
  X11Overlay& overlay_;
};

}  // namespace da::actuator::x11
