#include <windows.h>

#include "services/actuator/desktop/win32/windows/window_facts.h"
#include "tests/services/actuator/win32/stage.h"

namespace da::actuator {
namespace {

class Win32WindowsTest : public ::testing::Test {
 protected:
  Stage stage_;
  Windows& windows_ = stage_.desktop().windows();
};

TEST_F(Win32WindowsTest, AWindowIsListedWithItsProcess) {
  const WindowInfo window = stage_.start_target("input");
  EXPECT_EQ(window.title, "Target é input");
  EXPECT_TRUE(window.owner_is_known());
  EXPECT_TRUE(window.executable.ends_with("win32_target.exe")) << window.executable;
  EXPECT_NE(window.process_start, 0U);
  EXPECT_EQ(window.bounds.width, 900);
  EXPECT_EQ(window.kind, WindowKind::kMain);
  const auto foreground = windows_.foreground();
  ASSERT_OK(foreground);
  ASSERT_TRUE(foreground->has_value());
  EXPECT_EQ((*foreground)->id, window.id);
}

TEST_F(Win32WindowsTest, TheListGoesFromFrontToBack) {
  stage_.start_target("input");
  stage_.start_target("dialog");
  const auto list = windows_.list();
  ASSERT_OK(list);
  ASSERT_GE(list->size(), 2U);
  EXPECT_EQ((*list)[0].title, "Target é dialog");
  EXPECT_EQ((*list)[1].title, "Target é input");
}

TEST_F(Win32WindowsTest, FocusBringsAWindowToTheFront) {
  const WindowInfo below = stage_.start_target("input");
  const WindowInfo above = stage_.start_target("dialog");
  ASSERT_OK(windows_.focus(below.id, stage_.deadline()));
  EXPECT_EQ((*windows_.foreground())->id, below.id);
  ASSERT_OK(windows_.focus(above.id, stage_.deadline()));
  EXPECT_EQ((*windows_.foreground())->id, above.id);
}

TEST_F(Win32WindowsTest, FocusRestoresAMinimizedWindow) {
  const WindowInfo window = stage_.start_target("input");
  ::ShowWindowAsync(*win32::window_of_id(window.id), SW_MINIMIZE);
  ASSERT_TRUE(stage_.eventually([&] { return stage_.window_now(window.id)->minimized; }));
  ASSERT_OK(windows_.focus(window.id, stage_.deadline()));
  EXPECT_FALSE(stage_.window_now(window.id)->minimized);
}

TEST_F(Win32WindowsTest, TheWindowAtAPointIsTheFrontMostOne) {
  const WindowInfo below = stage_.start_target("input");
  const WindowInfo above = stage_.start_target("dialog");
  EXPECT_EQ((*windows_.window_at(above.bounds.center()))->id, above.id);
  EXPECT_EQ((*windows_.window_at({below.bounds.right() - 30, below.bounds.bottom() - 30}))->id, below.id);
  EXPECT_FALSE((*windows_.window_at({1, 799})).has_value());
}

// WindowFromPoint would tell the window behind it, which a click does not reach.
TEST_F(Win32WindowsTest, ADisabledWindowIsStillTheOneAtItsPoints) {
  stage_.start_target("input");
  const WindowInfo above = stage_.start_target("dialog");
  ::EnableWindow(*win32::window_of_id(above.id), FALSE);
  EXPECT_EQ((*windows_.window_at(above.bounds.center()))->id, above.id);
}

TEST_F(Win32WindowsTest, CloseAsksTheApplication) {
  const WindowInfo window = stage_.start_target("input");
  ASSERT_OK(windows_.close(window.id));
  EXPECT_TRUE(stage_.eventually([&] { return !stage_.window_now(window.id); }));
  EXPECT_NE(read_file(stage_.file("log")).find("close"), std::string::npos);
  EXPECT_EQ(windows_.close(window.id).error().code, Code::kNotFound);
  EXPECT_EQ(windows_.focus(window.id, stage_.deadline()).error().code, Code::kNotFound);
}

TEST_F(Win32WindowsTest, TerminateEndsExactlyTheProcessThatWasMeant) {
  const WindowInfo window = stage_.start_target("input");
  EXPECT_EQ(windows_.terminate(window.pid, window.process_start + 1, go_on, stage_.deadline()).error().code,
            Code::kNotFound);
  EXPECT_TRUE(stage_.window_now(window.id));
  ASSERT_OK(windows_.terminate(window.pid, window.process_start, go_on, stage_.deadline()));
  EXPECT_TRUE(stage_.eventually([&] { return !stage_.window_now(window.id); }));
  EXPECT_EQ(windows_.terminate(window.pid, window.process_start, go_on, stage_.deadline()).error().code,
            Code::kNotFound);
}

TEST_F(Win32WindowsTest, TerminateAsksTheWindowsToCloseFirst) {
  const WindowInfo window = stage_.start_target("input");
  const auto ending = windows_.terminate(window.pid, window.process_start, go_on, stage_.deadline());
  ASSERT_OK(ending);
  EXPECT_EQ(*ending, Ending::kClosed);
  EXPECT_NE(read_file(stage_.file("log")).find("close"), std::string::npos);
}

TEST_F(Win32WindowsTest, TerminateKillsAProgramThatDoesNotClose) {
  const WindowInfo window = stage_.start_target("stay");
  const MonoTime begin = system_clock().now();
  const auto ending = windows_.terminate(window.pid, window.process_start, go_on, stage_.deadline());
  ASSERT_OK(ending);
  EXPECT_EQ(*ending, Ending::kKilled);
  EXPECT_GE(system_clock().now() - begin, Milliseconds(2'000));
  EXPECT_NE(read_file(stage_.file("log")).find("close"), std::string::npos);
  EXPECT_FALSE(stage_.window_now(window.id));
}

TEST_F(Win32WindowsTest, TerminateKillsAHungProgram) {
  const WindowInfo window = stage_.start_hung_target();
  const auto ending = windows_.terminate(window.pid, window.process_start, go_on, stage_.deadline());
  ASSERT_OK(ending);
  EXPECT_EQ(*ending, Ending::kKilled);
}

TEST_F(Win32WindowsTest, StopWhileTheWindowsCloseKillsNothing) {
  const WindowInfo window = stage_.start_target("stay");
  int calls = 0;
  const Checkpoint stop = [&]() -> Result<void> {
    if (++calls < 5) return ok();
    return Error{Code::kCancelled, "stopped"};
  };
  EXPECT_EQ(windows_.terminate(window.pid, window.process_start, stop, stage_.deadline()).error().code,
            Code::kCancelled);
  EXPECT_TRUE(stage_.window_now(window.id));
}

TEST_F(Win32WindowsTest, TheActuatorDoesNotTerminateItself) {
  EXPECT_EQ(windows_.terminate(::GetCurrentProcessId(), 1, go_on, stage_.deadline()).error().code,
            Code::kInvalidArgument);
}

// A window of this process in front of all others.
class FrontWindow {
 public:
  explicit FrontWindow(DWORD extended)
      : window_(::CreateWindowExW(WS_EX_TOPMOST | extended, L"Static", L"Front", WS_POPUP | WS_VISIBLE, kPlace.x,
                                  kPlace.y, kPlace.width, kPlace.height, nullptr, nullptr, nullptr, nullptr)) {}
  ~FrontWindow() { ::DestroyWindow(window_); }
  FrontWindow(const FrontWindow&) = delete;
  FrontWindow& operator=(const FrontWindow&) = delete;

  static constexpr Rect kPlace{200, 200, 300, 200};
  HWND get() const { return window_; }
  bool takes_clicks_at(Desktop& desktop, Point at) const {
    const auto areas = desktop.state().click_areas(desktop.windows().list().value());
    const auto first = std::ranges::find_if(*areas, [&](const ClickArea& area) { return area.contains(at); });
    return first != areas->end() && first->window.id == win32::id_of_window(window_);
  }

 private:
  const HWND window_;
};

TEST_F(Win32WindowsTest, AShapedWindowTakesClicksOnlyInItsShape) {
  const FrontWindow front(0);
  const Point left{210, 300};
  const Point right{490, 300};
  EXPECT_TRUE(front.takes_clicks_at(stage_.desktop(), left));
  EXPECT_TRUE(front.takes_clicks_at(stage_.desktop(), right));
  ::SetWindowRgn(front.get(), ::CreateRectRgn(0, 0, 100, FrontWindow::kPlace.height), FALSE);
  EXPECT_TRUE(front.takes_clicks_at(stage_.desktop(), left));
  EXPECT_FALSE(front.takes_clicks_at(stage_.desktop(), right));
}

TEST_F(Win32WindowsTest, AWindowThatPassesClicksOnTakesNone) {
  const FrontWindow front(WS_EX_LAYERED | WS_EX_TRANSPARENT);
  EXPECT_FALSE(front.takes_clicks_at(stage_.desktop(), FrontWindow::kPlace.center()));
}

TEST_F(Win32WindowsTest, AHungWindowDelaysNoList) {
  const WindowInfo window = stage_.start_hung_target();
  const MonoTime begin = system_clock().now();
  const auto list = windows_.list();
  ASSERT_OK(list);
  EXPECT_LT(system_clock().now() - begin, Milliseconds(1000));
  EXPECT_EQ(list->front().title, "Target é hang");
}

}  // namespace
}  // namespace da::actuator
