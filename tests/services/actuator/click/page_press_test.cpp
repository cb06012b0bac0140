// Clicks in web pages that bring a frame of another site under the pointer, on the fake desktop.
#include <gmock/gmock.h>

#include "tests/services/actuator/executor_fixture.h"

namespace da::actuator {
namespace {

using testing::Contains;
using testing::Not;

const Rect kButton{20, 60, 120, 20};
const Rect kAway{300, 200, 120, 20};

class PagePressTest : public ExecutorTest {
 protected:
  PagePressTest() {
    window_ = world_->open_window("Shop", "/usr/bin/browser", {0, 0, 600, 400});
    page_ = add({.role = "document web", .name = "Shop", .bounds = {0, 380, 600, 20}, .inert = true});
    next_ = add({.parent = page_, .role = "push button", .name = "Next", .bounds = kButton});
    world_->change([](auto& windows) { windows.front().acts_by_pointer_alone = true; });
  }

  std::string add(fake::FakeElement element) { return world_->add_element(window_, std::move(element)); }
  void add_frame() {
    frame_ = add({.parent = page_, .role = "document web", .name = "Bank", .bounds = kAway, .inert = true});
    pay_ = add({.parent = frame_, .role = "push button", .name = "Pay", .bounds = kAway});
  }
  // Before all others, so that it is in front of them.
  static void bring_frame(fake::FakeWindow& window) {
    for (const char* name : {"Bank", "Pay"}) {
      const auto found = std::ranges::find(window.elements, name, &fake::FakeElement::name);
      found->bounds = kButton;
      std::rotate(window.elements.begin(), found, found + 1);
    }
  }
  v1::Outcome click_next() {
    shared_.elements.enter_task("task");
    v1::Action action;
    action.mutable_ui_click()->set_element_id(shared_.elements.id_of({next_}));
    return run(action);
  }
  std::vector<std::string> received() { return world_->received_by("Shop"); }

  std::string window_, page_, next_, frame_, pay_;
};

TEST_F(PagePressTest, PressThatFocusesTheElementIsReleasedThere) {
  add_frame();
  world_->when_pressed([this](fake::FakeWindow& window) { window.focused_element = next_; });
  click_next();
  EXPECT_THAT(received(), Contains("pressed Next"));
}

TEST_F(PagePressTest, PressThatFocusesAnotherFrameIsReleasedElsewhere) {
  add_frame();
  world_->when_pressed([this](fake::FakeWindow& window) { window.focused_element = pay_; });
  const auto outcome = click_next();
  EXPECT_EQ(outcome.kind(), v1::Outcome::KIND_INTERRUPTED);
  EXPECT_EQ(outcome.code(), v1::Outcome::CODE_STALE_TARGET);
  EXPECT_THAT(received(), Not(Contains("pressed Next")));
}

// A page may give the focus to its own button, although the press went elsewhere.
TEST_F(PagePressTest, FrameThatCameIsNotClickedEvenIfThePageFocusesItsOwnButton) {
  add_frame();
  world_->when_pressed([this](fake::FakeWindow& window) {
    bring_frame(window);
    window.focused_element = next_;
  });
  EXPECT_EQ(click_next().kind(), v1::Outcome::KIND_INTERRUPTED);
  EXPECT_THAT(received(), Not(Contains("pressed Pay")));
}

// A part of a page may call itself a document.
TEST_F(PagePressTest, FocusThatLeavesAPartOfThePageForThePageItselfIsNoOtherFrame) {
  const auto dialog =
      add({.parent = page_, .role = "document frame", .name = "Dialog", .bounds = kAway, .inert = true});
  next_ = add({.parent = dialog, .role = "push button", .name = "Understood", .bounds = kAway});
  world_->change([&](auto& windows) {
    auto& elements = windows.front().elements;
    std::rotate(elements.begin(), elements.end() - 1, elements.end());
  });
  world_->when_pressed([this](fake::FakeWindow& window) { window.focused_element = page_; });
  click_next();
  EXPECT_THAT(received(), Contains("pressed Understood"));
}

TEST_F(PagePressTest, FrameThatCameWithoutTheFocusGetsNoClick) {
  add_frame();
  world_->when_pressed([](fake::FakeWindow& window) { bring_frame(window); });
  EXPECT_EQ(click_next().kind(), v1::Outcome::KIND_INTERRUPTED);
  EXPECT_THAT(received(), Not(Contains("pressed Pay")));
}

// A page may keep the focus where it is, as a toolbar of an editor does.
TEST_F(PagePressTest, PressThatMovesNoFocusIsReleasedThereIfNoFrameCame) {
  for (const bool framed : {false, true}) {
    if (framed) add_frame();
    click_next();
    EXPECT_EQ(std::ranges::count(received(), "pressed Next"), framed ? 2 : 1);
  }
}

TEST_F(PagePressTest, ClickAtAPlaceIsGuardedToo) {
  add_frame();
  world_->when_pressed([this](fake::FakeWindow& window) { window.focused_element = pay_; });
  const auto outcome = run(click(kButton.center().x, kButton.center().y));
  EXPECT_EQ(outcome.kind(), v1::Outcome::KIND_INTERRUPTED) << outcome.message();
  EXPECT_THAT(received(), Not(Contains("pressed Next")));
}

}  // namespace
}  // namespace da::actuator
