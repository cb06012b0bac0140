#include <gmock/gmock.h>

#include <thread>

#include "tests/services/actuator/contract/stage.h"

namespace da::actuator::contract {
namespace {

std::string all_pixels(const FrameView& view) {
  std::string pixels;
  for (int y = 0; y < view.area.height; ++y) {
    for (int x = 0; x < view.area.width; ++x) {
      const std::uint8_t* pixel =
          view.data + static_cast<std::size_t>(y) * view.stride + static_cast<std::size_t>(x) * 4;
      pixels.append(reinterpret_cast<const char*>(pixel), 3);
    }
  }
  return pixels;
}

class OverlayContract : public ContractTest {
 protected:
  void SetUp() override {
    // A caret that blinks would change the pixels.
    target_ = stage_->open_target("Below");
    ASSERT_DONE(desktop_.input().move({target_.pad.x + 2, target_.pad.y + 2}));
    if (stage_->has_overlay()) return;
    const auto shown = overlay_.show(content("click"));
    ASSERT_FALSE(shown);
    ASSERT_EQ(shown.error().code, Code::kUnimplemented) << shown.error().message;
  }
  void TearDown() override { overlay_.hide(); }

  OverlayContent content(const std::string& justification) const {
    return {.driver = "driven by DesktopAssist",
            .stop_chord = "stop: Ctrl+Shift+Esc",
            .justification = justification,
            .question = "delete /tmp/a",
            .approval_words = "lusab babad gutih tugad",
            .marker = target_.pad};
  }
  // Has no effect where the desktop has no overlay: the tests then show that it changes nothing.
  void show(const std::string& justification) {
    const auto shown = overlay_.show(content(justification));
    ASSERT_EQ(shown.has_value(), stage_->has_overlay()) << (shown ? "" : shown.error().message);
  }
  std::string capture() {
    const auto view = desktop_.screen().capture();
    EXPECT_TRUE(view) << view.error().message;
    return view ? all_pixels(*view) : "";
  }
  // Repeats what compares two looks, because the target's caret blinks.
  bool eventually(const std::function<bool()>& condition) { return stage_->eventually(condition); }

  Overlay& overlay_ = desktop_.overlay();
};

TEST_F(OverlayContract, PersonSeesItUntilItIsHidden) {
  if (!stage_->has_overlay()) return SUCCEED() << "SetUp() has checked that it is refused";
  EXPECT_TRUE(eventually([&] {
    overlay_.hide();
    const std::string without = stage_->seen_by_person();
    show("because it is needed");
    const std::string with = stage_->seen_by_person();
    show("because of something else");
    const std::string other = stage_->seen_by_person();
    overlay_.hide();
    return without != with && with != other && stage_->seen_by_person() == without;
  }));
}

TEST_F(OverlayContract, NoCaptureHasIt) {
  EXPECT_TRUE(eventually([&] {
    overlay_.hide();
    const std::string without = capture();
    show("because it is needed");
    return capture() == without;
  }));
  const std::string seen = stage_->seen_by_person();
  EXPECT_TRUE(eventually([&] {
    overlay_.hide();
    const auto before = desktop_.screen().capture_area(target_.window.bounds);
    const std::string without = before ? all_pixels(*before) : "failed";
    show("because it is needed");
    const auto now = desktop_.screen().capture_area(target_.window.bounds);
    return now && all_pixels(*now) == without;
  }));
  EXPECT_TRUE(eventually([&] { return stage_->seen_by_person() == seen; })) << "it shows again after a capture";
}

TEST_F(OverlayContract, ClicksReachTheWindowBelow) {
  show("because it is needed");
  const Rect marked = target_.pad;
  const Point edge{marked.x - 3, marked.center().y};  // Below the outline.
  const auto below = desktop_.windows().window_at(edge);
  ASSERT_DONE(below);
  ASSERT_TRUE(*below);
  EXPECT_EQ((*below)->id, target_.window.id);
  ASSERT_FALSE(desktop_.input().click(marked.center(), Button::kLeft, 1, Milliseconds(0), go_on).stopped);
  EXPECT_TRUE(eventually([&] {
    const auto received = stage_->received("Below");
    return std::ranges::find(received, "press left " + at(marked.center())) != received.end();
  }));
}

TEST_F(OverlayContract, IsNoWindowOfTheDesktop) {
  const auto ids = [&] {
    std::vector<std::string> found;
    const auto windows = desktop_.windows().list();
    EXPECT_TRUE(windows);
    for (const WindowInfo& window : *windows) found.push_back(window.id);
    return found;
  };
  const auto before = ids();
  const auto foreground = desktop_.windows().foreground();
  show("because it is needed");
  EXPECT_EQ(ids(), before);
  const auto now = desktop_.windows().foreground();
  ASSERT_DONE(now);
  ASSERT_TRUE(foreground && *foreground && *now);
  EXPECT_EQ((*now)->id, (*foreground)->id);
  const auto obstacle = desktop_.session().obstacle();
  ASSERT_DONE(obstacle);
  EXPECT_FALSE(obstacle->has_value());
}

TEST_F(OverlayContract, ScreenIsAtRestWhileItChanges) {
  ASSERT_DONE(desktop_.screen().wait_quiet(Milliseconds(300), stage_->deadline()));
  std::jthread changes([&](const std::stop_token& stop) {
    for (int i = 0; !stop.stop_requested(); ++i) {
      show("change " + std::to_string(i));
      std::this_thread::sleep_for(Milliseconds(20));
      if (i % 5 == 4) overlay_.hide();
    }
  });
  // Captures of another thread hide and show it as well.
  std::jthread captures([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      EXPECT_TRUE(desktop_.screen().capture());
      std::this_thread::sleep_for(Milliseconds(20));
    }
  });
  const auto quiet = desktop_.screen().wait_quiet(Milliseconds(200), stage_->deadline());
  ASSERT_DONE(quiet);
  EXPECT_EQ(*quiet, Quiet::kSettled);
}

TEST_F(OverlayContract, ChangesBelowItAreStillSeen) {
  show("because it is needed");
  ASSERT_DONE(desktop_.screen().wait_quiet(Milliseconds(200), stage_->deadline()));
  const std::string before = capture();
  ASSERT_FALSE(desktop_.input().type(U"text below the overlay", Milliseconds(0), go_on).stopped);
  EXPECT_TRUE(eventually([&] { return capture() != before; }));
}

TEST_F(OverlayContract, AnyPlaceOfTheTargetIsTaken) {
  if (!stage_->has_overlay()) return SUCCEED() << "SetUp() has checked that it is refused";
  const Rect desktop = desktop_.screen().layout()->desktop;
  for (const Rect& marker : {desktop, Rect{-500, -500, 20, 20}, Rect{desktop.right() - 3, desktop.bottom() - 3, 50, 50},
                             Rect{desktop.x, desktop.y, 1, 1}, Rect{40, 40, 0, 0}, Rect{-9000, -9000, 20000, 20000}}) {
    OverlayContent odd = content("odd");
    odd.marker = marker;
    ASSERT_DONE(overlay_.show(odd));
    ASSERT_DONE(desktop_.screen().capture());
  }
}

}  // namespace
}  // namespace da::actuator::contract
