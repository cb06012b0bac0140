// Whole runs of a profile: queue, runner and proposer, on the fake desktop. Each call to the observer takes 50 ms of
// the fake clock.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "lib/bus/memory_transport.h"
#include "lib/bus/subscriber.h"
#include "lib/bus/topics.h"
#include "lib/contract/profile_goal.h"
#include "lib/contract/task_token.h"
#include "services/planner/rules/run/rule_proposer.h"
#include "services/planner/task/task_queue.h"
#include "tests/services/planner/fake_world.h"

namespace da::planner::rules {
namespace {

constexpr Milliseconds kEndTimeout{20'000};
constexpr Milliseconds kLook{50};
using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kRegions = R"("regions":[
  {"name":"form","window":"Form","x":0,"y":0,"width":0,"height":0},
  {"name":"screen","x":0,"y":0,"width":1280,"height":800}])";
constexpr const char* kClickSave = R"({"type":"click","target_relation":"ui_element","name":"Save","role":"button"})";

std::string text_shows(const std::string& text) {
  return R"({"type":"ocr_contains_text","region":"form","text_to_find":")" + text + R"("})";
}

std::string rule(const std::string& name, const std::string& condition, const std::string& actions,
                 const std::string& more = "") {
  return R"({"name":")" + name + R"(","region":"form","condition":)" + condition + R"(,"actions":[)" + actions + "]" +
         more + "}";
}

std::string profile(const std::string& rules, const std::string& settings = "", const std::string& templates = "") {
  return R"({"settings":{"monitoring_interval_seconds":0.01)" + settings + "}," + kRegions + R"(,"templates":[)" +
         templates + R"(],"rules":[)" + rules + "]}";
}

class ProfileRunTest : public testing::Test {
 protected:
  ProfileRunTest() {
    world_.open_window({"w1", "Form", "/usr/bin/form"});
    world_.add({.id = "name", .window_id = "w1", .role = "text", .name = "Name", .editable = true});
    world_.add({.id = "save", .window_id = "w1", .role = "push button", .name = "Save", .bounds = {300, 300, 80, 20}});
    observer_.on_call = [this] { world_.advance(kLook); };
    run_.set_name("test.json");
    run_.set_for_ms(5'000);
  }

  Result<v1::StartTaskReply> try_start(const std::string& text) {
    run_.set_text(text);
    v1::StartTaskRequest request;
    request.set_goal(contract::profile_goal(run_));
    request.set_task_id("t1");
    request.set_task_token(contract::task_token("secret", request.goal()));
    request.set_planner(kProfile);
    request.set_dry_run(dry_run_);
    *request.mutable_profile() = run_;
    return queue_.start(request);
  }

  v1::TaskResult run(const std::string& text) {
    const auto started = try_start(text);
    EXPECT_TRUE(started) << (started ? "" : started.error().message);
    return started ? result() : v1::TaskResult();
  }

  std::string refusal(const std::string& text) {
    const auto started = try_start(text);
    EXPECT_FALSE(started);
    return started ? "" : started.error().message;
  }

  v1::TaskResult result() {
    const auto reply = queue_.await("t1", kEndTimeout);
    EXPECT_TRUE(reply && reply->ended());
    return reply ? reply->result() : v1::TaskResult();
  }

  void deny_all() {
    policy_.intercept = [](const v1::SubmitRequest&) { return verdict(v1::Verdict::DECISION_DENY); };
  }

  std::vector<v1::RuleEvent> events() {
    std::vector<v1::RuleEvent> all;
    while (true) {
      const auto fact = facts_.next(system_clock().now());
      if (!fact || !*fact) return all;
      if (const auto* event = (*fact)->as<v1::RuleEvent>()) all.push_back(*event);
    }
  }

  FakeWorld world_;
  FakeObserver observer_{world_};
  FakePolicy policy_{world_};
  std::shared_ptr<bus::MemoryBus> bus_ = bus::MemoryBus::create();
  bus::Publisher publisher_{bus_->sink(), {"planner", "fake:1"}, world_.clock};
  bus::Subscriber facts_{bus_->source({bus::topic_name<v1::RuleEvent>()})};
  const model::Settings models_;
  v1::ProfileRun run_;
  bool dry_run_ = false;
  TaskQueue queue_{
      {observer_, policy_, publisher_, world_.clock, models_, [](const std::string&) { return std::nullopt; }}};
};

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

TEST_F(ProfileRunTest, LostObserverEndsTheRun) {
  observer_.on_call = [this] {
    world_.advance(kLook);
    if (observer_.analyzed.size() == 1) observer_.lost = Error{Code::kUnavailable, "da-observer is gone"};
  };
  EXPECT_EQ(run(profile(rule("never", text_shows("nowhere"), kClickSave))).end(), v1::TASK_END_SERVICE_LOST);
}

TEST_F(ProfileRunTest, CancelEndsTheWaitForTheNextCycle) {
  run_.set_for_ms(0);
  observer_.waits_block = true;
  ASSERT_TRUE(try_start(R"({"settings":{"monitoring_interval_seconds":3600},)" + std::string(kRegions) +
                        R"(,"templates":[],"rules":[)" +
                        rule("tell", text_shows("Save"), R"({"type":"log_message","message":"x"})") + "]}"));
  while (events().empty()) std::this_thread::yield();
  ASSERT_TRUE(queue_.cancel("t1", "enough"));
  EXPECT_EQ(result().end(), v1::TASK_END_CANCELLED);
}

TEST_F(ProfileRunTest, ErrorsOfAProfileHaveTheirPlaceAndNothingBegins) {
  EXPECT_THAT(refusal("{\n  \"rules\": [\n    {\"nam\": 1}]}"), HasSubstr("test.json:3:"));
  EXPECT_THAT(refusal("{"), HasSubstr("test.json:1:"));
  EXPECT_TRUE(observer_.analyzed.empty());
}

TEST_F(ProfileRunTest, ModelWithoutAKeyIsRefusedByName) {
  const std::string error =
      refusal(profile(rule("ask", R"({"type":"gemini_vision_query","prompt":"is it red?"})", kClickSave)));
  EXPECT_THAT(error, HasSubstr("rule \"ask\" asks the model \"gemini-1.5-flash-latest\""));
  EXPECT_THAT(error, HasSubstr("set GEMINI_API_KEY"));
  EXPECT_TRUE(observer_.analyzed.empty());
}

TEST_F(ProfileRunTest, TaskForAModelWithoutAKeyIsRefusedByName) {
  const std::string error = refusal(
      profile(rule("do", R"({"type":"always_true"})", R"({"type":"gemini_perform_task","goal_prompt":"tidy up"})")));
  EXPECT_THAT(error, HasSubstr("rule \"do\" asks the model \"gemini-1.5-flash-latest\""));
  EXPECT_THAT(error, HasSubstr("set GEMINI_API_KEY"));
}

TEST_F(ProfileRunTest, TemplateThatWasNotSentIsAnErrorOfTheProfile) {
  const std::string text =
      profile(rule("match", R"({"type":"template_match_found","template_name":"save"})", kClickSave), "",
              R"({"name":"save","filename":"save.png"})");
  EXPECT_THAT(refusal(text), HasSubstr("no such file"));
  auto& file = *run_.add_templates();
  file.set_filename("save.png");
  file.set_content("GIF89a");
  EXPECT_THAT(refusal(text), HasSubstr("neither a PNG nor a JPEG file"));
}

TEST_F(ProfileRunTest, UnknownKeysAreWarningsAndWithStrictErrors) {
  run_.set_once(true);
  const std::string text = profile(rule("save", text_shows("nowhere"), kClickSave, R"(,"colour":"red")"));
  const auto started = try_start(text);
  ASSERT_TRUE(started) << started.error().message;
  ASSERT_EQ(started->warnings_size(), 1);
  EXPECT_THAT(started->warnings(0), HasSubstr("colour"));
  EXPECT_EQ(result().end(), v1::TASK_END_DONE);
  run_.set_strict(true);
  EXPECT_THAT(refusal(text), HasSubstr("colour"));
}

TEST_F(ProfileRunTest, TokenOfAnotherProfileIsRefused) {
  run_.set_text(profile(""));
  v1::StartTaskRequest request;
  request.set_goal(contract::profile_goal(run_));
  request.set_task_id("t1");
  request.set_task_token(contract::task_token("secret", request.goal()));
  request.set_planner(kProfile);
  *request.mutable_profile() = run_;
  request.mutable_profile()->set_text(profile(rule("save", R"({"type":"always_true"})", kClickSave)));
  const auto started = queue_.start(request);
  ASSERT_FALSE(started);
  EXPECT_THAT(started.error().message, HasSubstr("for another profile"));
}

}  // namespace
}  // namespace da::planner::rules
