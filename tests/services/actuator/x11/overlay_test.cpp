// The overlay on an X display, beyond what tests/services/actuator/contract shows: lockers, compositing managers,
// damage.
#include <gmock/gmock.h>
#include <xcb/xcb.h>

#include "services/actuator/desktop/x11/connection.h"
#include "services/actuator/desktop/x11/overlay/text_painter.h"
#include "tests/services/actuator/x11/test_session.h"

namespace da::actuator {
namespace {

using testing::HasSubstr;

const OverlayContent kContent{.driver = "driven by DesktopAssist",
                              .stop_chord = "stop: Ctrl+Shift+Esc",
                              .justification = "because",
                              .question = "",
                              .approval_words = "",
                              .marker = Rect{400, 300, 80, 30}};

class X11OverlayTest : public testing::Test {
 protected:
  std::uint32_t pixel(Point at) {
    const auto asked = xcb_get_image(eyes_->get(), XCB_IMAGE_FORMAT_Z_PIXMAP, eyes_->root(),
                                     static_cast<std::int16_t>(at.x), static_cast<std::int16_t>(at.y), 1, 1, ~0U);
    const auto image = eyes_->reply(xcb_get_image_reply, asked, "look at a pixel");
    EXPECT_TRUE(image) << image.error().message;
    if (!image) return 0;
    const std::uint8_t* bytes = xcb_get_image_data(image->get());
    return std::uint32_t{bytes[2]} << 16 | std::uint32_t{bytes[1]} << 8 | bytes[0];
  }
  bool outline_shows() { return pixel({400 - 3, 310}) == 0xff5a00; }
  // The overlay does not wait until the server has drawn it.
  bool outline_appears() {
    return session_.eventually([this] { return outline_shows(); });
  }
  bool outline_disappears() {
    return session_.eventually([this] { return !outline_shows(); });
  }

  TestSession session_{SessionBus::kWithout};
  Overlay& overlay_ = session_.desktop().overlay();
  std::unique_ptr<x11::Connection> eyes_ = *x11::Connection::open(session_.display(), system_clock());
};

TEST_F(X11OverlayTest, OutlineSurroundsTheTargetWhichStaysFree) {
  const std::uint32_t before = pixel({440, 310});
  ASSERT_OK(overlay_.show(kContent));
  EXPECT_TRUE(outline_appears());
  EXPECT_EQ(pixel({440, 310}), before);
  overlay_.hide();
  EXPECT_TRUE(outline_disappears());
}

// A window manager can put windows on top later.
TEST_F(X11OverlayTest, ComesBackOnTopWhenItsContentChanges) {
  ASSERT_OK(overlay_.show(kContent));
  session_.start("xmessage -center -geometry 1000x700 hello", "xmessage");
  OverlayContent other = kContent;
  other.justification = "because of something else";
  ASSERT_OK(overlay_.show(other));
  EXPECT_TRUE(outline_appears());
  ASSERT_OK(session_.desktop().screen().capture());
  EXPECT_TRUE(outline_appears()) << "after a capture too";
}

TEST_F(X11OverlayTest, IsNotShownUnderACompositingManager) {
  ASSERT_OK(overlay_.show(kContent));
  ASSERT_TRUE(outline_appears());
  // What a compositing manager announces first (EWMH).
  const auto owner = eyes_->create_hidden_window(XCB_WINDOW_CLASS_INPUT_ONLY, 0, 0, "stands for a manager");
  ASSERT_OK(owner);
  const auto selection = eyes_->atom("_NET_WM_CM_S0");
  ASSERT_OK(selection);
  xcb_set_selection_owner(eyes_->get(), *owner, *selection, XCB_CURRENT_TIME);
  ASSERT_OK(eyes_->sync());
  EXPECT_TRUE(session_.eventually([&] {
    (void)session_.desktop().screen().capture();
    return !outline_shows();
  })) << "the next capture ends it";
  const auto shown = overlay_.show(kContent);
  ASSERT_FALSE(shown);
  EXPECT_EQ(shown.error().code, Code::kUnimplemented);
  EXPECT_THAT(shown.error().message, HasSubstr("compositing manager"));
  xcb_set_selection_owner(eyes_->get(), XCB_NONE, *selection, XCB_CURRENT_TIME);
  ASSERT_OK(eyes_->sync());
  ASSERT_OK(overlay_.show(kContent));
  EXPECT_TRUE(outline_appears());
}

TEST_F(X11OverlayTest, IsNotShownOverAScreenLocker) {
  ASSERT_OK(overlay_.show(kContent));
  const auto locker = os::ChildProcess::start({.program = "/usr/bin/i3lock",
                                               .arguments = {"--nofork", "--color=204060"},
                                               .environment = os::current_environment()});
  ASSERT_OK(locker);
  // It shows its window before it takes the keyboard.
  Result<void> shown = ok();
  ASSERT_TRUE(session_.eventually([&] {
    shown = overlay_.show(kContent);
    return !shown;
  }));
  EXPECT_EQ(shown.error().code, Code::kFailedPrecondition);
  EXPECT_EQ(pixel({2, 2}), 0x204060U);
  EXPECT_TRUE(outline_disappears());
}

TEST_F(X11OverlayTest, ServerThatDiesIsAnError) {
  ASSERT_OK(overlay_.show(kContent));
  session_.kill_server();
  OverlayContent other = kContent;
  other.justification = "because of something else";
  const auto shown = overlay_.show(other);
  ASSERT_FALSE(shown);
  EXPECT_EQ(shown.error().code, Code::kUnavailable);
  overlay_.hide();
}

TEST(X11OverlayWithoutComposite, IsNotShown) {
  TestSession session(SessionBus::kWithout, "1280x800x24", {"-extension", "Composite"});
  const auto shown = session.desktop().overlay().show(kContent);
  ASSERT_FALSE(shown);
  EXPECT_EQ(shown.error().code, Code::kUnimplemented);
  EXPECT_THAT(shown.error().message, HasSubstr("Composite"));
  ASSERT_OK(session.desktop().screen().capture());
  const auto quiet = session.desktop().screen().wait_quiet(Milliseconds(50), session.deadline());
  ASSERT_OK(quiet);
  EXPECT_EQ(*quiet, Quiet::kSettled);
}

TEST(TextPainter, DrawsEveryScriptWithinTheCanvas) {
  auto text = x11::TextPainter::open(16);
  ASSERT_OK(text);
  EXPECT_GT((*text)->line_height(), 15);
  for (const char* const line : {"driven", "Gr\u00fc\u00dfe", "\u03b1\u03b2\u03b3", "\u6f22\u5b57", "\u0434\u0430"}) {
    x11::Canvas canvas((*text)->width_of(line), (*text)->line_height(), 0);
    (*text)->draw(line, 0, 0, 0xffffff, canvas);
    EXPECT_GT(std::ranges::count_if(canvas.pixels, [](std::uint32_t pixel) { return pixel != 0; }), 20) << line;
  }
  x11::Canvas tiny(3, 3, 0);
  (*text)->draw("does not fit at all", -5, -5, 0xffffff, tiny);
  (*text)->draw("\xff", 0, 0, 0xffffff, tiny);
}

}  // namespace
}  // namespace da::actuator
