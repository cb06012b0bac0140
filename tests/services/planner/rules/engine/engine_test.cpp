#include "services/planner/rules/engine/engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/services/planner/rules/engine/facts.h"
#include "tests/services/planner/rules/profile_files.h"

namespace da::planner::rules {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

const json kAlways = {{"type", "always_true"}};
const json kNever = {{"logical_operator", "NOT"}, {"sub_conditions", {kAlways}}};

json rule(const std::string& name, const json& condition, json more = json::object()) {
  more["name"] = name;
  more["region"] = "main";
  more["condition"] = condition;
  if (!more.contains("action") && !more.contains("actions"))
    more["action"] = {{"type", "log_message"}, {"message", name}};
  return more;
}

class EngineTest : public testing::Test {
 protected:
  void use(const std::vector<json>& rules) {
    profile_ = must_read(json{
        {"settings", {{"analysis_dominant_colors_k", 4}}},
        {"regions",
         {{{"name", "main"}, {"x", 10}, {"y", 20}, {"width", 100}, {"height", 50}},
          {{"name", "other"}, {"x", 0}, {"y", 0}, {"width", 10}, {"height", 10}},
          {{"name", "unused"}, {"x", 0}, {"y", 0}, {"width", 10}, {"height", 10}}}},
        {"templates", {{{"name", "gear"}, {"filename", "gear.png"}}}},
        {"rules", rules}}.dump());
    analyses_ = no_analyses(profile_);
    state_ = RunState(profile_.rules.size());
  }

  Cycle cycle(Reports reports = Reports::kOfDecisions) {
    return Engine(profile_).evaluate(analyses_, given_, state_, now_, reports);
  }

  // Names of the rules that act, which are then marked.
  std::vector<std::string> act() {
    std::vector<std::string> names;
    for (const Decision& decision : cycle().decisions) {
      names.push_back(profile_.rules[decision.rule].name);
      mark_acted(state_, decision.rule, now_);
    }
    return names;
  }

  Profile profile_;
  Analyses analyses_;
  Variables given_;
  RunState state_;
  MonoTime now_{1h};
};

TEST_F(EngineTest, RulesThatHoldActInTheOrderOfTheFile) {
  use({rule("b", kAlways), rule("no", kNever), rule("a", kAlways)});
  EXPECT_THAT(act(), ElementsAre("b", "a"));
  EXPECT_THAT(act(), ElementsAre("b", "a"));  // Rules act again in each cycle.
}

TEST_F(EngineTest, OnceAndCooldownCountFromTheLastAct) {
  use({rule("once", kAlways, {{"once", true}}), rule("slow", kAlways, {{"cooldown_seconds", 10}})});
  EXPECT_THAT(act(), ElementsAre("once", "slow"));
  now_ += 9999ms;
  EXPECT_THAT(act(), ElementsAre());
  now_ += 1ms;
  EXPECT_THAT(act(), ElementsAre("slow"));
  EXPECT_THAT(act(), ElementsAre());
  const Cycle all = cycle(Reports::kAll);
  EXPECT_EQ(all.reports.at(0).reason, "it has acted once");
  EXPECT_EQ(all.reports.at(1).reason, "it rests for 10 seconds more");
}

TEST_F(EngineTest, ARuleThatEndsTheRunIsTheLast) {
  use({rule("first", kAlways), rule("last", kAlways, {{"stop", true}}), rule("after", kAlways)});
  EXPECT_THAT(act(), ElementsAre("first", "last"));
  EXPECT_TRUE(cycle().stop);
  use({rule("no", kNever, {{"stop", true}}), rule("after", kAlways)});
  EXPECT_THAT(act(), ElementsAre("after"));
  EXPECT_FALSE(cycle().stop);
}

TEST_F(EngineTest, RulesAfterOneThatMayEndTheRunWaitForIt) {
  const json pixel = {{"type", "pixel_color"}, {"expected_bgr", {1, 2, 3}}};
  const json model = {{"type", "gemini_vision_query"}, {"prompt", "costs money"}};
  use({rule("maybe", pixel, {{"stop", true}}), rule("after", model)});
  EXPECT_EQ(cycle().questions.size(), 1U);
  EXPECT_EQ(cycle().questions.at(0).kind, QuestionKind::kPixel);
  add_region_facts(profile_, "main", {{"pixels", {{"0,0", {9, 9, 9}}}}}, analyses_);
  EXPECT_EQ(cycle().questions.at(0).kind, QuestionKind::kModel);
  EXPECT_EQ(cycle().questions.at(0).rule, 1U);
}

TEST_F(EngineTest, ACycleIsCompleteWhenAllQuestionsAreAnswered) {
  const json both = {{"logical_operator", "AND"},
                     {"sub_conditions",
                      {{{"type", "template_match_found"}, {"template_name", "gear"}},
                       {{"type", "gemini_vision_query"}, {"prompt", "q"}, {"capture_as", "v"}}}}};
  use({rule("r", both,
            {{"actions",
              {{{"type", "click"}, {"target_relation", "ui_element"}, {"name", "OK"}},
               {{"type", "type_text"}, {"text", "{v}"}}}}})});
  EXPECT_EQ(cycle().questions.at(0).kind, QuestionKind::kTemplate);
  add_region_facts(profile_, "main", {{"templates", {{"gear", {0.9, 1, 2, 3, 4}}}}}, analyses_);
  EXPECT_EQ(cycle().questions.at(0).kind, QuestionKind::kModel);
  add_region_facts(profile_, "main", {{"models", {{"q", "42"}}}}, analyses_);
  EXPECT_EQ(cycle().questions.at(0).kind, QuestionKind::kElement);
  EXPECT_TRUE(cycle().decisions.empty());
  add_element_facts(
      {{"OK|", {{{"role", "push button"}, {"name", "OK"}, {"states", json::array()}, {"box", {1, 1, 9, 9}}}}}},
      analyses_);
  const Cycle done = cycle();
  EXPECT_TRUE(done.questions.empty());
  ASSERT_EQ(done.decisions.size(), 1U);
  EXPECT_EQ(std::get<v1::Step>(done.decisions[0].actions.at(0).at(0)).action().ui_click().element_id(), "id-1");
  EXPECT_EQ(std::get<v1::Step>(done.decisions[0].actions.at(1).at(0)).action().write().text(), "42");
  EXPECT_THAT(to_text(done.decisions[0].report), HasSubstr("  would click"));
}

TEST_F(EngineTest, AnActionThatCannotBePlannedKeepsTheWholeRuleFromActing) {
  use({rule("bad", kAlways,
            {{"actions",
              {{{"type", "log_message"}, {"message", "m"}},
               {{"type", "click"}, {"target_relation", "relative_to_region"}, {"x", 100}, {"y", 1}}}}}),
       rule("good", kAlways)});
  add_region_facts(profile_, "main", json::object(), analyses_);
  const Cycle done = cycle();
  ASSERT_EQ(done.errors.size(), 1U);
  EXPECT_THAT(done.errors[0].message, HasSubstr("rule \"bad\": the place 100,1 is outside of the region"));
  ASSERT_EQ(done.decisions.size(), 1U);
  EXPECT_EQ(done.decisions[0].rule, 1U);
}

TEST_F(EngineTest, VariablesEndWithTheRule) {
  const json captures = {{"type", "ocr_contains_text"}, {"text_to_find", "a"}, {"capture_as", "t"}};
  const json other = {{"logical_operator", "OR"}, {"sub_conditions", {kAlways, captures}}};
  const json types = {{"action", {{"type", "type_text"}, {"text", "{t}"}}}};
  use({rule("captures", captures, types), rule("does not", other, types)});
  add_region_facts(profile_, "main", {{"ocr", {{"text", "a b"}, {"confidence", 99}}}}, analyses_);
  const Cycle done = cycle();
  ASSERT_EQ(done.decisions.size(), 1U);
  ASSERT_EQ(done.errors.size(), 1U);
  EXPECT_THAT(done.errors[0].message, HasSubstr("rule \"does not\": the placeholder {t}"));
}

TEST_F(EngineTest, NextRestEndsWithTheFirstRuleThatIsEvaluatedAgain) {
  use({rule("slow", kAlways, {{"cooldown_seconds", 9}}), rule("fast", kAlways, {{"cooldown_seconds", 2}}),
       rule("once", kAlways, {{"once", true}})});
  const Engine engine(profile_);
  EXPECT_EQ(engine.next_rested(state_, now_), std::nullopt);
  act();
  EXPECT_EQ(engine.next_rested(state_, now_), now_ + 2s);
  EXPECT_EQ(engine.next_rested(state_, now_ + 2s), now_ + 9s);
  EXPECT_EQ(engine.next_rested(state_, now_ + 9s), std::nullopt);
}

TEST_F(EngineTest, RuleIsNotEvaluatedBeforeItsRestIsOver) {
  use({rule("a", kAlways)});
  state_[0].rests_until = now_ + 1s;
  EXPECT_THAT(act(), ElementsAre());
  now_ += 1s;
  EXPECT_THAT(act(), ElementsAre("a"));
}

TEST_F(EngineTest, GivenVariablesAreForAllRules) {
  const auto read = read_profile(
      R"({"rules": [{"condition": {"type": "always_true"}, "action": {"type": "type_text", "text": "{user}"}}]})",
      {.variables = {"user"}});
  profile_ = *read.profile;
  state_ = RunState(1);
  given_ = {{"user", "ann"}};
  EXPECT_EQ(std::get<v1::Step>(cycle().decisions.at(0).actions.at(0).at(0)).action().write().text(), "ann");
}

TEST_F(EngineTest, NeedsAreThoseOfTheConditions) {
  const json mean = {{"type", "average_color_is"}, {"expected_bgr", {1, 2, 3}}, {"region", "other"}};
  const json ocr = {{"type", "ocr_contains_text"}, {"text_to_find", "a"}};
  const json dominant = {{"type", "dominant_color_matches"}, {"expected_bgr", {1, 2, 3}}};
  use({rule("r", {{"logical_operator", "OR"},
                  {"sub_conditions", {mean, {{"logical_operator", "NOT"}, {"sub_conditions", {ocr}}}, dominant}}})});
  const auto needs = Engine(profile_).needs();
  EXPECT_EQ(needs.at(0), (RegionNeeds{.ocr = true, .dominant = 4, .used = true}));
  EXPECT_EQ(needs.at(1), (RegionNeeds{.average = true, .used = true}));
  EXPECT_EQ(needs.at(2), RegionNeeds{});
}

TEST_F(EngineTest, EqualInputGivesEqualDecisions) {
  use({rule("a", kAlways), rule("b", kNever)});
  const auto text = [&] {
    std::string all;
    for (const RuleReport& report : cycle(Reports::kAll).reports) all += to_text(report);
    return all;
  };
  EXPECT_EQ(text(), text());
}

}  // namespace
}  // namespace da::planner::rules
