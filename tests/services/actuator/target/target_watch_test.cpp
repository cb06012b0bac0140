// Changes under the pointer and of the focus while a step runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/acted.h"
#include "tests/services/actuator/executor_fixture.h"

namespace da::actuator {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

class TargetWatchTest : public ExecutorTest {
 protected:
  std::uint32_t sent_clicks() {
    const auto inputs = world_->inputs();
    return static_cast<std::uint32_t>(
        std::ranges::count_if(inputs, [](const std::string& input) { return input.starts_with("click "); }));
  }
  Element find(const std::string& name) {
    const auto tree = desktop_->ui_tree().read(std::nullopt, {5000, clock_.now()});
    return *std::ranges::find(tree->elements, name, &Element::name);
  }
  static v1::Action clicks(Point at, unsigned count) {
    v1::Action action = click(at.x, at.y);
    action.mutable_mouse()->set_clicks(count);
    return action;
  }
  v1::Action clicks(const std::string& element, unsigned count) { return clicks(find(element).bounds.center(), count); }
  v1::Action double_ui_click(const std::string& element) {
    shared_.elements.enter_task("task");
    v1::Action action;
    action.mutable_ui_click()->set_element_id(shared_.elements.id_of(find(element).handle));
    action.mutable_ui_click()->set_double_click(true);
    return action;
  }
  // Calls `happens` before each click except the first `spared` ones.
  v1::Outcome run_while(const v1::Action& action, const std::function<void()>& happens, int spared = 1) {
    v1::ExecuteRequest request;
    *request.mutable_action() = action;
    const auto evidence = prepare(action);
    EXPECT_EQ(evidence.problem(), "");
    *request.mutable_grant() = grant(evidence);
    int asked = 0;
    return executor_.execute(request, [&] {
      if (++asked > spared) happens();
      return false;
    });
  }
  void expect_one_click(const v1::Outcome& outcome) {
    EXPECT_EQ(outcome.kind(), v1::Outcome::KIND_INTERRUPTED);
    EXPECT_EQ(outcome.code(), v1::Outcome::CODE_STALE_TARGET) << outcome.message();
    EXPECT_EQ(outcome.done(), 1U);
    EXPECT_GT(outcome.total(), 1U);
    EXPECT_THAT(world_->inputs(), SizeIs(1));
  }
  void rename(const std::string& from, const std::string& to) {
    world_->change([&](auto& windows) {
      for (auto& element : windows.front().elements) {
        if (element.name == from) element.name = to;
      }
    });
  }
  void move_away(const std::string& name) {
    world_->change([&](auto& windows) {
      for (auto& element : windows.front().elements) {
        if (element.name == name) element.bounds.y -= 100;
      }
    });
  }
  // Adds a button on top of the others of the window.
  void cover_with_button(const std::string& name, const Rect& bounds) {
    world_->change([&](auto& windows) {
      auto& elements = windows.front().elements;
      elements.insert(elements.begin(), {.id = name, .role = "push button", .name = name, .bounds = bounds});
    });
  }
};

TEST_F(TargetWatchTest, WindowThatAppearsUnderThePointerGetsNoFurtherClick) {
  expect_one_click(run_while(clicks("Save", 4), [&] {
    world_->open_window("Delete it all?", "/usr/bin/dialog", {0, 0, 1280, 800});
  }));
}

// Regression: the step was reported as interrupted, though it had not started and could be repeated.
TEST_F(TargetWatchTest, WindowThatAppearsBeforeTheFirstClickMakesTheTargetStale) {
  const auto cover = [&] { world_->open_window("Delete it all?", "/usr/bin/dialog", {0, 0, 1280, 800}); };
  for (const v1::Action& action : {clicks("Save", 1), double_ui_click("Save")}) {
    const auto outcome = run_while(action, cover, 0);
    EXPECT_EQ(outcome.kind(), v1::Outcome::KIND_REFUSED);
    EXPECT_EQ(outcome.code(), v1::Outcome::CODE_STALE_TARGET) << outcome.message();
    EXPECT_EQ(outcome.done(), 0U);
    EXPECT_THAT(world_->inputs(), IsEmpty());
    world_->change([](auto& windows) { windows.erase(windows.begin()); });
  }
}

TEST_F(TargetWatchTest, WindowThatAppearsDuringADoubleClickGetsNoSecondClick) {
  expect_one_click(run_while(double_ui_click("Save"), [&] {
    world_->open_window("Delete it all?", "/usr/bin/dialog", {0, 0, 1280, 800});
  }));
}

TEST_F(TargetWatchTest, SecondClickStopsWhenTheFirstClosesTheWindow) {
  expect_one_click(run_while(clicks("Close", 2), [] {}));
}

TEST_F(TargetWatchTest, ElementThatAppearsUnderThePointerGetsNoFurtherClick) {
  const Rect place = find("Save").bounds;
  expect_one_click(run_while(clicks("Save", 4), [&] {
    clock_.advance(Milliseconds(150));
    cover_with_button("Delete", place);
  }));
}

// Bug: a check box took another one's place while the click was prepared, and was checked in its stead.
TEST_F(TargetWatchTest, PlaceWithoutAnElementIsNotClickedAfterItLooksOtherwise) {
  const Rect button = find("Save").bounds;
  const v1::Action beside = clicks(Point{button.x - 4, button.center().y}, 1);
  ASSERT_FALSE(prepare(beside).has_target_element());
  const auto move = [&] { move_away("Save"); };
  const auto refused = run_while(beside, move, 0);
  EXPECT_EQ(refused.kind(), v1::Outcome::KIND_REFUSED);
  EXPECT_EQ(refused.code(), v1::Outcome::CODE_STALE_TARGET) << refused.message();
  EXPECT_THAT(world_->inputs(), IsEmpty());
  const auto rest = [] {};
  EXPECT_EQ(run_while(beside, rest, 0).code(), v1::Outcome::CODE_UNSPECIFIED);
}

TEST_F(TargetWatchTest, DragDoesNotBeginAfterItsFirstPlaceLooksOtherwise) {
  const Rect button = find("Save").bounds;
  v1::Action drag;
  for (const int x : {button.x - 4, button.x - 4 + 60}) {
    auto& point = *drag.mutable_drag()->add_path();
    point.set_x(x);
    point.set_y(button.center().y);
  }
  const auto move = [&] { move_away("Save"); };
  const auto refused = run_while(drag, move, 0);
  EXPECT_EQ(refused.code(), v1::Outcome::CODE_STALE_TARGET) << refused.message();
  EXPECT_THAT(world_->inputs(), IsEmpty());
}

// Bug: the window manager raised the window that was pressed over the place of the drop, and the file went there.
TEST_F(TargetWatchTest, DragIsNotDroppedOnAWindowThatCameOverItsEnd) {
  const Point from = find("Save").bounds.center();
  const Point to{from.x + 200, from.y};
  world_->open_window("Archive", "/usr/bin/files", {to.x - 20, to.y - 20, 100, 100});
  v1::Action drag;
  for (const Point at : {from, to}) {
    auto& point = *drag.mutable_drag()->add_path();
    point.set_x(at.x);
    point.set_y(at.y);
  }
  const auto raise = [&] {
    world_->change([](auto& windows) {
      if (windows.front().title == "Archive") windows.splice(windows.end(), windows, windows.begin());
    });
  };
  const auto stopped = run_while(drag, raise, 1);
  EXPECT_EQ(stopped.kind(), v1::Outcome::KIND_INTERRUPTED);
  EXPECT_EQ(stopped.code(), v1::Outcome::CODE_STALE_TARGET) << stopped.message();
}

TEST_F(TargetWatchTest, RenamedElementGetsNoFurtherClick) {
  expect_one_click(run_while(clicks("Save", 2), [&] {
    clock_.advance(Milliseconds(150));
    rename("Save", "Delete");
  }));
}

TEST_F(TargetWatchTest, ElementThatLeavesThePointIsNotClickedAgain) {
  expect_one_click(run_while(double_ui_click("Save"), [&] {
    clock_.advance(Milliseconds(150));
    world_->change([](auto& windows) {
      for (auto& element : windows.front().elements) element.bounds.x += 200;
    });
  }));
}

TEST_F(TargetWatchTest, WithoutElementsAChangedTitleOrPlaceOfTheWindowStopsClicks) {
  const auto run_on_canvas = [&](const std::function<void(fake::FakeWindow&)>& change) {
    world_->open_window("Canvas", "/usr/bin/canvas", {700, 500, 300, 200});
    const auto before = sent_clicks();
    const auto outcome = run_while(clicks(Point{800, 600}, 2), [&] {
      clock_.advance(Milliseconds(150));
      world_->change([&](auto& windows) { change(windows.front()); });
    });
    EXPECT_EQ(sent_clicks() - before, outcome.done());
    return outcome;
  };
  EXPECT_EQ(run_on_canvas([](auto& window) { window.title = "Another page"; }).code(), v1::Outcome::CODE_STALE_TARGET);
  EXPECT_EQ(run_on_canvas([](auto& window) { window.bounds.x += 1; }).code(), v1::Outcome::CODE_STALE_TARGET);
  EXPECT_EQ(run_on_canvas([](auto&) {}).done(), 2U);
}

TEST_F(TargetWatchTest, SlowClicksOnAnUnchangedTargetAreAllMade) {
  for (const char* element : {"Save", "Name"}) {
    const auto outcome = run_while(clicks(element, 4), [&] { clock_.advance(Milliseconds(1000)); });
    EXPECT_TRUE(test::acted(outcome)) << outcome.message();
    EXPECT_EQ(outcome.done(), 4U);
  }
  EXPECT_EQ(sent_clicks(), 8U);
}

// An application may need more time for its answer than a person between two clicks.
TEST_F(TargetWatchTest, UsualDoubleClickIsNotDelayedByReadingTheElement) {
  const Point at = find("Save").bounds.center();
  const auto outcome = run_while(clicks("Save", 2), [&] {
    clock_.advance(Milliseconds(60));
    rename("Save", "Saved");
  });
  EXPECT_TRUE(test::acted(outcome)) << outcome.message();
  const std::string one = "click " + std::to_string(at.x) + "," + std::to_string(at.y);
  EXPECT_THAT(world_->inputs(), ElementsAre(one, one));
}

TEST_F(TargetWatchTest, NothingIsPastedIfFocusMovesWhileTheClipboardOwnerIsSlow) {
  const auto paste_while_owner = [&](Milliseconds takes, const std::string& focus) {
    world_->when_clipboard_is_taken([this, takes, focus] {
      clock_.advance(takes);
      const std::string field = find(focus).handle.native;
      world_->change([&](auto& windows) { windows.front().focused_element = field; });
    });
    v1::Action action;
    action.mutable_paste()->set_text("a\tb");
    return run(action);
  };
  const auto outcome = paste_while_owner(Milliseconds(2000), "Name");
  EXPECT_EQ(outcome.kind(), v1::Outcome::KIND_INTERRUPTED);
  EXPECT_EQ(outcome.code(), v1::Outcome::CODE_STALE_TARGET) << outcome.message();
  EXPECT_THAT(world_->inputs(), IsEmpty());
  EXPECT_EQ(paste_while_owner(Milliseconds(2000), "Name").kind(), v1::Outcome::KIND_CONFIRMED) << "where it is now";
  EXPECT_EQ(world_->text_of("Name"), "a\tb");
}

}  // namespace
}  // namespace da::actuator
