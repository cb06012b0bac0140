#include "services/actuator/desktop/x11/input/press_watch.h"

#include <poll.h>

namespace da::actuator::x11 {
namespace {

// A window manager that takes longer is busy; a press that it does not pass on is noticed at the release.
constexpr Milliseconds kManagerAnswers{250};
constexpr timespec kBeforeNextLook{.tv_sec = 0, .tv_nsec = 200'000};

}  // namespace

// Requests to move a window that is not shown go to the window manager, which carries them out (ICCCM 4.1.5).
Result<PressWatch> PressWatch::open(Connection& connection) {
  ASSIGN_OR_RETURN(const xcb_window_t asked, connection.create_hidden_window(XCB_WINDOW_CLASS_INPUT_OUTPUT, 0, 0,
                                                                             "window managers are asked by"));
  return PressWatch(connection, asked);
}

void PressWatch::ask_manager() {
  wanted_x_ = wanted_x_ == -2 ? -3 : -2;
  const std::uint32_t place = static_cast<std::uint32_t>(wanted_x_);
  xcb_configure_window(connection_->get(), asked_, XCB_CONFIG_WINDOW_X, &place);
  connection_->flush();
}

Result<std::optional<Point>> PressWatch::look(Point at, const PressSurface& expected) {
  xcb_connection_t* x = connection_->get();
  const xcb_window_t root = connection_->root();
  const auto ask_place = xcb_get_geometry(x, asked_);
  const auto ask_hit =
      xcb_translate_coordinates(x, root, root, static_cast<std::int16_t>(at.x), static_cast<std::int16_t>(at.y));
  const auto ask_state = xcb_get_window_attributes(x, expected.window);
  const auto ask_frame = xcb_get_geometry(x, expected.window);
  const auto place = connection_->reply(xcb_get_geometry_reply, ask_place, "ask the window manager");
  const auto hit = connection_->reply(xcb_translate_coordinates_reply, ask_hit, "find a window");
  const auto state = connection_->reply(xcb_get_window_attributes_reply, ask_state, "look at a window");
  const auto frame = connection_->reply(xcb_get_geometry_reply, ask_frame, "measure a window");
  RETURN_IF_ERROR(connection_->alive());
  answered_ = place && (*place)->x == wanted_x_;
  const bool is_gone = !state || !frame || (*state)->map_state != XCB_MAP_STATE_VIEWABLE;
  if (!hit || is_gone || (*hit)->child == expected.window) return std::optional<Point>();
  if (expected.is_of_same_program((*hit)->child, connection_->resource_mask())) return std::optional<Point>();
  return std::optional(Point{(*frame)->x, (*frame)->y});
}

Result<std::optional<Point>> PressWatch::await(Point at, const PressSurface& expected) {
  ask_manager();
  const Clock& clock = connection_->clock();
  const MonoTime until = clock.now() + kManagerAnswers;
  for (;;) {
    ASSIGN_OR_RETURN(const auto elsewhere, look(at, expected));
    if (elsewhere || answered_ || clock.now() >= until) return elsewhere;
    ::ppoll(nullptr, 0, &kBeforeNextLook, nullptr);
  }
}

}  // namespace da::actuator::x11
