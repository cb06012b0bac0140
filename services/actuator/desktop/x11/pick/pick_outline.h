// The outline of a rectangle that a person is marking: an override-redirect window in the shape of four bars, which are
// outside of the rectangle. One thread.
#pragma once

#include "lib/base/geometry.h"
#include "services/actuator/desktop/x11/connection.h"

namespace da::actuator::x11 {

class PickOutline {
 public:
  // Shows nothing where the server has no XFIXES.
  explicit PickOutline(Connection& connection);
  ~PickOutline();
  PickOutline(const PickOutline&) = delete;
  PickOutline& operator=(const PickOutline&) = delete;

  void show(const Rect& marked);

 private:
  Connection& connection_;
  Rect screen_;
  xcb_window_t window_ = XCB_NONE;
  std::uint32_t shape_ = 0;  // A region of the server.
  bool mapped_ = false;
};

}  // namespace da::actuator::x11
