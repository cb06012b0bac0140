// gemini_perform_task with hostile answers, failing steps, closing windows, pauses and ends.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "tests/services/planner/rules/run/rule_task_desktop.h"

namespace da::planner::rules::task_test {
namespace {

TEST_F(RuleTaskTest, HostileAnswersFailTheRuleAndSubmitNothing) {
  const std::string deep(5'000, '[');
  for (const std::string& answer :
       {std::string("I will not answer in JSON."), std::string(), std::string("{\"action_type\":"), deep,
        std::string("\xff\xfe"), suggestion("RUN_SHELL", R"({"command":"rm -rf /"})"),
        suggestion("CLICK_DESCRIBED_ELEMENT", R"({"target_description":42})"),
        suggestion("CLICK_DESCRIBED_ELEMENT", R"({"target_description":"Save","x":1})"),
        suggestion("WAIT_SHORT", R"({"duration_seconds":1e300})"), plan("ui_click", R"({"element_id":"save"})")}) {
    model_->requests.clear();
    for (int i = 0; i < 3; ++i) model_->says(answer);
    const auto ended = run(rule("save", task()));
    EXPECT_EQ(ended.end(), v1::TASK_END_FAILED) << answer;
    EXPECT_THAT(ended.summary(), HasSubstr("the model's replies could not be used")) << answer;
    EXPECT_EQ(model_->requests.size(), 3U) << answer;
  }
  EXPECT_TRUE(policy_.submitted.empty());
}

TEST_F(RuleTaskTest, ModelThatRefusesOrCannotBeReachedFailsTheRuleAndNotTheRun) {
  model_->ends(model::Finish::kRefused, "I cannot help with that.");
  model_->fails({Code::kInvalidArgument, "HTTP 400"});
  run_.set_once(false);
  const auto ended =
      run(rule("refused", task()) + "," + rule("unreachable", task()) + "," + rule("key", kPressF5, kStop));
  EXPECT_EQ(ended.end(), v1::TASK_END_DONE) << ended.summary();
  const auto failed = events(v1::RuleEvent::KIND_FAILED);
  ASSERT_EQ(failed.size(), 2U);
  EXPECT_THAT(failed[0].text(), HasSubstr("I cannot help with that."));
  EXPECT_THAT(failed[1].text(), HasSubstr("HTTP 400"));
}

TEST_F(RuleTaskTest, UsedUpBudgetEndsTheRun) {
  settings_.budget.calls = 1;
  model_->says(click("Save"));
  run_.set_once(false);
  const auto ended = run(rule("save", task()), R"(,"max_failures_in_a_row":0)");
  EXPECT_EQ(ended.end(), v1::TASK_END_FAILED);
  EXPECT_THAT(ended.summary(), HasSubstr("used up its model budget"));
  EXPECT_EQ(model_->requests.size(), 1U);
}

TEST_F(RuleTaskTest, RuleThatFailsThreeTimesInARowEndsTheRun) {
  deny_all();
  for (int i = 0; i < 3; ++i) model_->says(click("Save"));
  run_.set_once(false);
  const auto ended = run(rule("save", task()));
  EXPECT_EQ(ended.end(), v1::TASK_END_DENIED);
  EXPECT_THAT(ended.summary(), HasSubstr("failed 3 times in a row"));
}

TEST_F(RuleTaskTest, LaterRulesAreEvaluatedOnTheNewScreen) {
  world_.element("save")->on_click = [this] { world_.element("save")->name = "Saved"; };
  model_->says(click("Save")).says(kNothing);
  const auto ended = run(rule("save", task()) + "," + rule("after", kPressF5, "", shows("Saved")));
  EXPECT_EQ(ended.end(), v1::TASK_END_DONE) << ended.summary();
  EXPECT_THAT(ended.summary(), HasSubstr("1 cycle; acted: \"save\" 1 time, \"after\" 1 time"));
}

TEST_F(RuleTaskTest, ActionsAfterTheTaskFollow) {
  model_->says(click("Name")).says(kNothing);
  const auto ended = run(rule("save", task() + R"(,{"type":"type_text","text":"x"})"));
  EXPECT_EQ(ended.end(), v1::TASK_END_DONE) << ended.summary();
  ASSERT_EQ(policy_.submitted.size(), 2U);
  EXPECT_EQ(submitted(1).action().write().text(), "x");
  EXPECT_EQ(submitted(1).justification(), "rule \"save\"");
}

TEST_F(RuleTaskTest, StaleStepIsDecidedAgainByTheModel) {
  policy_.intercept = [this](const v1::SubmitRequest&) -> std::optional<Result<v1::SubmitReply>> {
    if (policy_.submitted.size() > 1) return std::nullopt;
    return verdict(v1::Verdict::DECISION_ALLOW, v1::Outcome::KIND_REFUSED, v1::Outcome::CODE_STALE_TARGET);
  };
  model_->says(click("Save")).says(click("Save")).says(kNothing);
  const auto ended = run(rule("save", task(R"(,"max_steps":1)")));
  EXPECT_EQ(ended.end(), v1::TASK_END_DONE) << ended.summary();
  EXPECT_EQ(policy_.submitted.size(), 2U);
  EXPECT_THAT(told(1), HasSubstr("not carried out, because the screen had changed"));
}

TEST_F(RuleTaskTest, FailedStepsAreReportedToTheModelAndThenFailTheRule) {
  policy_.intercept = [](const v1::SubmitRequest&) {
    return verdict(v1::Verdict::DECISION_ALLOW, v1::Outcome::KIND_FAILED);
  };
  for (int i = 0; i < 4; ++i) model_->says(click("Save"));
  const auto ended = run(rule("save", task()));
  EXPECT_EQ(ended.end(), v1::TASK_END_FAILED);
  EXPECT_EQ(policy_.submitted.size(), 4U);
  EXPECT_THAT(told(1), HasSubstr("failed"));
}

TEST_F(RuleTaskTest, StepsWithoutAnEffectAreReportedToTheModelAndThenFailTheRule) {
  policy_.intercept = [](const v1::SubmitRequest&) {
    return verdict(v1::Verdict::DECISION_ALLOW, v1::Outcome::KIND_NO_EFFECT);
  };
  for (int i = 0; i < 4; ++i) model_->says(click("Save"));
  const auto ended = run(rule("save", task()));
  EXPECT_EQ(ended.end(), v1::TASK_END_FAILED);
  EXPECT_EQ(policy_.submitted.size(), 4U);
  EXPECT_THAT(told(1), HasSubstr("it changed nothing"));
}

TEST_F(RuleTaskTest, TaskThatClosesItsWindowIsDone) {
  world_.element("save")->on_click = [this] { world_.close_window("w1"); };
  model_->says(click("Save"));
  const auto ended = run(rule("save", task()));
  EXPECT_EQ(ended.end(), v1::TASK_END_DONE) << ended.summary();
  EXPECT_THAT(events(v1::RuleEvent::KIND_TASK).back().text(), HasSubstr("no context region is on the screen any more"));
}

TEST_F(RuleTaskTest, TaskWithoutItsWindowFailsAndShowsTheModelNothing) {
  world_.close_window("w2");
  const auto ended = run(rule("save", task(R"(,"context_region_names":"other")")));
  EXPECT_EQ(ended.end(), v1::TASK_END_FAILED);
  EXPECT_THAT(ended.summary(), HasSubstr("no context region is on the screen"));
  EXPECT_TRUE(model_->requests.empty());
}

TEST_F(RuleTaskTest, WindowThatClosesWhileTheModelThinksIsNotActedOn) {
  model_->says(plan("mouse", R"({"x":520,"y":155})"));
  model_->before_each = [this] { world_.close_window("w2"); };
  const auto ended = run(rule("save", command(R"(,"context_region_names":"other")")));
  EXPECT_EQ(ended.end(), v1::TASK_END_FAILED);
  EXPECT_THAT(ended.summary(), HasSubstr("no context region is on the screen"));
  EXPECT_TRUE(policy_.submitted.empty());
}

TEST_F(RuleTaskTest, CancelEndsTheRunWhileTheModelThinks) {
  model_->says(click("Save")).says(click("Save"));
  model_->before_each = [this] {
    if (model_->requests.size() == 2) cancel_.cancel("enough");
  };
  EXPECT_EQ(run(rule("save", task())).end(), v1::TASK_END_CANCELLED);
  EXPECT_EQ(policy_.submitted.size(), 1U);
}

TEST_F(RuleTaskTest, HaltEndsTheRunWhileTheModelThinks) {
  model_->says(click("Save"));
  model_->before_each = [this] {
    policy_.halt("stop it");
    while (!cancel_.halted()) std::this_thread::yield();
  };
  EXPECT_EQ(run(rule("save", task())).end(), v1::TASK_END_HALTED);
  EXPECT_TRUE(policy_.submitted.empty());
}

TEST_F(RuleTaskTest, PauseWhileTheModelThinksHoldsTheTaskAndTheModelIsTold) {
  model_->says(click("Name")).says(click("Save")).says(kNothing);
  std::thread person;
  model_->before_each = [&] {
    if (model_->requests.size() != 2) return;
    policy_.pause(v1::Pause::CAUSE_PERSON, "a person uses the mouse");
    while (!cancel_.held()) std::this_thread::yield();
    person = std::thread([&] {
      policy_.wait_until_awaited();
      policy_.resume();
    });
  };
  const auto ended = run(rule("save", task()));
  person.join();
  EXPECT_EQ(ended.end(), v1::TASK_END_DONE) << ended.summary();
  ASSERT_EQ(policy_.submitted.size(), 2U);
  EXPECT_THAT(told(2), HasSubstr("A person had paused the task"));
}

TEST_F(RuleTaskTest, PauseBeforeTheFirstStepEvaluatesTheRuleAgain) {
  model_->says(click("Save"));
  std::thread person;
  model_->before_each = [&] {
    policy_.pause(v1::Pause::CAUSE_PERSON, "a person uses the mouse");
    world_.element("save")->name = "Gone";
    while (!cancel_.held()) std::this_thread::yield();
    person = std::thread([&] {
      policy_.wait_until_awaited();
      policy_.resume();
    });
  };
  const auto ended = run(rule("save", task(), "", shows("Save")));
  person.join();
  EXPECT_EQ(ended.end(), v1::TASK_END_DONE) << ended.summary();
  EXPECT_EQ(model_->requests.size(), 1U);
  EXPECT_TRUE(policy_.submitted.empty());
}

TEST_F(RuleTaskTest, DryRunAsksNoModelAndSaysWhatItWouldAsk) {
  dry_run_ = true;
  const auto ended = run(rule("save", task() + "," + kPressF5));
  EXPECT_EQ(ended.end(), v1::TASK_END_DONE) << ended.summary();
  EXPECT_TRUE(model_->requests.empty());
  ASSERT_EQ(policy_.submitted.size(), 1U);
  EXPECT_TRUE(policy_.submitted[0].dry_run());
  const auto told = events(v1::RuleEvent::KIND_TASK);
  ASSERT_EQ(told.size(), 1U);
  EXPECT_THAT(told[0].text(), HasSubstr("would ask a model for \"save the name\""));
}

TEST_F(RuleTaskTest, FailedTaskOfARuleWithACooldownIsNotRepeatedAtOnce) {
  deny_all();
  model_->says(click("Save"));
  run_.set_once(false);
  run_.set_for_ms(2'000);
  const auto ended = run(rule("save", task(), R"(,"cooldown_seconds":60)", shows("Save")));
  EXPECT_EQ(ended.end(), v1::TASK_END_DONE) << ended.summary();
  EXPECT_EQ(model_->requests.size(), 1U);
}

}  // namespace
}  // namespace da::planner::rules::task_test
