#include <gtest/gtest.h>

#include "services/actuator/desktop/x11/connection.h"
#include "tests/services/actuator/x11/test_session.h"

namespace da::actuator {
namespace {

class Lock : public ::testing::Test {
 protected:
  // Asked with a window that is shown, as a locker would: it has the keyboard if nobody else does, and gives it back.
  bool keyboard_is_grabbed() {
    const auto asked = xcb_grab_keyboard(connection_->get(), 0, connection_->root(), XCB_CURRENT_TIME,
                                         XCB_GRAB_MODE_ASYNC, XCB_GRAB_MODE_ASYNC);
    const auto answer = connection_->reply(xcb_grab_keyboard_reply, asked, "grab the keyboard");
    if (answer && (*answer)->status == XCB_GRAB_STATUS_SUCCESS) {
      xcb_ungrab_keyboard(connection_->get(), XCB_CURRENT_TIME);
      (void)connection_->sync();
    }
    return answer && (*answer)->status == XCB_GRAB_STATUS_ALREADY_GRABBED;
  }
  bool locked() {
    const auto locked = session_.desktop().session().locked();
    EXPECT_TRUE(locked) << locked.error().message;
    return locked && locked->has_value();
  }
  void press(const std::vector<std::string>& keys) { ASSERT_OK(session_.desktop().input().chord(keys)); }
  os::ChildProcess start_locker(const std::string& program, const std::vector<std::string>& arguments) {
    auto locker = *os::ChildProcess::start(
        {.program = program, .arguments = arguments, .environment = os::current_environment()});
    EXPECT_TRUE(session_.eventually([&] { return keyboard_is_grabbed(); })) << program;
    return locker;
  }

  TestSession session_;
  std::unique_ptr<x11::Connection> connection_ = *x11::Connection::open(session_.display(), system_clock());
};

TEST_F(Lock, ALockerLocksAndInputStopsAtIt) {
  EXPECT_FALSE(locked());
  auto locker = start_locker("/usr/bin/i3lock", {"--nofork", "--color=204060"});
  EXPECT_TRUE(session_.eventually([&] { return locked(); }));
  const std::vector<std::string> keys{"a"};
  Input& input = session_.desktop().input();
  EXPECT_EQ(input.tap(keys, go_on).stopped->code, Code::kPermissionDenied);
  EXPECT_EQ(input.type(U"secret", Milliseconds(0), go_on).stopped->code, Code::kPermissionDenied);
  EXPECT_EQ(input.chord(keys).error().code, Code::kPermissionDenied);
  EXPECT_EQ(input.click({5, 5}, Button::kLeft, 1, Milliseconds(10), go_on).stopped->code, Code::kPermissionDenied);
  EXPECT_EQ(input.button_down({5, 5}, Button::kLeft).error().code, Code::kPermissionDenied);
  locker.send_signal(SIGKILL);
  EXPECT_TRUE(session_.eventually([&] { return !locked(); }));
  EXPECT_FALSE(input.tap(keys, go_on).stopped);
}

TEST_F(Lock, AnOpenMenuIsNoLock) {
  session_.start("mousepad", "Mousepad");
  press({"alt", "f"});
  ASSERT_TRUE(session_.eventually([&] { return keyboard_is_grabbed(); }));
  EXPECT_FALSE(locked());
  press({"esc"});
  EXPECT_TRUE(session_.eventually([&] { return !keyboard_is_grabbed(); }));
}

TEST_F(Lock, AMenuOfAWindowOverTheWholeScreenIsNoLock) {
  session_.start("mousepad", "Mousepad");
  press({"f11"});
  ASSERT_TRUE(session_.eventually([&] {
    const auto window = session_.find_window("Mousepad");
    return window && window->bounds.width == 1280 && window->bounds.height == 800;
  }));
  ASSERT_EQ(session_.desktop().screen().wait_quiet(Milliseconds(200), session_.deadline()).value(), Quiet::kSettled);
  press({"shift", "f10"});
  ASSERT_TRUE(session_.eventually([&] { return keyboard_is_grabbed(); }));
  EXPECT_FALSE(locked());
}

TEST_F(Lock, AMenuOfAnotherToolkitIsNoLock) {
  write_file(session_.file("text.txt"), "");
  session_.start("featherpad " + session_.file("text.txt").string(), "text.txt");
  press({"alt", "f"});
  ASSERT_TRUE(session_.eventually([&] { return keyboard_is_grabbed(); }));
  EXPECT_FALSE(locked());
}

}  // namespace
}  // namespace da::actuator
