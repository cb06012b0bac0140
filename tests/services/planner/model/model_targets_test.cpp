// Targets that a model describes, or names by an element's short name.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/services/planner/model/model_planner_task.h"

namespace da::planner::model {
namespace {

TEST_F(ModelPlannerTest, ADescribedTargetIsFoundInTheUiTree) {
  add_save();
  model_.says(plan({click_described("Save")})).says(kDone);
  EXPECT_EQ(run().end(), v1::TASK_END_DONE);
  ASSERT_EQ(policy_.submitted.size(), 1u);
  EXPECT_EQ(submitted(0).ui_click().element_id(), kSaveId);
  EXPECT_EQ(policy_.submitted[0].step().justification(), "It has to be.");
  EXPECT_EQ(policy_.submitted[0].step().target(), "push button \"Save\" in \"Page\"");
  EXPECT_TRUE(has(told(1), "1. ui_click element_id=\"e1\": carried out")) << told(1);
}

TEST_F(ModelPlannerTest, PaintedTargetIsClickedInItsMiddle) {
  FakeElement& save = add_save();
  save.painted_only = true;
  save.bounds = {400, 300, 80, 20};
  model_.says(plan({click_described("Save")})).says(kDone);
  EXPECT_EQ(run().end(), v1::TASK_END_DONE);
  ASSERT_EQ(policy_.submitted.size(), 1u);
  EXPECT_EQ(submitted(0).mouse().x(), 440);
  EXPECT_EQ(submitted(0).mouse().y(), 310);
  EXPECT_TRUE(policy_.submitted[0].step().frame_id().starts_with("find ")) << "the picture in which it was found";
  EXPECT_TRUE(has(told(1), "1. mouse x=220 y=155: carried out")) << told(1);
}

TEST_F(ModelPlannerTest, ADescribedFieldIsClickedAndTypedInto) {
  add_name();
  model_.says(plan({tool_step("type_in_described_field", R"({"target_description":"Name","text_to_type":"Grüße"})")}));
  model_.says(kDone);
  EXPECT_EQ(run().end(), v1::TASK_END_DONE);
  ASSERT_EQ(policy_.submitted.size(), 2u);
  EXPECT_EQ(submitted(0).ui_click().element_id(), kNameId);
  EXPECT_EQ(submitted(1).write().text(), "Grüße");
  EXPECT_EQ(world_.element(kNameId)->text, "Grüße");
}

// Bug: a page moved the focus from the clicked field to another one, which got the text.
TEST_F(ModelPlannerTest, NothingIsTypedIfAnotherElementHasTheFocusAfterTheClick) {
  add_name();
  world_.add({.id = "other",
              .window_id = world_.element(kNameId)->window_id,
              .role = "text",
              .name = "Receiver",
              .bounds = {10, 500, 50, 20},
              .editable = true});
  world_.element(kNameId)->on_click = [this] { world_.focused_element = "other"; };
  model_.says(plan({tool_step("type_in_described_field", R"({"target_description":"Name","text_to_type":"a"})")}));
  model_.says(kDone);
  EXPECT_EQ(run().end(), v1::TASK_END_DONE);
  ASSERT_EQ(policy_.submitted.size(), 1u);
  EXPECT_TRUE(has(told(1), "\"Receiver\" has, so nothing was typed")) << told(1);
}

TEST_F(ModelPlannerTest, FocusedFieldIsNotClicked) {
  add_name();
  world_.focused_element = kNameId;
  model_.says(plan({tool_step("type_in_described_field", R"({"target_description":"Name","text_to_type":"a"})")}));
  model_.says(kDone);
  EXPECT_EQ(run().end(), v1::TASK_END_DONE);
  ASSERT_EQ(policy_.submitted.size(), 1u);
  EXPECT_EQ(submitted(0).write().text(), "a");
}

TEST_F(ModelPlannerTest, DescribedTargetIsLocatedAfterThePreviousSteps) {
  world_.on_keys = [this](const std::vector<std::string>&) { add_save(); };
  model_.says(plan({tool_step("hotkey", R"({"keys":["ctrl","s"]})"), click_described("Save"), press("f5")}));
  model_.says(kDone);
  const auto result = run();
  EXPECT_EQ(result.end(), v1::TASK_END_DONE) << result.summary();
  EXPECT_EQ(model_.requests.size(), 2u) << "one turn";
  EXPECT_EQ(world_.performed,
            (std::vector<std::string>{R"(hotkey keys=["ctrl","s"])",
                                      std::string("ui_click element_id=\"") + kSaveId + "\"", "press key=\"f5\""}));
}

TEST_F(ModelPlannerTest, FailedStepDropsDescribedTargets) {
  add_save();
  model_.says(plan({press("f5"), click_described("Save"), press("f6")}));
  model_.says(kDone);
  answer_submission(0, allowed(v1::Outcome::KIND_FAILED, v1::Outcome::CODE_DESKTOP_ERROR));
  EXPECT_EQ(run().end(), v1::TASK_END_DONE);
  EXPECT_TRUE(world_.performed.empty());
  EXPECT_EQ(model_.requests.size(), 2u);
}

TEST_F(ModelPlannerTest, FieldThatTakesNoTextIsReported) {
  add_save();
  model_.says(plan({tool_step("type_in_described_field", R"({"target_description":"Save","text_to_type":"a"})")}));
  model_.says(kDone);
  EXPECT_EQ(run().end(), v1::TASK_END_DONE);
  EXPECT_TRUE(policy_.submitted.empty());
  EXPECT_TRUE(has(told(1), "failed: \"Save\" shows, but takes no text (waited 10 s); nearest: \"Save\"")) << told(1);
}

// Bug: the candidates' places were in desktop pixels.
TEST_F(ModelPlannerTest, AmbiguousTargetIsReportedWithItsCandidates) {
  add_save().bounds = {100, 100, 80, 20};
  add_save("11111111-9dad-11d1-80b4-00c04fd430c8").bounds = {600, 400, 80, 20};
  model_.says(plan({click_described("Save"), press("f5")})).says(kDone);
  EXPECT_EQ(run().end(), v1::TASK_END_DONE);
  EXPECT_TRUE(policy_.submitted.empty()) << "nor is what comes after it";
  EXPECT_TRUE(has(told(1),
                  "1. click_described_element target_description=\"Save\": failed: \"Save\" is ambiguous; it fits "
                  "\"Save\" (push button at 70,55), \"Save\" (push button at 320,205). Write one of them by its kind, "
                  "its number such as 2nd, its place or its window\n"))
      << told(1);
}

TEST_F(ModelPlannerTest, MissingTargetIsReported) {
  model_.says(plan({click_described("Save")})).says(kDone);
  EXPECT_EQ(run({.sees = Sees::kElements}).end(), v1::TASK_END_DONE);
  EXPECT_TRUE(policy_.submitted.empty());
  EXPECT_TRUE(has(told(1), "failed: \"Save\" is nowhere on the screen (waited 10 s)")) << told(1);
}

// Elements by their short names.

TEST_F(ModelPlannerTest, ModelWithoutImagesGetsTheElements) {
  add_save();
  add_name().text = "a\n\u202e";
  model_.says(kDone);
  EXPECT_EQ(run({.sees = Sees::kElements}).end(), v1::TASK_END_DONE);
  EXPECT_TRUE(model_.requests[0].messages[0].images.empty());
  EXPECT_TRUE(has(told(0), "You cannot see the screenshot.")) << told(0);
  EXPECT_TRUE(has(told(0), "e1 push button \"Save\"")) << told(0);
  EXPECT_TRUE(has(told(0), "e2 text \"Name\"")) << told(0);
  EXPECT_TRUE(has(told(0), "\"a\\n\\u{202e}\"")) << told(0);
  EXPECT_TRUE(has(told(0), " at 70,55\n")) << "the middle of 100,100,80,20 in the image: " << told(0);
}

TEST_F(ModelPlannerTest, ElementIsClickedByItsShortName) {
  bool clicked = false;
  add_name();
  add_save().on_click = [&] { clicked = true; };
  model_.says(plan({tool_step("ui_click", R"({"element_id":"e2"})")})).says(kDone);
  EXPECT_EQ(run({.sees = Sees::kElements}).end(), v1::TASK_END_DONE);
  EXPECT_TRUE(clicked);
  EXPECT_EQ(policy_.submitted[0].step().target(), "push button \"Save\" in \"Page\"");
  EXPECT_EQ(submitted(0).ui_click().element_id(), kSaveId);
  EXPECT_TRUE(has(told(1), "1. ui_click element_id=\"e2\": carried out")) << told(1);
  EXPECT_TRUE(has(told(1), "e2 push button \"Save\"")) << told(1);
  for (const Request& request : model_.requests) {
    for (const Message& message : request.messages) EXPECT_FALSE(has(message.text, kSaveId));
  }
}

TEST_F(ModelPlannerTest, UnknownElementNameIsReported) {
  add_save();
  model_.says(plan({tool_step("ui_click", R"({"element_id":"e2"})")})).says(kDone);
  EXPECT_EQ(run({.sees = Sees::kElements}).end(), v1::TASK_END_DONE);
  EXPECT_TRUE(has(told(1), "steps[0] ui_click names the element \"e2\", which is none that you were told of"))
      << told(1);
  EXPECT_TRUE(policy_.submitted.empty());
}

}  // namespace
}  // namespace da::planner::model
