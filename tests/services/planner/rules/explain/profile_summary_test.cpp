#include "services/planner/rules/explain/profile_summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/services/planner/rules/profile_files.h"

namespace da::planner::rules {
namespace {

using testing::ElementsAre;

std::vector<std::string> summary_of(const std::string& rules) {
  return profile_summary(must_read(R"({"settings":{"monitoring_interval_seconds":0.5},"regions":[
    {"name":"inbox","window":"Mail","x":1,"y":2,"width":30,"height":40},
    {"name":"bar","x":0,"y":0,"width":1280,"height":20}],"rules":[)" +
                                   rules + "]}"));
}

TEST(ProfileSummary, TellsWhatARuleReadsAndDoes) {
  EXPECT_THAT(summary_of(R"({"name":"greet","region":"inbox",
                "condition":{"type":"ocr_contains_text","text_to_find":"Hi"},
                "actions":[{"type":"click","target_relation":"ui_element","name":"Send","role":"button"},
                           {"type":"type_text","text":"Hello"},
                           {"type":"press_key","key":"ctrl,s"},
                           {"type":"log_message","message":"done"}]})"),
              ElementsAre(R"(reads    region "inbox": 30x40 at 1,2 of the window "Mail", every 0.5 s)",
                          "reads    the names and states of elements of the desktop",
                          R"(clicks   the element "Send" (rule "greet"))", R"(types    "Hello" (rule "greet"))",
                          R"(presses  "ctrl,s" (rule "greet"))"));
}

TEST(ProfileSummary, TellsWhatIsSentToWhichModel) {
  const std::string ask = R"("region":"bar","condition":{"type":"gemini_vision_query","prompt":"busy?",
      "expected_response_contains":"yes","model_name":"openai/gpt-4.1"},"actions":[{"type":"log_message","message":"busy"}]})";
  EXPECT_THAT(
      summary_of(R"({"name":"one",)" + ask + R"(,{"name":"two",)" + ask),
      ElementsAre(
          R"(reads    region "bar": 1280x20 at 0,0 of the desktop, every 0.5 s)",
          R"(sends    a picture of region "bar" and "busy?" to the model "openai/gpt-4.1" (rules "one", "two"))",
          "does     nothing on the desktop"));
}

TEST(ProfileSummary, TellsWhenAModelDecides) {
  EXPECT_THAT(
      summary_of(R"({"name":"fill","region":"inbox","condition":{"type":"always_true"},"actions":[
          {"type":"gemini_perform_task","goal_prompt":"answer it","require_confirmation_before_each_step":false}]})"),
      ElementsAre(
          R"(reads    region "inbox": 30x40 at 1,2 of the window "Mail", every 0.5 s)",
          "reads    the names and states of elements of the desktop",
          R"(sends    a picture of region "inbox", names of elements and "answer it" to the model )"
          R"("gemini-1.5-flash-latest" (rule "fill"))",
          R"(does     what the model decides for "answer it", in region "inbox", at most 5 steps (rule "fill"))"));
}

// The full planner sees the whole desktop, wherever it may act.
TEST(ProfileSummary, TellsThatACommandShowsTheDesktop) {
  EXPECT_THAT(summary_of(R"({"name":"all","region":"inbox","condition":{"type":"always_true"},"actions":[
                {"type":"gemini_perform_task","natural_language_command":"tidy up","context_region_names":"bar"}]})"),
              testing::Contains(R"(sends    a picture of the desktop, names of elements and "tidy up" to the model )"
                                R"("gemini-1.5-flash-latest" (rule "all"))"));
}

TEST(ProfileSummary, RegionsThatAreOnlyClickedHaveAPlace) {
  EXPECT_THAT(summary_of(R"({"name":"go","region":"bar","condition":{"type":"always_true"},"actions":[
                {"type":"click","target_relation":"center_of_region"}]})"),
              ElementsAre(R"(reads    region "bar": 1280x20 at 0,0 of the desktop, every 0.5 s)",
                          R"(clicks   the centre of region "bar" (rule "go"))"));
}

TEST(ProfileSummary, NothingIsLeftOut) {
  std::string rules;
  const std::string text(2'000, 'x');
  for (int i = 0; i < 200; ++i) {
    rules += (i == 0 ? "" : ",") + std::string(R"({"name":"r)") + std::to_string(i) +
             R"(","condition":{"type":"always_true"},"actions":[{"type":"type_text","text":")" + text + R"("}]})";
  }
  const auto lines = summary_of(rules);
  ASSERT_EQ(lines.size(), 200U);
  EXPECT_EQ(lines.back(), "types    \"" + text + "\" (rule \"r199\")");
}

TEST(ProfileSummary, ForeignTextCannotForgeALine) {
  const auto lines =
      summary_of(R"({"name":"a\u001b[2J\nreads nothing","region":"bar","condition":{"type":"always_true"},
                                    "actions":[{"type":"type_text","text":"x\nclicks nothing"}]})");
  for (const std::string& line : lines) EXPECT_EQ(line.find_first_of("\n\x1b"), std::string::npos) << line;
}

}  // namespace
}  // namespace da::planner::rules
