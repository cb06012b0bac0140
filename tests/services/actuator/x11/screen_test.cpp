#include <gtest/gtest.h>
#include <xcb/randr.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <iostream>
#include <latch>
#include <thread>

#include "services/actuator/desktop/x11/connection.h"
#include "services/actuator/desktop/x11/screen/cursor_names.h"
#include "tests/services/actuator/x11/test_session.h"

namespace da::actuator {
namespace {

// Draws over its own connection, as an application does.
class Painter {
 public:
  explicit Painter(const std::string& display) : connection_(*x11::Connection::open(display, system_clock())) {}

  void fill(const Rect& area, std::uint32_t colour) {
    xcb_change_window_attributes(connection_->get(), connection_->root(), XCB_CW_BACK_PIXEL, &colour);
    xcb_clear_area(connection_->get(), 0, connection_->root(), static_cast<std::int16_t>(area.x),
                   static_cast<std::int16_t>(area.y), static_cast<std::uint16_t>(area.width),
                   static_cast<std::uint16_t>(area.height));
    (void)connection_->sync();
  }

  // Has the effect of unplugging or rotating a monitor.
  void resize_desktop(std::uint16_t width, std::uint16_t height) {
    xcb_connection_t* x = connection_->get();
    const auto resources = connection_->reply(xcb_randr_get_screen_resources_reply,
                                              xcb_randr_get_screen_resources(x, connection_->root()), "read RandR");
    for (int i = 0; i < xcb_randr_get_screen_resources_crtcs_length(resources->get()); ++i) {
      xcb_randr_set_crtc_config(x, xcb_randr_get_screen_resources_crtcs(resources->get())[i], XCB_CURRENT_TIME,
                                (*resources)->config_timestamp, 0, 0, XCB_NONE, XCB_RANDR_ROTATION_ROTATE_0, 0,
                                nullptr);
    }
    ASSERT_OK(connection_->check(xcb_randr_set_screen_size_checked(x, connection_->root(), width, height, 300, 200),
                                 "resize the desktop"));
  }

 private:
  std::unique_ptr<x11::Connection> connection_;
};

std::uint32_t pixel(const FrameView& frame, Point at) {
  std::uint32_t value = 0;
  std::memcpy(&value,
              frame.data + static_cast<std::size_t>(at.y - frame.area.y) * frame.stride +
                  static_cast<std::size_t>(at.x - frame.area.x) * 4,
              sizeof(value));
  return value & 0xffffffU;
}

TEST(X11Screen, CapturesTheColoursOnTheScreen) {
  TestSession session;
  Painter painter(session.display());
  painter.fill({0, 0, 1280, 800}, 0x123456);
  painter.fill({700, 300, 10, 10}, 0xfedcba);
  const auto frame = session.desktop().screen().capture();
  ASSERT_OK(frame);
  EXPECT_EQ(frame->area, (Rect{0, 0, 1280, 800}));
  EXPECT_EQ(pixel(*frame, {0, 0}), 0x123456U);
  EXPECT_EQ(pixel(*frame, {699, 300}), 0x123456U);
  EXPECT_EQ(pixel(*frame, {700, 300}), 0xfedcbaU);
  EXPECT_EQ(pixel(*frame, {709, 309}), 0xfedcbaU);
  EXPECT_EQ(pixel(*frame, {1279, 799}), 0x123456U);
}

TEST(X11Screen, CapturingAnAreaKeepsTheWholeFrame) {
  TestSession session;
  Painter painter(session.display());
  painter.fill({0, 0, 1280, 800}, 0x111111);
  const auto frame = session.desktop().screen().capture();
  ASSERT_OK(frame);
  painter.fill({0, 0, 1280, 800}, 0x222222);
  const auto part = session.desktop().screen().capture_area({1270, 790, 100, 100});
  ASSERT_OK(part);
  EXPECT_EQ(part->area, (Rect{1270, 790, 10, 10}));
  EXPECT_EQ(pixel(*part, {1279, 799}), 0x222222U);
  EXPECT_EQ(pixel(*frame, {1279, 799}), 0x111111U);
  EXPECT_EQ(session.desktop().screen().capture_area({5000, 0, 10, 10}).error().code, Code::kOutOfRange);
}

TEST(X11Screen, CapturesOverTheSocketWithoutSharedMemory) {
  TestSession session(SessionBus::kWithout, "1280x800x24", {"-extension", "MIT-SHM"});
  Painter painter(session.display());
  painter.fill({0, 0, 1280, 800}, 0x123456);
  painter.fill({700, 300, 10, 10}, 0xfedcba);
  const auto frame = session.desktop().screen().capture();
  ASSERT_OK(frame);
  EXPECT_EQ(pixel(*frame, {699, 300}), 0x123456U);
  EXPECT_EQ(pixel(*frame, {709, 309}), 0xfedcbaU);
  const auto part = session.desktop().screen().capture_area({699, 300, 2, 2});
  ASSERT_OK(part);
  EXPECT_EQ(pixel(*part, {699, 301}), 0x123456U);
  EXPECT_EQ(pixel(*part, {700, 301}), 0xfedcbaU);
}

TEST(X11Screen, FollowsAChangeOfTheDesktopsSize) {
  TestSession session(SessionBus::kWithout);
  Painter painter(session.display());
  ASSERT_OK(session.desktop().screen().capture());
  painter.resize_desktop(800, 600);
  painter.fill({0, 0, 800, 600}, 0x123456);
  const auto frame = session.desktop().screen().capture();
  ASSERT_OK(frame);
  EXPECT_EQ(frame->area, (Rect{0, 0, 800, 600}));
  EXPECT_EQ(pixel(*frame, {799, 599}), 0x123456U);
  EXPECT_EQ(session.desktop().screen().layout()->desktop, (Rect{0, 0, 800, 600}));
  EXPECT_EQ(session.desktop().screen().capture_area({799, 0, 10, 10})->area, (Rect{799, 0, 1, 10}));
  EXPECT_EQ(session.desktop().screen().capture_area({900, 0, 10, 10}).error().code, Code::kOutOfRange);
  painter.resize_desktop(1280, 800);
  EXPECT_EQ(session.desktop().screen().capture()->area, (Rect{0, 0, 1280, 800}));
}

Rect around(const std::vector<Rect>& areas) {
  Rect all;
  for (const Rect& area : areas) all = bounding(all, area);
  return all;
}

TEST(X11Screen, ReportsWhatWasDrawnSinceAFrame) {
  TestSession session(SessionBus::kWithout);
  Screen& screen = session.desktop().screen();
  Painter painter(session.display());
  EXPECT_EQ(screen.wait_quiet(Milliseconds(300), session.deadline()).value(), Quiet::kSettled);
  const auto first = screen.capture()->generation;
  EXPECT_EQ(around(**screen.changed_since(first)), Rect());
  painter.fill({100, 200, 50, 40}, 0x123456);
  const auto second = screen.capture()->generation;
  painter.fill({700, 10, 5, 5}, 0x123456);
  EXPECT_EQ(around(**screen.changed_since(second)), (Rect{700, 10, 5, 5}));
  EXPECT_EQ(around(**screen.changed_since(first)), (Rect{100, 10, 605, 230})) << "asking takes nothing away";
  painter.resize_desktop(800, 600);
  ASSERT_OK(screen.capture());
  EXPECT_EQ(*screen.changed_since(second), std::nullopt);
}

TEST(X11Screen, CursorsAreKnownByTheirNames) {
  using x11::shape_of_cursor;
  EXPECT_EQ(shape_of_cursor("xterm"), CursorShape::kText);
  EXPECT_EQ(shape_of_cursor("left_ptr_watch"), CursorShape::kBusy);
  EXPECT_EQ(shape_of_cursor("nesw-resize"), CursorShape::kResize);
  EXPECT_EQ(shape_of_cursor("pointer"), CursorShape::kHand);
  EXPECT_EQ(shape_of_cursor(""), CursorShape::kUnknown);
  EXPECT_EQ(shape_of_cursor("gumby"), CursorShape::kUnknown);
}

TEST(X11Screen, ReportsItsLayoutAndTheCursor) {
  TestSession session;
  const auto layout = session.desktop().screen().layout();
  ASSERT_OK(layout);
  EXPECT_EQ(layout->desktop, (Rect{0, 0, 1280, 800}));
  ASSERT_EQ(layout->monitors.size(), 1U);
  EXPECT_EQ(layout->monitors.front().bounds, layout->desktop);
  EXPECT_DOUBLE_EQ(layout->monitors.front().scale, 1.0);
  (void)session.output_of({"xdotool", "mousemove", "321", "123"});
  EXPECT_EQ(session.desktop().screen().cursor().value(), (Point{321, 123}));
}

TEST(X11Screen, SettlesOnlyAfterDrawingEnds) {
  TestSession session;
  Screen& screen = session.desktop().screen();
  EXPECT_EQ(screen.wait_quiet(Milliseconds(100), session.deadline()).value(), Quiet::kSettled);
  std::atomic<bool> stop = false;
  std::latch begun(1);
  std::thread drawing([&] {
    Painter painter(session.display());
    painter.fill({0, 0, 50, 50}, 0xffffff);
    begun.count_down();
    for (std::uint32_t colour = 0; !stop; ++colour) painter.fill({0, 0, 50, 50}, colour & 0xffffffU);
  });
  begun.wait();
  const auto busy = screen.wait_quiet(Milliseconds(500), system_clock().now() + Milliseconds(700));
  stop = true;
  drawing.join();
  EXPECT_EQ(busy.value(), Quiet::kStillChanging);
  EXPECT_EQ(screen.wait_quiet(Milliseconds(100), session.deadline()).value(), Quiet::kSettled);
}

TEST(X11Screen, SettlesEarlierWhileTheFocusedApplicationSleeps) {
  TestSession session;
  Screen& screen = session.desktop().screen();
  const Rest rest(Milliseconds(60'000), Milliseconds(100));
  EXPECT_EQ(screen.wait_quiet(rest, session.deadline()).value(), Quiet::kSettled) << "nothing has the focus";
  session.start("xterm -T asleep -e cat", "asleep");
  EXPECT_EQ(screen.wait_quiet(rest, session.deadline()).value(), Quiet::kSettled);
}

TEST(X11Screen, DoesNotSettleEarlierWhileAChildProcessWorks) {
  TestSession session;
  Screen& screen = session.desktop().screen();
  session.start("xterm -T busy -e sh -c 'while sleep 0.02; do :; done'", "busy");  // Works without drawing.
  const Rest rest(Milliseconds(60'000), Milliseconds(100));
  const auto waited = screen.wait_quiet(rest, system_clock().now() + Milliseconds(1'500));
  EXPECT_EQ(waited.value(), Quiet::kStillChanging);
}

TEST(X11Screen, LostServerIsUnavailable) {
  TestSession session(SessionBus::kWithout);
  ASSERT_OK(session.desktop().screen().capture());
  session.kill_server();
  EXPECT_EQ(session.desktop().screen().capture().error().code, Code::kUnavailable);
  EXPECT_EQ(session.desktop().screen().layout().error().code, Code::kUnavailable);
  EXPECT_EQ(session.desktop().screen().wait_quiet(Milliseconds(10), session.deadline()).error().code,
            Code::kUnavailable);
  EXPECT_EQ(session.desktop().input().move({1, 1}).error().code, Code::kUnavailable);
  EXPECT_EQ(session.desktop().windows().list().error().code, Code::kUnavailable);
  EXPECT_EQ(session.desktop().clipboard().set_text("x").error().code, Code::kUnavailable);
  const std::u32string text = U"x";
  EXPECT_EQ(session.desktop().input().type(text, Milliseconds(0), go_on).stopped->code, Code::kUnavailable);
}

}  // namespace
}  // namespace da::actuator
