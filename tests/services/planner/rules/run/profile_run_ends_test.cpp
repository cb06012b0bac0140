// How runs of a profile end, and which profiles do not begin.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "tests/services/planner/rules/run/profile_run_fixture.h"

namespace da::planner::rules::run_test {
namespace {

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
}  // namespace da::planner::rules::run_test
