// gemini_perform_task in whole runs of a profile, with a scripted model on the fake desktop. The form has the field
// "Name" and the button "Save"; the window "Other" beside it has the button "Delete".
#include "services/planner/rules/run/task/rule_task.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "tests/services/planner/rules/run/rule_task_desktop.h"

namespace da::planner::rules::task_test {
namespace {

TEST_F(RuleTaskTest, GoalIsReachedInTwoStepsThatAPersonConfirms) {
  model_->says(type("Name", "Zoë")).says(click("Save")).says(kNothing);
  const auto ended = run(rule("save", task()));
  EXPECT_EQ(ended.end(), v1::TASK_END_DONE) << ended.summary();
  ASSERT_EQ(policy_.submitted.size(), 3U);
  EXPECT_EQ(submitted(0).action().ui_click().element_id(), "name");
  EXPECT_EQ(submitted(1).action().write().text(), "Zoë");
  EXPECT_EQ(submitted(2).action().ui_click().element_id(), "save");
  EXPECT_EQ(submitted(1).justification(), "rule \"save\", step 1 of at most 5: It comes next.");
  EXPECT_EQ(submitted(2).justification(), "rule \"save\", step 2 of at most 5: It comes next.");
  for (const auto& request : policy_.submitted) EXPECT_THAT(request.step().concerns(), SizeIs(1));
  EXPECT_EQ(world_.element("name")->text, "Zoë");
  EXPECT_THAT(ended.summary(), HasSubstr("acted: \"save\" 1 time"));
  EXPECT_EQ(calls_, 3);
}

TEST_F(RuleTaskTest, EventsNameTheRuleAndTheStepOfTheModel) {
  model_->says(click("Save")).says(kNothing);
  run(rule("save", task()));
  const auto told = events(v1::RuleEvent::KIND_TASK);
  ASSERT_EQ(told.size(), 3U);
  for (const auto& event : told) EXPECT_EQ(event.rule(), "save");
  EXPECT_EQ(told[0].model_step(), 0U);
  EXPECT_THAT(told[0].text(), HasSubstr("\"save the name\", at most 5 steps, each confirmed by a person"));
  EXPECT_EQ(told[1].model_step(), 1U);
  EXPECT_THAT(told[1].text(), HasSubstr("step 1 of at most 5: click push button \"Save\" in form (It comes next.)"));
  EXPECT_THAT(told[2].text(), HasSubstr("nothing is left to do"));
}

TEST_F(RuleTaskTest, ModelSeesTheContextRegionsOnly) {
  model_->says(kNothing);
  run(rule("save", task(R"(,"context_region_names":"top, other")")));
  ASSERT_EQ(model_->requests.size(), 1U);
  const auto& message = model_->requests[0].messages[0];
  EXPECT_THAT(message.text, HasSubstr("The goal is: save the name"));
  EXPECT_THAT(message.text, HasSubstr("Picture 1: \"top\"\nPicture 2: \"other\""));
  ASSERT_EQ(message.images.size(), 2U);
  EXPECT_EQ(message.images[1].data, "a part at 900,0");
}

TEST_F(RuleTaskTest, RegionIsShownWhereItsWindowIsNow) {
  model_->says(click("Save")).says(kNothing);
  world_.element("save")->on_click = [this] {
    world_.windows[0].bounds.x = 10;
    world_.element("save")->bounds.x += 10;
  };
  run(rule("save", task()));
  ASSERT_EQ(model_->requests.size(), 2U);
  EXPECT_EQ(model_->requests[0].messages.back().images.at(0).data, "a part at 0,0");
  EXPECT_EQ(model_->requests[1].messages.back().images.at(0).data, "a part at 10,0");
}

TEST_F(RuleTaskTest, StepsAreNotConfirmedIfTheRuleSaysSo) {
  model_->says(click("Save")).says(kNothing);
  run(rule("save", task(R"(,"require_confirmation_before_each_step":"false")")));
  ASSERT_EQ(policy_.submitted.size(), 1U);
  EXPECT_THAT(submitted(0).concerns(), IsEmpty());
}

TEST_F(RuleTaskTest, DeniedStepFailsItsRuleAndTheNextRuleActs) {
  model_->says(click("Save"));
  policy_.intercept = [](const v1::SubmitRequest& request) -> std::optional<Result<v1::SubmitReply>> {
    if (!request.step().action().has_ui_click()) return std::nullopt;
    return verdict(v1::Verdict::DECISION_DENY);
  };
  run_.set_once(false);
  const auto ended = run(rule("save", task()) + "," + rule("key", kPressF5, kStop));
  EXPECT_EQ(ended.end(), v1::TASK_END_DONE) << ended.summary();
  EXPECT_THAT(ended.summary(), HasSubstr("rule \"save\": denied"));
  EXPECT_THAT(world_.performed, ElementsAre("press key=\"f5\""));
  EXPECT_EQ(events(v1::RuleEvent::KIND_FAILED).size(), 1U);
}

TEST_F(RuleTaskTest, DeniedStepEndsTheTaskAsDenied) {
  model_->says(click("Save"));
  policy_.intercept = [](const v1::SubmitRequest&) { return verdict(v1::Verdict::DECISION_DENY); };
  EXPECT_EQ(run(rule("save", task())).end(), v1::TASK_END_DENIED);
  EXPECT_TRUE(world_.performed.empty());
}

TEST_F(RuleTaskTest, StepThatNobodyConfirmsIsNotCarriedOut) {
  model_->says(click("Save"));
  policy_.intercept = [](const v1::SubmitRequest&) {
    return verdict(v1::Verdict::DECISION_DENY, v1::Outcome::KIND_REFUSED, v1::Outcome::CODE_EXPIRED);
  };
  const auto ended = run(rule("save", task()));
  EXPECT_EQ(ended.end(), v1::TASK_END_EXPIRED);
  EXPECT_THAT(ended.summary(), HasSubstr("nobody approved"));
  EXPECT_TRUE(world_.performed.empty());
}

TEST_F(RuleTaskTest, ActionThatIsNotAllowedIsRefusedWithItsReason) {
  const std::string press = suggestion("PRESS_KEY_SIMPLE", R"({"key_name":"enter"})");
  model_->says(press).says(press).says(press);
  const auto ended = run(rule("save", task(R"(,"allowed_actions_override":["CLICK_DESCRIBED_ELEMENT"])")));
  EXPECT_EQ(ended.end(), v1::TASK_END_FAILED);
  EXPECT_THAT(ended.summary(), HasSubstr("\"PRESS_KEY_SIMPLE\", which this task does not allow"));
  EXPECT_THAT(told(1), HasSubstr("does not allow"));
  EXPECT_THAT(model_->requests[0].system, Not(HasSubstr("PRESS_KEY_SIMPLE")));
  EXPECT_TRUE(policy_.submitted.empty());
}

TEST_F(RuleTaskTest, TargetOutsideOfTheRegionsIsRefusedAndTheModelIsTold) {
  model_->says(click("Delete")).says(box("[]", "false")).says(click("Save")).says(kNothing);
  const auto ended = run(rule("save", task()));
  EXPECT_EQ(ended.end(), v1::TASK_END_DONE) << ended.summary();
  EXPECT_THAT(told(2), HasSubstr("outside of the regions \"form\""));
  ASSERT_EQ(policy_.submitted.size(), 1U);
  EXPECT_EQ(submitted(0).action().ui_click().element_id(), "save");
}

TEST_F(RuleTaskTest, ModelThatKeepsAimingOutsideOfTheRegionsFailsTheRule) {
  for (int i = 0; i < 5; ++i) model_->says(click("Delete")).says(box("[]", "false"));
  const auto ended = run(rule("save", task(R"(,"max_steps":1)")));
  EXPECT_EQ(ended.end(), v1::TASK_END_FAILED);
  EXPECT_THAT(ended.summary(), HasSubstr("\"Delete\" is outside of the regions \"form\""));
  EXPECT_TRUE(policy_.submitted.empty());
}

TEST_F(RuleTaskTest, ElementInTheRegionWinsOverAnEqualOneOutside) {
  world_.add({.id = "save2", .window_id = "w2", .role = "push button", .name = "Save", .bounds = {1000, 500, 80, 20}});
  model_->says(click("Save")).says(kNothing);
  EXPECT_EQ(run(rule("save", task())).end(), v1::TASK_END_DONE);
  ASSERT_EQ(policy_.submitted.size(), 1U);
  EXPECT_EQ(submitted(0).action().ui_click().element_id(), "save");
}

TEST_F(RuleTaskTest, ModelIsAskedForAnElementInThePictureOfItsRegion) {
  model_->says(click("the red dot")).says(box("[10,20,4,4]")).says(kNothing);
  EXPECT_EQ(run(rule("save", task(R"(,"context_region_names":["other"])"))).end(), v1::TASK_END_DONE);
  ASSERT_EQ(policy_.submitted.size(), 1U);
  EXPECT_EQ(submitted(0).action().mouse().x(), 912);
  EXPECT_EQ(submitted(0).action().mouse().y(), 22);
}

TEST_F(RuleTaskTest, ElementInTwoRegionsIsAmbiguous) {
  for (int i = 0; i < 5; ++i) model_->says(click("the red dot")).says(box("[10,20,4,4]")).says(box("[10,20,4,4]"));
  const auto ended = run(rule("save", task(R"(,"context_region_names":["form","other"],"max_steps":1)")));
  EXPECT_EQ(ended.end(), v1::TASK_END_FAILED);
  EXPECT_THAT(ended.summary(), HasSubstr("in several of the regions \"form\", \"other\""));
  EXPECT_TRUE(policy_.submitted.empty());
}

TEST_F(RuleTaskTest, MaxStepsBoundsTheStepsAndTheRuleFails) {
  for (int i = 0; i < 3; ++i) model_->says(click("Save"));
  const auto ended = run(rule("save", task(R"(,"max_steps":2)")));
  EXPECT_EQ(ended.end(), v1::TASK_END_FAILED);
  EXPECT_THAT(ended.summary(),
              HasSubstr("not reached within max_steps 2; the model would go on with click push button"));
  EXPECT_EQ(policy_.submitted.size(), 2U);
}

TEST_F(RuleTaskTest, LastStepMayReachTheGoal) {
  model_->says(click("Save")).says(kNothing);
  EXPECT_EQ(run(rule("save", task(R"(,"max_steps":1)"))).end(), v1::TASK_END_DONE);
}

}  // namespace
}  // namespace da::planner::rules::task_test
