#include <gtest/gtest.h>

#include "services/actuator/desktop/x11/connection.h"
#include "tests/services/actuator/x11/test_session.h"

namespace da::actuator {
namespace {

class Lock : public ::testing::Test {
 protected:
  static std::uint8_t grab_keyboard(x11::Connection& connection, xcb_window_t window) {
    const auto asked =
        xcb_grab_keyboard(connection.get(), 0, window, XCB_CURRENT_TIME, XCB_GRAB_MODE_ASYNC, XCB_GRAB_MODE_ASYNC);
    const auto answer = connection.reply(xcb_grab_keyboard_reply, asked, "grab the keyboard");
    EXPECT_TRUE(answer) << answer.error().message;
    return answer ? (*answer)->status : static_cast<std::uint8_t>(XCB_GRAB_STATUS_SUCCESS);
  }
  // Uses a hidden window, which never gets the grab: a short grab of ours could prevent that of the expected menu.
  bool keyboard_is_grabbed() {
    if (hidden_ == XCB_NONE) {
      hidden_ = xcb_generate_id(connection_->get());
      xcb_create_window(connection_->get(), XCB_COPY_FROM_PARENT, hidden_, connection_->root(), 0, 0, 1, 1, 0,
                        XCB_WINDOW_CLASS_INPUT_ONLY, XCB_COPY_FROM_PARENT, 0, nullptr);
    }
    return grab_keyboard(*connection_, hidden_) == XCB_GRAB_STATUS_ALREADY_GRABBED;
  }
  // Opens a menu by keys. Then tries to grab with a visible window, as a locker does.
  // A window that has just got the focus may not have its menus yet.
  void wait_for_menus() {
    Screen& screen = session_.desktop().screen();
    ASSERT_EQ(screen.wait_quiet(Milliseconds(300), session_.deadline()).value(), Quiet::kSettled);
  }
  void open_menu(const std::vector<std::string>& keys) {
    wait_for_menus();
    press(keys);
    ASSERT_TRUE(session_.eventually([&] { return keyboard_is_grabbed(); }));
    ASSERT_EQ(grab_keyboard(*connection_, connection_->root()), XCB_GRAB_STATUS_ALREADY_GRABBED);
  }
  bool locked() {
    const auto locked = session_.desktop().session().obstacle();
    EXPECT_TRUE(locked) << locked.error().message;
    return locked && locked->has_value();
  }
  void press(const std::vector<std::string>& keys) { ASSERT_OK(session_.desktop().input().chord(keys, go_on)); }
  os::ChildProcess start_locker(const std::string& program, const std::vector<std::string>& arguments) {
    auto locker = *os::ChildProcess::start(
        {.program = program, .arguments = arguments, .environment = os::current_environment()});
    EXPECT_TRUE(session_.eventually([&] { return keyboard_is_grabbed(); })) << program;
    return locker;
  }

  TestSession session_;
  xcb_window_t hidden_ = XCB_NONE;
  std::unique_ptr<x11::Connection> connection_ = *x11::Connection::open(session_.display(), system_clock());
};

TEST_F(Lock, LockerIsDetectedAndStopsInput) {
  EXPECT_FALSE(locked());
  auto locker = start_locker("/usr/bin/i3lock", {"--nofork", "--color=204060"});
  EXPECT_TRUE(session_.eventually([&] { return locked(); }));
  const std::vector<std::string> keys{"a"};
  Input& input = session_.desktop().input();
  EXPECT_EQ(input.tap(keys, go_on).stopped->code, Code::kPermissionDenied);
  EXPECT_EQ(input.type(U"secret", Milliseconds(0), go_on).stopped->code, Code::kPermissionDenied);
  EXPECT_EQ(input.chord(keys, go_on).error().code, Code::kPermissionDenied);
  EXPECT_EQ(input.click(Point{5, 5}, Button::kLeft, 1, Milliseconds(10), go_on).stopped->code, Code::kPermissionDenied);
  EXPECT_EQ(input.button_down(Point{5, 5}, Button::kLeft).error().code, Code::kPermissionDenied);
  locker.send_signal(SIGKILL);
  EXPECT_TRUE(session_.eventually([&] { return !locked(); }));
  EXPECT_FALSE(input.tap(keys, go_on).stopped);
}

TEST_F(Lock, OpenMenuIsNoLock) {
  session_.start("mousepad", "Mousepad");
  open_menu({"alt", "f"});
  EXPECT_FALSE(locked());
  press({"esc"});
  EXPECT_TRUE(session_.eventually([&] { return !keyboard_is_grabbed(); }));
}

TEST_F(Lock, MenuOfAFullScreenWindowIsNoLock) {
  session_.start("mousepad", "Mousepad");
  wait_for_menus();
  press({"f11"});
  ASSERT_TRUE(session_.eventually([&] {
    const auto window = session_.find_window("Mousepad");
    return window && window->bounds.width == 1280 && window->bounds.height == 800;
  }));
  open_menu({"shift", "f10"});
  EXPECT_FALSE(locked());
}

TEST_F(Lock, MenuOfAnotherToolkitIsNoLock) {
  write_file(session_.file("text.txt"), "");
  session_.start("featherpad " + session_.file("text.txt").string(), "text.txt");
  open_menu({"alt", "f"});
  EXPECT_FALSE(locked());
}

}  // namespace
}  // namespace da::actuator
