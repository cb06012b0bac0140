#include "services/planner/plain/choice.h"

#include "tests/services/planner/plain/plain_planner_fixture.h"

namespace da::planner::plain {
namespace {

class Choices : public PlainPlannerTest {
 protected:
  void SetUp() override {
    world_.add({.id = "list",
                .role = "combo box",
                .name = "Colour",
                .text = "Red",
                .bounds = {10, 10, 100, 20},
                .on_click = [this] { open_list(); }});
  }
  void open_list() {
    for (const char* colour : {"Red", "Blue"}) {
      world_.add(
          {.id = colour, .role = "menu item", .name = colour, .bounds = {10, 30, 100, 20}, .on_click = [this, colour] {
             if (takes_) world_.element("list")->text = colour;
           }});
    }
  }
  bool takes_ = true;
};

TEST_F(Choices, OpensTheListAndClicksTheItem) {
  PlainPlanner planner = planner_of("select \"Blue\" in \"Colour\"");
  const auto open = planner.decide(look(), Attempt::kNext).value();
  EXPECT_EQ(open.steps(0).action().ui_click().element_id(), "list");
  world_.perform(open.steps(0).action());
  EXPECT_TRUE(planner.verify(open.steps(0), EventKind::kDispatched));
  const auto pick = planner.decide(look(), Attempt::kNext).value();
  EXPECT_EQ(pick.steps(0).action().ui_click().element_id(), "Blue");
  takes_ = false;
  const auto verified = planner.verify(pick.steps(0), EventKind::kDispatched);
  ASSERT_FALSE(verified);
  EXPECT_NE(verified.error().message.find("combo box \"Colour\" shows \"Red\", not \"Blue\""), std::string::npos)
      << verified.error().message;
  takes_ = true;
  world_.perform(pick.steps(0).action());
  EXPECT_TRUE(planner.verify(pick.steps(0), EventKind::kDispatched));
  EXPECT_TRUE(planner.decide(look(), Attempt::kNext).value().has_done());
}

TEST_F(Choices, ListThatTakesTextIsOpenedByKeys) {
  world_.open_window({"w", "Form"});
  world_.element("list")->window_id = "w";
  world_.element("list")->editable = true;
  world_.element("list")->on_click = nullptr;
  PlainPlanner planner = planner_of("select \"Blue\" in \"Colour\"");
  const auto click = planner.decide(look(), Attempt::kNext).value();
  EXPECT_EQ(click.steps(0).action().ui_click().element_id(), "list");
  EXPECT_TRUE(planner.verify(click.steps(0), EventKind::kDispatched));
  const auto keys = planner.decide(look(), Attempt::kNext).value();
  EXPECT_THAT(keys.steps(0).action().hotkey().keys(), testing::ElementsAre("alt", "down"));
  EXPECT_EQ(keys.steps(0).keys_to_window(), "w");
  open_list();
  EXPECT_TRUE(planner.verify(keys.steps(0), EventKind::kConfirmed));
  const auto pick = planner.decide(look(), Attempt::kNext).value();
  EXPECT_EQ(pick.steps(0).action().ui_click().element_id(), "Blue");
}

TEST_F(Choices, SelectedItemNeedsNoStep) {
  PlainPlanner planner = planner_of("select \"Red\" in \"Colour\"");
  EXPECT_TRUE(planner.decide(look(), Attempt::kNext).value().has_done());
}

// Bug: "Mb/s" was taken for "MB/s", and nothing was clicked.
TEST_F(Choices, ItemsThatDifferInTheirCaseAreTwo) {
  world_.element("list")->text = "RED";
  PlainPlanner planner = planner_of("select \"Red\" in \"Colour\"");
  const auto open = planner.decide(look(), Attempt::kNext).value();
  ASSERT_EQ(open.steps_size(), 1);
  world_.perform(open.steps(0).action());
  EXPECT_TRUE(planner.verify(open.steps(0), EventKind::kDispatched));
  const auto pick = planner.decide(look(), Attempt::kNext).value();
  EXPECT_EQ(pick.steps(0).action().ui_click().element_id(), "Red");
  takes_ = false;
  world_.perform(pick.steps(0).action());
  EXPECT_FALSE(planner.verify(pick.steps(0), EventKind::kDispatched)) << "the list still shows RED";
  takes_ = true;
  world_.perform(pick.steps(0).action());
  EXPECT_TRUE(planner.verify(pick.steps(0), EventKind::kDispatched));
}

// Bug: a quantity in another selected row counted as the wished row.
TEST_F(PlainPlannerTest, ACellOfASelectedRowIsNotTheSelectedItem) {
  world_.add({.id = "table", .role = "table", .name = "Orders", .bounds = {0, 0, 300, 100}});
  for (const char* name : {"7", "5"}) {
    FakeElement& row = world_.add({.id = name, .role = "list item", .name = name, .bounds = {0, 10, 100, 20}});
    row.parent_id = "table";
    row.selectable = true;
    row.selected = std::string_view(name) == "7";
  }
  world_.element("7")->text = "5";
  PlainPlanner planner = planner_of("select \"5\" in table \"Orders\"");
  EXPECT_EQ(planner.decide(look(), Attempt::kNext).value().steps_size(), 1);
  world_.element("5")->selected = true;
  PlainPlanner again = planner_of("select \"5\" in table \"Orders\"");
  EXPECT_TRUE(again.decide(look(), Attempt::kNext).value().has_done());
}

}  // namespace
}  // namespace da::planner::plain
