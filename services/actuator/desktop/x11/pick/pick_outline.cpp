#include "services/actuator/desktop/x11/pick/pick_outline.h"

#include <xcb/composite.h>
#include <xcb/xfixes.h>

#include <algorithm>
#include <vector>

#include "services/actuator/desktop/overlay_layout.h"

namespace da::actuator::x11 {

PickOutline::PickOutline(Connection& connection)
    : connection_(connection),
      screen_{0, 0, connection.screen().width_in_pixels, connection.screen().height_in_pixels} {
  xcb_connection_t* const x = connection_.get();
  if (connection_.extension(xcb_xfixes_id) == nullptr) return;
  // The server takes requests of an extension only after its version was asked.
  if (!connection_.reply(xcb_xfixes_query_version_reply, xcb_xfixes_query_version(x, 2, 0), "ask for XFIXES")) return;
  window_ = xcb_generate_id(x);
  const std::uint32_t values[] = {kMarkerColour, 1};
  xcb_create_window(x, XCB_COPY_FROM_PARENT, window_, connection_.root(), 0, 0, 1, 1, 0, XCB_WINDOW_CLASS_INPUT_OUTPUT,
                    XCB_COPY_FROM_PARENT, XCB_CW_BACK_PIXEL | XCB_CW_OVERRIDE_REDIRECT, values);
  shape_ = xcb_generate_id(x);
  xcb_xfixes_create_region(x, shape_, 0, nullptr);
  if (connection_.extension(xcb_composite_id) == nullptr) return;
  // The server then keeps what is below the bars, so that no application has to draw it again.
  const auto version = xcb_composite_query_version(x, 0, 2);
  if (!connection_.reply(xcb_composite_query_version_reply, version, "ask for Composite")) return;
  xcb_composite_redirect_subwindows(x, connection_.root(), XCB_COMPOSITE_REDIRECT_AUTOMATIC);
}

PickOutline::~PickOutline() {
  // The end of the connection ends the redirection.
  if (window_ != XCB_NONE) xcb_destroy_window(connection_.get(), window_);
  connection_.flush();
}

void PickOutline::show(const Rect& marked) {
  if (window_ == XCB_NONE) return;
  const std::vector<Rect> bars = marker_bars(marked, screen_);
  Rect whole;
  for (const Rect& bar : bars) whole = bounding(whole, bar);
  std::vector<xcb_rectangle_t> shape;
  for (const Rect& bar : bars) {
    shape.push_back({static_cast<std::int16_t>(bar.x - whole.x), static_cast<std::int16_t>(bar.y - whole.y),
                     static_cast<std::uint16_t>(bar.width), static_cast<std::uint16_t>(bar.height)});
  }
  xcb_connection_t* const x = connection_.get();
  xcb_xfixes_set_region(x, shape_, static_cast<std::uint32_t>(shape.size()), shape.data());
  xcb_xfixes_set_window_shape_region(x, window_, XCB_SHAPE_SK_BOUNDING, 0, 0, shape_);
  const std::uint32_t values[] = {static_cast<std::uint32_t>(whole.x), static_cast<std::uint32_t>(whole.y),
                                  static_cast<std::uint32_t>(std::max(whole.width, 1)),
                                  static_cast<std::uint32_t>(std::max(whole.height, 1)), XCB_STACK_MODE_ABOVE};
  xcb_configure_window(x, window_,
                       XCB_CONFIG_WINDOW_X | XCB_CONFIG_WINDOW_Y | XCB_CONFIG_WINDOW_WIDTH | XCB_CONFIG_WINDOW_HEIGHT |
                           XCB_CONFIG_WINDOW_STACK_MODE,
                       values);
  if (!mapped_) xcb_map_window(x, window_);
  mapped_ = true;
  connection_.flush();
}

}  // namespace da::actuator::x11
