#include <gmock/gmock.h>

#include <algorithm>

#include "tests/services/actuator/contract/stage.h"

namespace da::actuator::contract {
namespace {

class DesktopStateContract : public ContractTest {
 protected:
  std::vector<ClickArea> click_areas() {
    const auto listed = desktop_.windows().list();
    if (!listed) return {};
    auto areas = state_.click_areas(*listed);
    return areas ? *std::move(areas) : std::vector<ClickArea>();
  }
  // The window that gets a click at this point.
  std::string clicked_at(Point at) {
    for (const ClickArea& area : click_areas()) {
      if (area.contains(at)) return area.window.title;
    }
    return "";
  }

  DesktopState& state_ = desktop_.state();
};

TEST_F(DesktopStateContract, ActiveWindowGetsTheKeys) {
  ASSERT_DONE(state_.key_receiver());
  const KeyReceiver receiver = state_.key_receiver().value();
  ASSERT_TRUE(receiver.window);
  EXPECT_EQ(receiver.window->id, target_.window.id);
  EXPECT_EQ(receiver.unknown, "");
  EXPECT_FALSE(receiver.took_keyboard);
  EXPECT_TRUE(state_.still_receives(receiver).value());
}

TEST_F(DesktopStateContract, ReceiverChangesWithTheFocus) {
  const KeyReceiver first = state_.key_receiver().value();
  const Target second = stage_->open_target("Second");
  EXPECT_FALSE(state_.still_receives(first).value());
  EXPECT_EQ(state_.key_receiver()->window->id, second.window.id);
}

TEST_F(DesktopStateContract, WindowThatTookTheKeyboardIsTheReceiver) {
  const KeyReceiver before = state_.key_receiver().value();
  if (!stage_->open_launcher()) return;
  EXPECT_EQ(desktop_.windows().foreground().value()->id, target_.window.id) << "the active window stays";
  const KeyReceiver now = state_.key_receiver().value();
  ASSERT_TRUE(now.window) << now.unknown;
  EXPECT_TRUE(now.took_keyboard);
  EXPECT_NE(now.window->pid, target_.window.pid);
  EXPECT_FALSE(state_.still_receives(before).value());
  EXPECT_TRUE(state_.still_receives(now).value());
}

TEST_F(DesktopStateContract, ClickGoesToTheFirstAreaAtItsPoint) {
  const Target second = stage_->open_target("Second");
  EXPECT_EQ(clicked_at(second.pad.center()), "Second");
  ASSERT_DONE(desktop_.windows().focus(target_.window.id, stage_->deadline()));
  EXPECT_EQ(clicked_at(target_.pad.center()), "Target");
  for (const Point at : {target_.pad.center(), second.pad.center()}) {
    EXPECT_EQ(clicked_at(at), desktop_.windows().window_at(at).value()->title) << "both ask the desktop itself";
  }
}

TEST_F(DesktopStateContract, UnmanagedWindowTakesClicksToo) {
  if (!stage_->open_launcher()) return;
  const Rect desktop = desktop_.screen().layout()->desktop;
  const Point corner{desktop.x + 5, desktop.y + 5};
  const auto areas = click_areas();
  const auto found = std::ranges::find_if(areas, [&](const ClickArea& area) { return area.contains(corner); });
  ASSERT_NE(found, areas.end());
  EXPECT_FALSE(found->listed);
  EXPECT_EQ(found->owner_id, "");
}

TEST_F(DesktopStateContract, OpenMenuGrabsTheClicks) {
  EXPECT_TRUE(std::ranges::none_of(click_areas(), &ClickArea::grabs_clicks));
  if (!stage_->open_menu()) return;
  const auto areas = click_areas();
  EXPECT_EQ(std::ranges::count(areas, true, &ClickArea::grabs_clicks), 1);
  const auto menu = std::ranges::find(areas, true, &ClickArea::grabs_clicks);
  ASSERT_NE(menu, areas.end());
  EXPECT_FALSE(menu->listed);
}

TEST_F(DesktopStateContract, UnmanagedWindowWithoutAGrabLeavesTheClicksBesideIt) {
  if (!stage_->open_launcher()) return;
  EXPECT_TRUE(std::ranges::none_of(click_areas(), &ClickArea::grabs_clicks));
}

TEST_F(DesktopStateContract, ModalDialogBlocksItsWindowAlone) {
  stage_->open_target("Second");
  stage_->open_dialog("Target");
  const auto windows = desktop_.windows().list();
  ASSERT_DONE(windows);
  const auto dialog = std::ranges::find(*windows, "Question", &WindowInfo::title);
  ASSERT_NE(dialog, windows->end());
  for (const WindowInfo& window : *windows) {
    EXPECT_EQ(window.blocked_by, window.title == "Target" ? dialog->id : "") << window.title;
  }
}

}  // namespace
}  // namespace da::actuator::contract
