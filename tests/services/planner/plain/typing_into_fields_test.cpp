// `type "..." into "..."`: which field it reaches, what becomes of its content, and how that is proven.
#include "tests/services/planner/plain/plain_planner_fixture.h"

namespace da::planner::plain {
namespace {

TEST_F(PlainPlannerTest, PlaceThatIsFoundInThePictureIsComparedWithThatPicture) {
  world_.add({.id = "send", .name = "Send", .painted_only = true});
  world_.add({.id = "save", .role = "push button", .name = "Save", .bounds = {300, 300, 80, 20}});
  PlainPlanner planner = planner_of("click \"Send\"; click \"Save\"; click at 5,5; drag \"Save\" to 5,5");
  std::vector<std::string> frames;
  for (int i = 0; i < 4; ++i) {
    const auto plan = planner.decide(look(), Attempt::kNext);
    ASSERT_TRUE(plan) << plan.error().message;
    frames.push_back(plan->steps(0).frame_id());
    EXPECT_TRUE(planner.verify(plan->steps(0), EventKind::kConfirmed));
  }
  EXPECT_EQ(frames, (std::vector<std::string>{"find 1", "", "", "find 3"}));
}

// Bug: a disabled field was typed into, and the goal went on to send the form.
TEST_F(PlainPlannerTest, FieldFoundInThePictureMustShowSomethingOfTheText) {
  world_.open_window({"w", "Form"});
  world_.add({.id = "name", .window_id = "w", .name = "Name", .editable = true, .painted_only = true});
  for (const auto outcome : {EventKind::kDispatched, EventKind::kConfirmed}) {
    PlainPlanner planner = planner_of("type \"Ada\" into \"Name\"");
    const auto click = planner.decide(look(), Attempt::kNext).value();
    EXPECT_EQ(click.steps(0).action().mouse().clicks(), 3U);
    EXPECT_TRUE(planner.verify(click.steps(0), EventKind::kDispatched));
    const auto write = planner.decide(look(), Attempt::kNext).value();
    EXPECT_EQ(write.steps(0).action().write().text(), "Ada");
    EXPECT_EQ(static_cast<bool>(planner.verify(write.steps(0), outcome)), outcome == EventKind::kConfirmed);
  }
}

TEST_F(PlainPlannerTest, TypingIntoAFieldClicksItFirst) {
  open_editor();
  world_.add({.id = "search",
              .window_id = "editor-window",
              .role = "text",
              .name = "Search",
              .bounds = {10, 10, 100, 20},
              .editable = true});
  PlainPlanner planner = planner_of("type \"x\" into \"Search\"");
  const auto click = planner.decide(look(), Attempt::kNext).value();
  EXPECT_EQ(click.steps(0).action().ui_click().element_id(), "search");
  world_.perform(click.steps(0).action());
  const auto type = planner.decide(look(), Attempt::kNext).value();
  EXPECT_EQ(type.steps(0).action().write().text(), "x");
  EXPECT_TRUE(planner.decide(look(), Attempt::kNext).value().has_done());
}

// Bug: a file was saved as copy.txt.txt, because GTK selects only the base name of its proposal.
TEST_F(PlainPlannerTest, ContentOfAOneLineFieldIsReplaced) {
  open_editor();
  world_.add({.id = "name",
              .window_id = "editor-window",
              .role = "text",
              .name = "Name",
              .text = "proposed.txt",
              .bounds = {10, 10, 100, 20},
              .editable = true});
  world_.focused_element = "name";
  PlainPlanner planner = planner_of("type \"x\" into \"Name\"");
  const auto select = planner.decide(look(), Attempt::kNext).value();
  ASSERT_EQ(select.steps(0).action().hotkey().keys_size(), 2) << select.ShortDebugString();
  EXPECT_EQ(select.steps(0).action().hotkey().keys(0), "ctrl");
  EXPECT_EQ(select.steps(0).action().hotkey().keys(1), "a");
  EXPECT_EQ(planner.decide(look(), Attempt::kNext).value().steps(0).action().write().text(), "x");
}

// Bug: a second text was appended to a password, because its content is never told.
TEST_F(PlainPlannerTest, PasswordIsSelectedBeforeItIsTyped) {
  open_editor();
  world_.add({.id = "password",
              .window_id = "editor-window",
              .role = "password text",
              .name = "Password",
              .text = "secret",
              .bounds = {10, 10, 100, 20},
              .editable = true});
  world_.focused_element = "password";
  PlainPlanner planner = planner_of("type \"x\" into \"Password\"");
  const auto select = planner.decide(look(), Attempt::kNext).value();
  EXPECT_TRUE(select.steps(0).action().has_hotkey()) << select.ShortDebugString();
}

TEST_F(PlainPlannerTest, NothingIsTypedIntoAFieldWhoseContentStays) {
  open_editor();
  world_.add({.id = "name",
              .window_id = "editor-window",
              .role = "text",
              .name = "Name",
              .text = "old",
              .bounds = {10, 10, 100, 20},
              .editable = true});
  world_.focused_element = "name";
  PlainPlanner planner = planner_of("type \"x\" into \"Name\"");
  const auto select = planner.decide(look(), Attempt::kNext).value();
  const auto verified = planner.verify(select.steps(0), EventKind::kNoEffect);
  ASSERT_FALSE(verified);
  EXPECT_NE(verified.error().message.find("could not be selected, so nothing was typed"), std::string::npos)
      << verified.error().message;
}

TEST_F(PlainPlannerTest, FieldWithAnotherTextFailsTheSentence) {
  open_editor();
  FakeElement& name = world_.add({.id = "name",
                                  .window_id = "editor-window",
                                  .role = "text",
                                  .name = "Name",
                                  .bounds = {10, 10, 100, 20},
                                  .editable = true});
  world_.focused_element = name.id;
  PlainPlanner planner = planner_of("type \"Bob\" into \"Name\"");
  const auto type = planner.decide(look(), Attempt::kNext).value();
  ASSERT_TRUE(type.steps(0).action().has_write());
  name.text = "Ada LovelacBobe";
  const auto verified = planner.verify(type.steps(0), EventKind::kDispatched);
  ASSERT_FALSE(verified);
  EXPECT_NE(verified.error().message.find("has \"Ada LovelacBobe\""), std::string::npos) << verified.error().message;
  // It had the text, and its program has changed it since.
  EXPECT_EQ(planner.verify(type.steps(0), EventKind::kConfirmed).value(), Proof::kNone);
  name.text = "Bob";
  EXPECT_EQ(planner.verify(type.steps(0), EventKind::kConfirmed).value(), Proof::kByOutcome);
}

TEST_F(PlainPlannerTest, AFieldThatHasTheFocusIsNotClicked) {
  open_editor();
  EXPECT_EQ(first_action("type \"x\" into \"Document\"").write().text(), "x");
}

TEST_F(PlainPlannerTest, TypingIntoAFieldBeginsWithTheFieldAgainWhenTheFocusWentAway) {
  open_editor();
  FakeElement& search = world_.add({.id = "search",
                                    .window_id = "editor-window",
                                    .role = "text",
                                    .name = "Search",
                                    .bounds = {10, 10, 100, 20},
                                    .editable = true});
  world_.focused_element = search.id;
  PlainPlanner planner = planner_of("type \"x\" into \"Search\"");
  EXPECT_TRUE(planner.decide(look(), Attempt::kNext).value().steps(0).action().has_write());
  world_.focused_element = "editor";
  EXPECT_TRUE(planner.decide(look(), Attempt::kAgain).value().steps(0).action().has_ui_click());
}

}  // namespace
}  // namespace da::planner::plain
