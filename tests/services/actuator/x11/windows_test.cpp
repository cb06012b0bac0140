#include <gtest/gtest.h>

#include "services/actuator/desktop/x11/applications/posix_process.h"
#include "services/actuator/desktop_proto.h"
#include "tests/services/actuator/x11/test_session.h"

namespace da::actuator {
namespace {

std::string decimal(const std::string& id) { return std::to_string(std::stoul(id.substr(2), nullptr, 16)); }

class WindowsTest : public ::testing::Test {
 protected:
  WindowInfo terminal(const std::string& title) { return session_.start("xterm -T " + title + " -e cat", title); }
  std::string active() { return session_.output_of({"xdotool", "getactivewindow"}); }

  TestSession session_{SessionBus::kWithout};
  Windows& windows_ = session_.desktop().windows();
};

TEST_F(WindowsTest, ListsFrontToBackWithProcessAndFrame) {
  terminal("behind");
  const WindowInfo front = terminal("front");
  const auto list = windows_.list();
  ASSERT_OK(list);
  ASSERT_EQ(list->size(), 2U);
  EXPECT_EQ(list->at(0).title, "front");
  EXPECT_TRUE(list->at(0).focused);
  EXPECT_EQ(list->at(1).title, "behind");
  EXPECT_FALSE(list->at(1).focused);
  EXPECT_EQ(std::to_string(front.pid), session_.output_of({"xdotool", "getwindowpid", decimal(front.id)}));
  EXPECT_EQ(front.executable, std::filesystem::canonical("/usr/bin/xterm").string());
  EXPECT_NE(front.process_start, 0U);
  EXPECT_EQ(active(), decimal(front.id));
  EXPECT_EQ(windows_.foreground().value()->id, front.id);
}

TEST_F(WindowsTest, FocusesAndRestoresAMinimizedWindow) {
  const WindowInfo first = terminal("first");
  terminal("second");
  (void)session_.output_of({"xdotool", "windowminimize", "--sync", decimal(first.id)});
  EXPECT_TRUE(session_.eventually([&] { return session_.find_window("first")->minimized; }));
  ASSERT_OK(windows_.focus(first.id, session_.deadline()));
  EXPECT_EQ(active(), decimal(first.id));
  EXPECT_FALSE(session_.find_window("first")->minimized);
}

TEST_F(WindowsTest, WindowOnAnotherWorkspaceIsListedAsNotMapped) {
  const WindowInfo first = terminal("first");
  EXPECT_TRUE(first.mapped);
  EXPECT_FALSE(to_proto(first).minimized());
  (void)session_.output_of({"xdotool", "set_desktop_for_window", decimal(first.id), "1"});
  EXPECT_TRUE(session_.eventually([&] { return !session_.find_window("first")->mapped; }));
  EXPECT_TRUE(to_proto(*session_.find_window("first")).minimized());
  (void)session_.output_of({"xdotool", "set_desktop", "1"});
  EXPECT_TRUE(session_.eventually([&] { return session_.find_window("first")->mapped; }));
}

TEST_F(WindowsTest, FindsTheWindowUnderAPoint) {
  const WindowInfo window = terminal("under");
  const auto inside = windows_.window_at(window.bounds.center());
  ASSERT_OK(inside);
  ASSERT_TRUE(inside->has_value());
  EXPECT_EQ((*inside)->id, window.id);
  // The title bar belongs to the window too.
  EXPECT_EQ(windows_.window_at({window.bounds.x + 5, window.bounds.y + 5}).value()->id, window.id);
  EXPECT_FALSE(windows_.window_at({1279, 799}).value().has_value());
}

TEST_F(WindowsTest, AsksTheApplicationToClose) {
  const WindowInfo window = terminal("closing");
  ASSERT_OK(windows_.close(window.id));
  EXPECT_TRUE(session_.eventually([&] { return !session_.find_window("closing"); }));
  EXPECT_EQ(windows_.close(window.id).error().code, Code::kNotFound);
  EXPECT_EQ(windows_.focus(window.id, session_.deadline()).error().code, Code::kNotFound);
  EXPECT_EQ(windows_.focus("no id", session_.deadline()).error().code, Code::kNotFound);
}

TEST_F(WindowsTest, TerminatesOnlyTheProcessWithThePidAndStartTime) {
  const WindowInfo window = terminal("doomed");
  EXPECT_EQ(windows_.terminate(window.pid, window.process_start + 1, go_on, session_.deadline()).error().code,
            Code::kNotFound);
  ASSERT_TRUE(session_.find_window("doomed"));
  ASSERT_OK(windows_.terminate(window.pid, window.process_start, go_on, session_.deadline()));
  EXPECT_TRUE(session_.eventually([&] { return !session_.find_window("doomed"); }));
  EXPECT_EQ(windows_.terminate(1, 0, go_on, session_.deadline()).error().code, Code::kInvalidArgument);
}

}  // namespace
}  // namespace da::actuator
