// Tasks of single suggestions, as in Mark-I's decision module.
#include <gtest/gtest.h>

#include <string>

#include "tests/services/planner/model/model_task.h"

namespace da::planner::model {
namespace {

std::string suggestion(const std::string& type, const std::string& parameters) {
  return R"({"action_type":")" + type + R"(","parameters":)" + parameters + R"(,"reasoning":"It comes next."})";
}
const std::string kEnter = suggestion("PRESS_KEY_SIMPLE", R"({"key_name":"enter"})");

class SuggestionDialectTest : public ModelTask {
 protected:
  SuggestionDialectTest() { world_.open_window({"w", "Page"}); }

  v1::TaskResult decide(const v1::Decision& decision) {
    EXPECT_TRUE(check_decision(decision));
    dialect_ = suggestion_dialect(decision);
    return run(decision_options({}, decision));
  }
  const v1::Step& submitted(std::size_t n) { return policy_.submitted.at(n).step(); }
};

TEST_F(SuggestionDialectTest, TaskEndsAfterOneStep) {
  model_.says(kEnter);
  const auto result = decide({});
  EXPECT_EQ(result.end(), v1::TASK_END_DONE) << result.summary();
  EXPECT_TRUE(has(result.summary(), "1 step was taken")) << result.summary();
  ASSERT_EQ(policy_.submitted.size(), 1u);
  EXPECT_EQ(submitted(0).action().press().key(), "enter");
  EXPECT_EQ(submitted(0).justification(), "It comes next.");
  EXPECT_TRUE(submitted(0).concerns().empty());
  EXPECT_EQ(model_.requests[0].schema_name, "suggestion");
  EXPECT_TRUE(has(model_.requests[0].system, "- CLICK_DESCRIBED_ELEMENT"));
}

TEST_F(SuggestionDialectTest, TaskFailsIfItsLastStepFails) {
  policy_.intercept = [](const v1::SubmitRequest&) -> std::optional<Result<v1::SubmitReply>> {
    return verdict(v1::Verdict::DECISION_ALLOW, v1::Outcome::KIND_REFUSED, v1::Outcome::CODE_NOT_FOUND);
  };
  model_.says(kEnter);
  const auto result = decide({});
  EXPECT_EQ(result.end(), v1::TASK_END_FAILED) << result.summary();
  EXPECT_TRUE(has(result.summary(), "the last step was not carried out: press key=\"enter\": failed"))
      << result.summary();
}

TEST_F(SuggestionDialectTest, EveryActionOfTheDialectIsRead) {
  world_.add({.id = "1", .window_id = "w", .role = "push button", .name = "Save"});
  world_.add({.id = "2", .window_id = "w", .role = "text", .name = "Name", .bounds = {9, 300, 9, 9}, .editable = true});
  v1::Decision decision;
  decision.set_max_steps(9);
  model_.says(suggestion("CLICK_DESCRIBED_ELEMENT", R"({"target_description":"Save"})"))
      .says(suggestion("TYPE_IN_DESCRIBED_FIELD", R"({"target_description":"Name","text_to_type":"Ada"})"))
      .says(kEnter)
      .says(suggestion("WAIT_SHORT", R"({"duration_seconds":0})"))
      .says(suggestion("CHECK_ELEMENT_PROPERTY", R"({"target_description":"Save","property_to_check":"is_enabled"})"))
      .says(suggestion("NONE", "{}"));
  const auto result = decide(decision);
  EXPECT_EQ(result.end(), v1::TASK_END_DONE) << result.summary();
  EXPECT_TRUE(result.summary().starts_with("It comes next. (6 steps, ")) << result.summary();
  ASSERT_EQ(policy_.submitted.size(), 6u);
  EXPECT_EQ(submitted(0).action().ui_click().element_id(), "1");
  EXPECT_EQ(submitted(2).action().write().text(), "Ada");
  EXPECT_EQ(submitted(4).action().sleep().secs(), 0);
  EXPECT_EQ(submitted(5).action().check_element_property().property(), v1::CheckElementProperty::PROPERTY_ENABLED);
}

TEST_F(SuggestionDialectTest, EachStepNeedsConfirmationIfTheTaskWantsIt) {
  v1::Decision decision;
  decision.set_confirm_each_step(true);
  model_.says(kEnter);
  decide(decision);
  ASSERT_EQ(policy_.submitted.size(), 1u);
  EXPECT_EQ(submitted(0).concerns(0), "each step of this task must be confirmed");
}

TEST_F(SuggestionDialectTest, DisallowedActionIsReportedToTheModel) {
  v1::Decision decision;
  decision.add_allowed_actions("WAIT_SHORT");
  model_.says(kEnter).says(suggestion("WAIT_SHORT", R"({"duration_seconds":0})"));
  EXPECT_EQ(decide(decision).end(), v1::TASK_END_DONE);
  ASSERT_EQ(policy_.submitted.size(), 1u);
  EXPECT_TRUE(has(told(1), "PRESS_KEY_SIMPLE\", which this task does not allow")) << told(1);
  EXPECT_FALSE(
      has(model_.requests[0].system.substr(0, model_.requests[0].system.find("# Examples")), "- PRESS_KEY_SIMPLE"));
  EXPECT_EQ(model_.requests[0].schema["properties"]["action_type"]["enum"].dump(), R"(["WAIT_SHORT","NONE"])");
}

TEST_F(SuggestionDialectTest, MalformedSuggestionIsReportedToTheModel) {
  const std::pair<std::string, const char*> replies[] = {
      {R"({"action_type":"WAIT_SHORT","parameters":{"duration_seconds":0}})", "lacks the key \"reasoning\""},
      {suggestion("LAUNCH", "{}"), "known: "},
      {suggestion("write", R"({"text":"x"})"), "known: "},
      {suggestion("NONE", R"({"x":1})"), "must be {} for NONE"},
      {suggestion("PRESS_KEY_SIMPLE", R"({"key":"enter"})"), "unknown key \"key\"; allowed: key_name"},
      {suggestion("PRESS_KEY_SIMPLE", R"({"keys":["a","b"]})"), "unknown key \"keys\"; allowed: key_name"},
      {suggestion("PRESS_KEY_SIMPLE", "{}"), "exactly one"},
      {suggestion("WAIT_SHORT", "{}"), "duration_seconds is missing"},
      {suggestion("WAIT_SHORT", "7"), "must be an object"},
      {suggestion("PRESS_KEY_SIMPLE", R"({"key_name":"blub"})"), "blub"},
      {suggestion("PRESS_KEY_SIMPLE", R"({"key_name":["enter"]})"), "must be a string"},
      {suggestion("WAIT_SHORT", R"({"duration_seconds":3600})"), "secs"},
      {R"({"steps":[],"done":"x"})", "unknown key"},
      {"```json\n" + kEnter + "\n```", ""},
      {R"({"action_type":"WAIT_SHORT","parameters":{"duration_seconds":0},"reasoning":""})", "not empty"}};
  for (const auto& [reply, why] : replies) {
    model_.says(reply).says(suggestion("NONE", "{}"));
    EXPECT_EQ(decide({}).end(), v1::TASK_END_DONE) << reply;
    EXPECT_TRUE(policy_.submitted.empty()) << reply;
    EXPECT_TRUE(has(told(1), why)) << reply << ": " << told(1);
    model_.requests.clear();
  }
}

TEST_F(SuggestionDialectTest, EachRegionIsShownWithItsName) {
  v1::Decision decision;
  for (const char* name : {"login form", "status \x1b[2Jbar"}) {
    auto* region = decision.add_regions();
    region->set_name(name);
    region->mutable_area()->set_width(100);
    region->mutable_area()->set_height(50);
  }
  model_.says(suggestion("NONE", "{}"));
  EXPECT_EQ(decide(decision).end(), v1::TASK_END_DONE);
  const Message& asked = model_.requests.at(0).messages.at(0);
  EXPECT_EQ(asked.images.size(), 2u);
  EXPECT_TRUE(has(asked.text, "Picture 1: \"login form\"\nPicture 2: \"status \\x1b[2Jbar\"\n")) << asked.text;
  EXPECT_FALSE(has(asked.text, "The screenshot has")) << asked.text;
}

TEST_F(SuggestionDialectTest, InvalidDecisionIsRefused) {
  v1::Decision unknown;
  unknown.add_allowed_actions("FORMAT_DISK");
  EXPECT_FALSE(check_decision(unknown));
  v1::Decision nameless;
  nameless.add_regions();
  EXPECT_FALSE(check_decision(nameless));
  v1::Decision empty;
  empty.add_regions()->set_name("x");
  EXPECT_FALSE(check_decision(empty));
  v1::Decision long_one;
  long_one.set_max_steps(1000);
  EXPECT_FALSE(check_decision(long_one));
}

}  // namespace
}  // namespace da::planner::model
