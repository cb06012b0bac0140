// The overlay's window where Windows cannot keep it out of captures, as under Wine: there a capture shows what it
// draws.
#include "services/actuator/desktop/win32/overlay/win32_overlay.h"

#include "services/actuator/desktop/win32/windows/window_facts.h"
#include "tests/services/actuator/win32/stage.h"

namespace da::actuator {
namespace {

std::uint32_t colour_at(const FrameView& frame, Point at) {
  const std::uint8_t* pixel = frame.data + static_cast<std::size_t>(at.y - frame.area.y) * frame.stride +
                              static_cast<std::size_t>(at.x - frame.area.x) * 4;
  return (std::uint32_t{pixel[2]} << 16) | (std::uint32_t{pixel[1]} << 8) | pixel[0];
}

class Win32OverlayTest : public ::testing::Test {
 protected:
  OverlayContent content() const {
    return {.driver = "driven by DesktopAssist",
            .stop_chord = "stop: Ctrl+Shift+Esc",
            .justification = "Gr\u00fc\u00dfe \u6f22\u5b57",
            .question = "delete /tmp/a",
            .approval_words = "lusab babad gutih tugad",
            .marker = marker_};
  }
  std::uint32_t pixel(Point at) {
    const auto frame = screen_.capture();
    return frame ? colour_at(*frame, at) : 0;
  }

  Stage stage_;
  Screen& screen_ = stage_.desktop().screen();
  WindowInfo window_ = stage_.start_target("input");
  Rect marker_{window_.bounds.x + 100, window_.bounds.y + 150, 80, 40};
  Point on_outline_{marker_.x - 3, marker_.center().y};
  std::unique_ptr<win32::Win32Overlay> overlay_ = win32::Win32Overlay::open(screen_, [](HWND) { return ok(); });
};

TEST_F(Win32OverlayTest, DrawsBannerAndOutlineUntilItIsHidden) {
  const std::uint32_t before = pixel(on_outline_);
  ASSERT_OK(overlay_->show(content()));
  EXPECT_TRUE(stage_.eventually([&] { return pixel(on_outline_) == kMarkerColour; }));
  const Rect desktop = screen_.layout()->desktop;
  EXPECT_TRUE(stage_.eventually([&] { return pixel({desktop.center().x, desktop.y + 5}) == kBannerColour; }));
  EXPECT_EQ(pixel(marker_.center()), before) << "the target itself stays free";
  overlay_->hide();
  EXPECT_TRUE(stage_.eventually([&] { return pixel(on_outline_) == before; }));
}

TEST_F(Win32OverlayTest, IsNoWindowToTheOtherRoles) {
  ASSERT_OK(overlay_->show(content()));
  const std::string id = win32::id_of_window(overlay_->window());
  const auto windows = stage_.desktop().windows().list();
  ASSERT_OK(windows);
  for (const WindowInfo& each : *windows) EXPECT_NE(each.id, id);
  const auto below = stage_.desktop().windows().window_at(on_outline_);
  ASSERT_OK(below);
  ASSERT_TRUE(*below);
  EXPECT_EQ((*below)->id, window_.id);
  const auto foreground = stage_.desktop().windows().foreground();
  ASSERT_OK(foreground);
  ASSERT_TRUE(*foreground);
  EXPECT_EQ((*foreground)->id, window_.id);
}

TEST_F(Win32OverlayTest, ClicksReachTheWindowBelow) {
  ASSERT_OK(overlay_->show(content()));
  stage_.forget_events();
  ASSERT_FALSE(stage_.desktop().input().click(on_outline_, Button::kLeft, 1, Milliseconds(0), go_on).stopped);
  EXPECT_TRUE(stage_.eventually([&] { return !stage_.events("d").empty(); }));
}

TEST_F(Win32OverlayTest, IsNotShownWhereItWouldBeInCaptures) {
  const auto refused = win32::Win32Overlay::open(screen_, [](HWND) {
    return Error{Code::kUnimplemented, "this Windows cannot"};
  });
  const auto shown = refused->show(content());
  ASSERT_FALSE(shown);
  EXPECT_EQ(shown.error().code, Code::kUnimplemented);
  EXPECT_EQ(refused->window(), nullptr);
  refused->hide();
}

}  // namespace
}  // namespace da::actuator
