// Clicks on elements by name, through the executor, on the fake desktop.
#include <gmock/gmock.h>

#include "services/actuator/click/own_action.h"
#include "tests/acted.h"
#include "tests/services/actuator/executor_fixture.h"

namespace da::actuator {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Not;
using testing::StartsWith;

class ElementClickTest : public ExecutorTest {
 protected:
  ElementClickTest() {
    window_ = world_->open_window("Files", "/usr/bin/files", {0, 0, 400, 300});
    for (int i = 0; i < 40; ++i) {
      world_->add_element(window_, {.role = "table cell",
                                    .name = "row " + std::to_string(i),
                                    .bounds = {10, 20 + 20 * i, 200, 20},
                                    .selectable = true,
                                    .viewport = {10, 20, 200, 200}});
    }
  }

  v1::Action click_on(const std::string& name) {
    shared_.elements.enter_task("task");
    const auto tree = desktop_->ui_tree().read(std::nullopt, {5000, clock_.now()});
    const auto found = std::ranges::find(tree->elements, name, &Element::name);
    EXPECT_NE(found, tree->elements.end());
    v1::Action action;
    action.mutable_ui_click()->set_element_id(shared_.elements.id_of(found->handle));
    return action;
  }
  void change_row(const std::string& name, const std::function<void(fake::FakeElement&)>& change) {
    world_->change([&](auto& windows) {
      for (auto& element : windows.front().elements)
        if (element.name == name) change(element);
    });
  }
  std::vector<std::string> selected() {
    std::vector<std::string> names;
    world_->change([&](auto& windows) {
      for (auto& element : windows.front().elements)
        if (element.selected) names.push_back(element.name);
    });
    return names;
  }

  std::string window_;
};

TEST(OwnAction, MeansAClickForButtonsAndMenuItemsOnly) {
  for (const char* role : {"push button", "check box", "radio button", "menu item", "link"})
    EXPECT_TRUE(own_action_means_click(role)) << role;
  for (const char* role : {"table cell", "list item", "tree item", "table row", "page tab", "icon", "combo box",
                           "table column header", "text", "label", ""})
    EXPECT_FALSE(own_action_means_click(role)) << role;
}

// Bug: "done", but the click had only closed the menu.
TEST_F(ElementClickTest, OpenMenuTakesTheClickBesideIt) {
  const v1::Action action = click_on("row 3");
  world_->open_window("", "/usr/bin/files", {500, 20, 100, 80});
  world_->change([](auto& windows) {
    windows.front().unmanaged = true;
    windows.front().grabs_clicks = true;
  });
  const auto outcome = run(action);
  EXPECT_EQ(outcome.kind(), v1::Outcome::KIND_REFUSED);
  EXPECT_THAT(outcome.message(), testing::HasSubstr("a menu is open"));
  EXPECT_THAT(world_->inputs(), testing::IsEmpty());
}

// Regression: the cell's accessibility action ran on the row that was selected before.
TEST_F(ElementClickTest, RowIsClickedWithThePointerAndConfirmedOnceItIsSelected) {
  const auto outcome = run(click_on("row 3"));
  EXPECT_EQ(outcome.kind(), v1::Outcome::KIND_CONFIRMED) << outcome.message();
  EXPECT_THAT(selected(), ElementsAre("row 3"));
  EXPECT_THAT(world_->inputs(), Not(Contains(StartsWith("invoke"))));
}

// Regression: a page's script carried out the click, and the step failed as without effect.
TEST_F(ElementClickTest, ClickOnAnItemThatItsPageDoesNotSelectIsDispatched) {
  const auto page = world_->add_element(window_, {.role = "document web", .bounds = {0, 0, 400, 300}});
  const auto tree = world_->add_element(window_, {.parent = page, .role = "tree", .bounds = {0, 0, 400, 300}});
  change_row("row 3", [&](fake::FakeElement& row) {
    row.parent = tree;
    row.selects = "no row";
  });
  const auto outcome = run(click_on("row 3"));
  EXPECT_TRUE(test::acted(outcome)) << outcome.message();
  EXPECT_EQ(outcome.message(), "it was clicked, but is not selected");
}

TEST_F(ElementClickTest, ClickThatSelectsAnotherRowHasNoEffect) {
  change_row("row 3", [](fake::FakeElement& row) { row.selects = "row 4"; });
  const auto outcome = run(click_on("row 3"));
  EXPECT_EQ(outcome.kind(), v1::Outcome::KIND_NO_EFFECT) << outcome.message();
}

TEST_F(ElementClickTest, DoubleAndRightClicksGoToTheSameElement) {
  auto action = click_on("row 3");
  action.mutable_ui_click()->set_double_click(true);
  EXPECT_TRUE(test::acted(run(action)));
  action.mutable_ui_click()->clear_double_click();
  action.mutable_ui_click()->set_button(v1::MOUSE_BUTTON_RIGHT);
  EXPECT_TRUE(test::acted(run(action)));
  EXPECT_THAT(world_->inputs(), ElementsAre("click 110,90", "click 110,90", "click 110,90"));
}

TEST_F(ElementClickTest, HeldKeysArePressedBeforeTheClickAndReleasedAfterIt) {
  auto action = click_on("row 3");
  action.mutable_ui_click()->set_hold(v1::HELD_KEYS_CTRL_SHIFT);
  EXPECT_TRUE(test::acted(run(action)));
  EXPECT_THAT(world_->inputs(), ElementsAre("hold ctrl", "hold shift", "move 110,90", "down 110,90", "up 110,90"));
  EXPECT_FALSE(desktop_->input().release_all()) << "nothing is held any more";
}

TEST_F(ElementClickTest, PartlyVisibleRowIsClickedOnItsVisiblePart) {
  change_row("row 9", [](fake::FakeElement& row) { row.bounds = {10, 204, 200, 60}; });
  EXPECT_EQ(run(click_on("row 9")).kind(), v1::Outcome::KIND_CONFIRMED);
  EXPECT_THAT(world_->inputs(), ElementsAre("move 110,212", "down 110,212", "up 110,212"));
}

TEST_F(ElementClickTest, RowBelowTheFoldIsScrolledToByTheWheelAndThenClicked) {
  const auto outcome = run(click_on("row 35"));
  EXPECT_EQ(outcome.kind(), v1::Outcome::KIND_CONFIRMED) << outcome.message();
  EXPECT_THAT(selected(), ElementsAre("row 35"));
  EXPECT_THAT(world_->inputs(), Contains("scroll 110,120"));
}

TEST_F(ElementClickTest, ApplicationThatCanScrollToAnElementIsAskedTo) {
  world_->change([](auto& windows) { windows.front().scrolls_by_itself = true; });
  EXPECT_EQ(run(click_on("row 35")).kind(), v1::Outcome::KIND_CONFIRMED);
  EXPECT_THAT(selected(), ElementsAre("row 35"));
  EXPECT_THAT(world_->inputs(), Not(Contains(StartsWith("scroll"))));
}

// The list does not scroll. Nothing may be clicked instead of the element.
TEST_F(ElementClickTest, RowThatCannotBeScrolledToIsNotClicked) {
  world_->change([](auto& windows) {
    for (auto& element : windows.front().elements) element.fixed = true;
  });
  const auto outcome = run(click_on("row 35"));
  EXPECT_EQ(outcome.kind(), v1::Outcome::KIND_FAILED);
  EXPECT_EQ(outcome.code(), v1::Outcome::CODE_NOT_ACTIONABLE);
  EXPECT_THAT(world_->inputs(), Not(Contains(StartsWith("click"))));
}

// Regression: the buttons changed places between the last check and the press, and the wrong one was clicked.
TEST_F(ElementClickTest, ButtonThatMovesDuringThePressIsNotClicked) {
  world_->add_element(window_, {.role = "link", .name = "Delete", .bounds = {250, 20, 100, 30}});
  const auto action = click_on("Delete");
  world_->change([](auto& windows) { windows.front().acts_by_pointer_alone = true; });
  world_->when_pressed([](auto& window) {
    for (auto& element : window.elements)
      if (element.name == "Delete") element.bounds.y += 100;
  });
  const auto outcome = run(action);
  EXPECT_EQ(outcome.kind(), v1::Outcome::KIND_INTERRUPTED);
  EXPECT_EQ(outcome.code(), v1::Outcome::CODE_STALE_TARGET);
  EXPECT_THAT(world_->inputs(), ElementsAre("move 300,35", "down 300,35", "up 0,0"));
}

// Regression: a window of an unknown process counted as the element's own.
TEST_F(ElementClickTest, ElementUnderAWindowOfAnUnknownProgramIsNotClicked) {
  const auto action = click_on("row 3");
  world_->open_window("Cover", "", {0, 0, 400, 300});
  world_->change([&](auto& windows) {
    for (auto& window : windows) window.pid = 0;
  });
  const auto outcome = run(action);
  EXPECT_EQ(outcome.kind(), v1::Outcome::KIND_REFUSED);
  EXPECT_EQ(outcome.code(), v1::Outcome::CODE_STALE_TARGET);
  EXPECT_EQ(outcome.message(), "something else covers the element");
}

// Bug: the panel of the same program took the click of a button that it covered in part.
TEST_F(ElementClickTest, ElementUnderAnUnlistedWindowOfItsOwnProgramIsNotClicked) {
  const auto action = click_on("row 3");
  const auto panel = world_->open_window("", "/usr/bin/files", {60, 0, 100, 300});
  world_->change([&](auto& windows) {
    for (auto& window : windows) {
      window.pid = 7;
      window.unmanaged = window.id == panel;
    }
  });
  const auto outcome = run(action);
  EXPECT_EQ(outcome.kind(), v1::Outcome::KIND_REFUSED);
  EXPECT_EQ(outcome.message(), "something else covers the element");
}

// Bug: the window's content, which fills most of the bubble, counted as a part of the bubble.
TEST_F(ElementClickTest, ElementUnderABubbleOverItsWholeWindowIsNotClicked) {
  const auto content = world_->add_element(window_, {.role = "filler", .bounds = {0, 20, 400, 280}});
  world_->add_element(window_, {.parent = content, .role = "text", .name = "Town", .bounds = {10, 240, 80, 20}});
  const auto action = click_on("Town");
  const auto bubble = world_->open_window("", "/usr/bin/files", {0, 0, 500, 360});
  world_->change([&](auto& windows) {
    for (auto& window : windows) {
      window.pid = 7;
      window.unmanaged = window.id == bubble;
    }
  });
  EXPECT_EQ(run(action).message(), "something else covers the element");
  EXPECT_THAT(world_->inputs(), ElementsAre("move 50,250"));
}

// Bug: a tooltip of the same program got the click.
TEST_F(ElementClickTest, TooltipThatStaysUnderThePointerGetsNoClick) {
  const auto tooltip = world_->open_window("", "/usr/bin/files", {60, 0, 100, 300});
  world_->change([&](auto& windows) {
    for (auto& window : windows) {
      window.pid = 7;
      window.unmanaged = window.only_shows = window.id == tooltip;
    }
  });
  const auto outcome = run(click_on("row 3"));
  EXPECT_EQ(outcome.kind(), v1::Outcome::KIND_REFUSED);
  EXPECT_EQ(outcome.code(), v1::Outcome::CODE_STALE_TARGET);
  EXPECT_EQ(outcome.message(), "a tooltip or notification is over the element");
  EXPECT_THAT(world_->inputs(), ElementsAre("move 110,90"));
}

// LibreOffice reports other places once the pointer is in its window.
TEST_F(ElementClickTest, ElementThatMovesUnderThePointerIsNotPressed) {
  const auto action = click_on("row 3");
  world_->when_moved([](auto& window) {
    for (auto& element : window.elements) element.bounds.y += 25;
  });
  const auto outcome = run(action);
  EXPECT_EQ(outcome.kind(), v1::Outcome::KIND_REFUSED);
  EXPECT_EQ(outcome.code(), v1::Outcome::CODE_STALE_TARGET);
  EXPECT_THAT(world_->inputs(), ElementsAre("move 110,90"));
}

// Bug: a button was disabled while its click was prepared, and that counted as the effect of the click.
TEST_F(ElementClickTest, ElementThatIsDisabledBeforeThePressIsNotClicked) {
  const auto action = click_on("row 3");
  world_->when_moved([](auto& window) {
    for (auto& element : window.elements) element.enabled = false;
  });
  const auto outcome = run(action);
  EXPECT_EQ(outcome.kind(), v1::Outcome::KIND_REFUSED);
  EXPECT_EQ(outcome.code(), v1::Outcome::CODE_STALE_TARGET) << outcome.message();
  EXPECT_THAT(world_->inputs(), ElementsAre("move 110,90"));
}

TEST_F(ElementClickTest, ElementThatIsCheckedBeforeThePressIsNotClicked) {
  const auto action = click_on("row 3");
  world_->when_moved([](auto& window) {
    for (auto& element : window.elements) element.checked = true;
  });
  EXPECT_EQ(run(action).code(), v1::Outcome::CODE_STALE_TARGET);
  EXPECT_THAT(world_->inputs(), ElementsAre("move 110,90"));
}

TEST_F(ElementClickTest, ElementThatVanishesUnderThePointerIsNotPressed) {
  const auto action = click_on("row 3");
  world_->when_moved([](auto& window) { window.elements.clear(); });
  const auto outcome = run(action);
  EXPECT_EQ(outcome.kind(), v1::Outcome::KIND_REFUSED);
  EXPECT_EQ(outcome.code(), v1::Outcome::CODE_STALE_TARGET);
  EXPECT_THAT(world_->inputs(), ElementsAre("move 110,90"));
}

// The approved row is replaced while its list scrolls.
TEST_F(ElementClickTest, RowThatIsRenamedWhileItsListScrollsIsNotClicked) {
  const auto action = click_on("row 35");
  const auto permission = grant(prepare(action));
  world_->when_scrolled([](auto& window) {
    for (auto& element : window.elements)
      if (element.name == "row 35") element.name = "another";
  });
  const auto outcome = execute(action, permission);
  EXPECT_EQ(outcome.code(), v1::Outcome::CODE_STALE_TARGET) << outcome.message();
  EXPECT_THAT(selected(), ElementsAre());
}

}  // namespace
}  // namespace da::actuator
