#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "tests/services/planner/rules/run/profile_run_fixture.h"

namespace da::planner::rules::run_test {
namespace {

TEST_F(ProfileRunTest, RuleActsWhenItsTextShows) {
  world_.after(Milliseconds(400), [this] {
    world_.add({.id = "done", .window_id = "w1", .role = "label", .name = "Finished", .bounds = {10, 10, 60, 20}});
  });
  const auto ended = run(profile(rule("save", text_shows("finished"), kClickSave, R"(,"stop":true)")));
  EXPECT_EQ(ended.end(), v1::TASK_END_DONE);
  EXPECT_THAT(ended.summary(), HasSubstr("ended by rule \"save\"; acted: \"save\" 1 time"));
  ASSERT_EQ(policy_.submitted.size(), 1U);
  EXPECT_EQ(policy_.submitted[0].step().action().ui_click().element_id(), "save");
  EXPECT_EQ(policy_.submitted[0].step().justification(), "rule \"save\"");
  EXPECT_EQ(policy_.closed_tokens.size(), 1U);
}

// Bug: a rule clicked after its pause what had been there before it.
TEST_F(ProfileRunTest, TheTargetIsFoundAgainAfterAPauseBeforeTheClick) {
  world_.add({.id = "go", .window_id = "w1", .role = "label", .name = "Go", .bounds = {10, 10, 60, 20}});
  // While the rule pauses, the form is built anew.
  world_.after(Milliseconds(1'000), [this] {
    std::erase_if(world_.elements, [](const auto& each) { return each->id == "save"; });
    world_.add(
        {.id = "new save", .window_id = "w1", .role = "push button", .name = "Save", .bounds = {300, 400, 80, 20}});
  });
  const std::string click =
      R"({"type":"click","target_relation":"ui_element","name":"Save","role":"button","pause_before":2})";
  {
    const std::jthread time([this](const std::stop_token& stop) {
      while (!stop.stop_requested()) {
        std::this_thread::sleep_for(Milliseconds(2));
        world_.clock.advance(Milliseconds(20));
      }
    });
    run(profile(rule("save", text_shows("go"), click, R"(,"stop":true)")));
  }
  ASSERT_GE(policy_.submitted.size(), 2U);
  EXPECT_TRUE(policy_.submitted.front().step().action().has_sleep());
  EXPECT_EQ(policy_.submitted.back().step().action().ui_click().element_id(), "new save");
}

TEST_F(ProfileRunTest, UnchangedRegionsAreNotAnalysedAgain) {
  const auto ended = run(profile(rule("never", text_shows("nowhere"), kClickSave)));
  EXPECT_EQ(ended.end(), v1::TASK_END_DONE);
  EXPECT_THAT(ended.summary(), HasSubstr("no rule acted"));
  EXPECT_LE(observer_.analyzed.size(), 2U) << "a look, and a wait for the rest of the time";
  EXPECT_EQ(observer_.regions_analysed, 1);
  EXPECT_TRUE(policy_.submitted.empty());
}

TEST_F(ProfileRunTest, RuleThatFailsThreeTimesInARowEndsTheRun) {
  deny_all();
  const auto ended = run(profile(rule("save", R"({"type":"always_true"})", kClickSave)));
  EXPECT_EQ(ended.end(), v1::TASK_END_DENIED);
  EXPECT_THAT(ended.summary(), HasSubstr("rule \"save\": denied"));
  EXPECT_THAT(ended.summary(), HasSubstr("failed 3 times in a row, after 3 cycles"));
  EXPECT_EQ(policy_.submitted.size(), 3U);
}

TEST_F(ProfileRunTest, StepWithoutAnEffectFailsTheRule) {
  policy_.intercept = [](const v1::SubmitRequest&) {
    return verdict(v1::Verdict::DECISION_ALLOW, v1::Outcome::KIND_NO_EFFECT);
  };
  const auto ended = run(profile(rule("save", R"({"type":"always_true"})", kClickSave)));
  EXPECT_EQ(ended.end(), v1::TASK_END_FAILED);
  EXPECT_THAT(ended.summary(), HasSubstr("rule \"save\": its step had no effect"));
  EXPECT_EQ(policy_.submitted.size(), 3U);
}

TEST_F(ProfileRunTest, ProfileMayAllowAnyNumberOfFailures) {
  deny_all();
  const auto ended =
      run(profile(rule("save", R"({"type":"always_true"})", kClickSave), R"(,"max_failures_in_a_row":0)"));
  EXPECT_EQ(ended.end(), v1::TASK_END_DONE);
  EXPECT_GT(policy_.submitted.size(), 10U);
}

TEST_F(ProfileRunTest, SuccessBetweenFailuresStartsTheCountAgain) {
  policy_.intercept = [this](const v1::SubmitRequest&) -> std::optional<Result<v1::SubmitReply>> {
    if (policy_.submitted.size() % 3 == 0) return std::nullopt;
    return verdict(v1::Verdict::DECISION_DENY);
  };
  EXPECT_EQ(run(profile(rule("save", R"({"type":"always_true"})", kClickSave))).end(), v1::TASK_END_DONE);
  EXPECT_GT(policy_.submitted.size(), 6U);
}

TEST_F(ProfileRunTest, FailedRuleDoesNotKeepTheNextFromActing) {
  policy_.intercept = [](const v1::SubmitRequest& request) -> std::optional<Result<v1::SubmitReply>> {
    if (!request.step().action().has_ui_click()) return std::nullopt;
    return verdict(v1::Verdict::DECISION_DENY);
  };
  const auto ended =
      run(profile(rule("save", R"({"type":"always_true"})", kClickSave) + "," +
                  rule("key", R"({"type":"always_true"})", R"({"type":"press_key","key":"f5"})", R"(,"stop":true)")));
  EXPECT_EQ(ended.end(), v1::TASK_END_DONE);
  EXPECT_THAT(ended.summary(), HasSubstr("1 failure"));
  ASSERT_EQ(policy_.submitted.size(), 2U);
  EXPECT_EQ(policy_.submitted[1].step().action().press().key(), "f5");
}

TEST_F(ProfileRunTest, RuleWithAStaleTargetIsEvaluatedAgain) {
  policy_.intercept = [this](const v1::SubmitRequest&) -> std::optional<Result<v1::SubmitReply>> {
    world_.element("save")->name = "Saved";
    return verdict(v1::Verdict::DECISION_ALLOW, v1::Outcome::KIND_REFUSED, v1::Outcome::CODE_STALE_TARGET);
  };
  run_.set_for_ms(1'000);
  const auto ended =
      run(profile(rule("save", text_shows("Save"), R"({"type":"press_key","key":"f5"})", R"(,"once":true)") + "," +
                  rule("stop", text_shows("Saved"), R"({"type":"log_message","message":"saved"})", R"(,"stop":true)")));
  // The first rule still holds, "Saved" contains "Save": it is tried again and gives up after six stale targets.
  EXPECT_EQ(policy_.submitted.size(), 6U);
  EXPECT_EQ(ended.end(), v1::TASK_END_DONE);
  EXPECT_THAT(ended.summary(), HasSubstr("the screen kept changing"));
}

TEST_F(ProfileRunTest, RuleWhoseConditionEndsBeforeItsStepBeginsDoesNotAct) {
  policy_.intercept = [this](const v1::SubmitRequest&) -> std::optional<Result<v1::SubmitReply>> {
    world_.element("save")->name = "Gone";
    return verdict(v1::Verdict::DECISION_ALLOW, v1::Outcome::KIND_REFUSED, v1::Outcome::CODE_STALE_TARGET);
  };
  run_.set_for_ms(1'000);
  const auto ended = run(profile(rule("save", text_shows("Save"), R"({"type":"press_key","key":"f5"})")));
  EXPECT_EQ(ended.end(), v1::TASK_END_DONE);
  EXPECT_EQ(policy_.submitted.size(), 1U);
  EXPECT_TRUE(world_.performed.empty());
}

TEST_F(ProfileRunTest, RulesAfterOneThatActedAreEvaluatedAgain) {
  world_.element("save")->on_click = [this] { world_.element("save")->name = "Gone"; };
  run_.set_once(true);
  run_.set_for_ms(0);
  const auto ended = run(profile(rule("first", text_shows("Save"), kClickSave) + "," +
                                 rule("second", text_shows("Save"), R"({"type":"press_key","key":"f5"})") + "," +
                                 rule("third", text_shows("Gone"), R"({"type":"press_key","key":"f6"})")));
  EXPECT_EQ(ended.end(), v1::TASK_END_DONE);
  EXPECT_THAT(ended.summary(), HasSubstr("1 cycle; acted: \"first\" 1 time, \"third\" 1 time"));
}

TEST_F(ProfileRunTest, LaterActionOfARuleIsPlannedForThePresentScreen) {
  world_.element("name")->on_click = [this] {
    world_.windows[0].bounds.x += 500;
    world_.element("save")->bounds.x += 500;
  };
  run_.set_once(true);
  const auto ended = run(profile(rule("both", R"({"type":"always_true"})",
                                      R"({"type":"click","target_relation":"ui_element","name":"Name"},)"
                                      R"({"type":"click","target_relation":"relative_to_region","x":340,"y":310})")));
  EXPECT_EQ(ended.end(), v1::TASK_END_DONE) << ended.summary();
  ASSERT_EQ(policy_.submitted.size(), 2U);
  EXPECT_EQ(policy_.submitted[1].step().action().mouse().x(), 840);
  EXPECT_EQ(policy_.submitted[1].step().action().mouse().y(), 310);
}

TEST_F(ProfileRunTest, CapturedTextIsTyped) {
  world_.element("name")->text = "4711";
  run_.set_once(true);
  const auto ended =
      run(profile(rule("copy", R"({"type":"ocr_contains_text","text_to_find":"4711","capture_as":"seen"})",
                       R"({"type":"type_text","text":"{seen}!"})")));
  EXPECT_EQ(ended.end(), v1::TASK_END_DONE) << ended.summary();
  ASSERT_EQ(policy_.submitted.size(), 1U);
  EXPECT_EQ(policy_.submitted[0].step().action().write().text(), "Name 4711 Save!");
}

TEST_F(ProfileRunTest, UnknownVariableIsAnErrorOfTheProfile) {
  EXPECT_THAT(refusal(profile(rule("copy", text_shows("Save"), R"({"type":"type_text","text":"{who}"})"))),
              HasSubstr("who"));
}

TEST_F(ProfileRunTest, VariablesOfTheCommandLineAreFilledIn) {
  (*run_.mutable_variables())["who"] = "Zoë";
  run_.set_once(true);
  EXPECT_EQ(run(profile(rule("copy", text_shows("Save"), R"({"type":"type_text","text":"for {who}"})"))).end(),
            v1::TASK_END_DONE);
  ASSERT_EQ(policy_.submitted.size(), 1U);
  EXPECT_EQ(policy_.submitted[0].step().action().write().text(), "for Zoë");
}

TEST_F(ProfileRunTest, OnlyCycleWithADeniedRuleEndsAsDenied) {
  run_.set_once(true);
  deny_all();
  EXPECT_EQ(run(profile(rule("save", text_shows("Save"), kClickSave))).end(), v1::TASK_END_DENIED);
  EXPECT_EQ(policy_.submitted.size(), 1U);
}

TEST_F(ProfileRunTest, DryRunSubmitsNothingForExecution) {
  run_.set_once(true);
  dry_run_ = true;
  const auto ended =
      run(profile(rule("save", text_shows("Save"), std::string(kClickSave) + R"(,{"type":"type_text","text":"x"})")));
  EXPECT_EQ(ended.end(), v1::TASK_END_DONE);
  EXPECT_THAT(ended.summary(), HasSubstr("2 steps"));
  ASSERT_EQ(policy_.submitted.size(), 2U);
  for (const auto& request : policy_.submitted) EXPECT_TRUE(request.dry_run());
  EXPECT_TRUE(world_.performed.empty());
}

TEST_F(ProfileRunTest, LogMessagesAndFiringRulesArePublished) {
  run_.set_once(true);
  EXPECT_EQ(
      run(profile(rule("tell", text_shows("Save"), R"({"type":"log_message","message":"it shows","level":"WARNING"})")))
          .end(),
      v1::TASK_END_DONE);
  const auto told = events();
  ASSERT_EQ(told.size(), 2U);
  EXPECT_EQ(told[0].kind(), v1::RuleEvent::KIND_FIRES);
  EXPECT_THAT(told[0].text(), HasSubstr("ocr_contains_text"));
  EXPECT_EQ(told[1].kind(), v1::RuleEvent::KIND_LOG);
  EXPECT_EQ(told[1].level() + " " + told[1].text() + " " + told[1].rule(), "WARNING it shows tell");
  EXPECT_TRUE(policy_.submitted.empty());
}

TEST_F(ProfileRunTest, RuleWithOnceActsOnceAndOneWithACooldownRests) {
  run_.set_for_ms(2'000);
  const auto ended =
      run(profile(rule("once", text_shows("Save"), R"({"type":"press_key","key":"f5"})", R"(,"once":true)") + "," +
                  rule("rests", text_shows("Save"), R"({"type":"press_key","key":"f6"})", R"(,"cooldown_seconds":1)")));
  EXPECT_EQ(ended.end(), v1::TASK_END_DONE);
  EXPECT_THAT(ended.summary(), HasSubstr("\"once\" 1 time, \"rests\" 2 times"));
}

TEST_F(ProfileRunTest, TemplateIsSentOnceAndAgainAfterTheObserverLostIt) {
  auto& file = *run_.add_templates();
  file.set_filename("save.png");
  file.set_content(FakeObserver::template_of("Save"));
  run_.set_for_ms(3'000);
  world_.after(Milliseconds(1'000), [this] {
    observer_.templates.clear();
    world_.element("name")->text = "changed";
  });
  const auto ended =
      run(profile(rule("match", R"({"type":"template_match_found","template_name":"save"})",
                       R"({"type":"click","target_relation":"center_of_last_match"})", R"(,"cooldown_seconds":1.5)"),
                  "", R"({"name":"save","filename":"save.png"})"));
  EXPECT_EQ(ended.end(), v1::TASK_END_DONE) << ended.summary();
  EXPECT_THAT(ended.summary(), HasSubstr("\"match\" 2 times"));
  int sent = 0;
  for (const auto& request : observer_.analyzed) sent += request.templates_size();
  EXPECT_EQ(sent, 2);
  ASSERT_FALSE(policy_.submitted.empty());
  EXPECT_EQ(policy_.submitted[0].step().action().mouse().x(), 340);
  EXPECT_EQ(policy_.submitted[0].step().action().mouse().y(), 310);
}

TEST_F(ProfileRunTest, RegionOfAClosedWindowMakesNoRuleActAndIsNoFailure) {
  world_.close_window("w1");
  run_.set_for_ms(1'000);
  const auto ended = run(profile(rule("save", text_shows("Save"), kClickSave)));
  EXPECT_EQ(ended.end(), v1::TASK_END_DONE);
  EXPECT_THAT(ended.summary(), HasSubstr("no rule acted"));
  EXPECT_THAT(ended.summary(), testing::Not(HasSubstr("failure")));
}

}  // namespace
}  // namespace da::planner::rules::run_test
