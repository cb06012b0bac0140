// The cases are lines of condition_cases.jsonl: a condition, what the screen shows (facts.h), the outcome, and texts
// with placeholders that the captured values fill.
#include "services/planner/rules/engine/condition_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "tests/services/planner/rules/engine/facts.h"
#include "tests/services/planner/rules/profile_files.h"

namespace da::planner::rules {
namespace {

using nlohmann::json;
using testing::HasSubstr;

std::vector<json> condition_cases() {
  const auto text = os::read_file(std::string(DA_PROFILES_DIR) + "/../engine/condition_cases.jsonl");
  std::vector<json> cases;
  std::istringstream lines(text.value_or(""));
  for (std::string line; std::getline(lines, line);) cases.push_back(json::parse(line));
  return cases;
}

Profile profile_with_condition(const json& condition) {
  return must_read(
      json{{"regions",
            {{{"name", "main"}, {"x", 10}, {"y", 20}, {"width", 100}, {"height", 50}},
             {{"name", "other"}, {"x", 200}, {"y", 20}, {"width", 100}, {"height", 50}}}},
           {"templates", {{{"name", "gear"}, {"filename", "gear.png"}}, {{"name", "star"}, {"filename", "star.png"}}}},
           {"rules",
            {{{"name", "r"},
              {"region", "main"},
              {"condition", condition},
              {"action", {{"type", "log_message"}, {"message", "m"}}}}}}}
          .dump());
}

Analyses analyses_of(const Profile& profile, const json& one) {
  Analyses analyses = no_analyses(profile);
  if (one.contains("main")) add_region_facts(profile, "main", one["main"], analyses);
  if (one.contains("other")) add_region_facts(profile, "other", one["other"], analyses);
  if (one.contains("elements")) add_element_facts(one["elements"], analyses);
  return analyses;
}

TEST(ConditionCheck, ThereAreAtLeastTwoHundredCases) { EXPECT_GE(condition_cases().size(), 200U); }

TEST(ConditionCheck, EachCaseHasItsOutcome) {
  for (const json& one : condition_cases()) {
    const Profile profile = profile_with_condition(one["condition"]);
    ASSERT_EQ(profile.rules.size(), 1U) << one["case"];
    const Analyses analyses = analyses_of(profile, one);
    ConditionReport report;
    ConditionCheck with_report(profile, analyses, {});
    EXPECT_EQ(to_text(with_report.check(profile.rules[0].condition, &report)), one["expect"]) << one << "\n"
                                                                                              << report.reason;
    ConditionCheck check(profile, analyses, {});
    EXPECT_EQ(to_text(check.check(profile.rules[0].condition, nullptr)), one["expect"]) << one;
    EXPECT_EQ(check.question().has_value(), one["expect"] == "not known yet") << one;
    EXPECT_EQ(report.outcome, with_report.check(profile.rules[0].condition, nullptr)) << one;
    const json captured = one.value("captured", json::object());
    for (const auto& [text, value] : captured.items()) {
      const auto filled = TextTemplate(text).fill(check.variables());
      ASSERT_TRUE(filled) << one["case"] << ": " << filled.error().message;
      EXPECT_EQ(*filled, value) << one["case"];
    }
  }
}

TEST(ConditionCheck, AConditionIsNotAskedAboutIfOneBeforeItFails) {
  const json condition = {{"logical_operator", "AND"},
                          {"sub_conditions",
                           {{{"type", "pixel_color"}, {"expected_bgr", {1, 2, 3}}},
                            {{"type", "gemini_vision_query"}, {"prompt", "costs money"}}}}};
  const Profile profile = profile_with_condition(condition);
  const auto question = [&](const json& pixels) {
    const Analyses analyses = analyses_of(profile, {{"main", {{"pixels", pixels}}}});
    ConditionCheck check(profile, analyses, {});
    check.check(profile.rules[0].condition, nullptr);
    return check.question();
  };
  EXPECT_EQ(question(json::object())->kind, QuestionKind::kPixel);
  EXPECT_FALSE(question({{"0,0", {9, 9, 9}}}));
  EXPECT_EQ(question({{"0,0", {1, 2, 3}}})->kind, QuestionKind::kModel);
  EXPECT_EQ(question({{"0,0", {1, 2, 3}}})->name, "costs money");
}

TEST(ConditionCheck, ReportsHaveMeasuredBesideExpectedValues) {
  const json condition = {{"logical_operator", "AND"},
                          {"sub_conditions",
                           {{{"type", "pixel_color"}, {"expected_bgr", {1, 2, 3}}, {"tolerance", 4}},
                            {{"type", "ocr_contains_text"}, {"text_to_find", "Done"}},
                            {{"type", "template_match_found"}, {"template_name", "gear"}}}}};
  const Profile profile = profile_with_condition(condition);
  const Analyses analyses = analyses_of(
      profile,
      {{"main", {{"pixels", {{"0,0", {1, 2, 7}}}}, {"ocr", {{"text", "Wait \x1b[31m"}, {"confidence", 91.23456}}}}}});
  RuleReport report{"r", Outcome::kFails, "", {}, {}};
  ConditionCheck check(profile, analyses, {});
  check.check(profile.rules[0].condition, &report.condition);
  EXPECT_EQ(
      to_text(report),
      "rule \"r\": does not hold\n"
      "  AND: does not hold\n"
      "    pixel_color in \"main\": holds; expected [1, 2, 3] +-4 at 0,0; measured [1, 2, 7]\n"
      "    ocr_contains_text in \"main\": does not hold; expected Done with 70 percent; measured \"Wait \\x1b[31m\" "
      "with 91.235 percent\n"
      "    template_match_found: not evaluated\n");
  const auto as_json = to_json(report);
  EXPECT_EQ(as_json["condition"]["parts"][1]["outcome"], "does not hold");
  EXPECT_EQ(as_json["condition"]["parts"][0]["measured"], "[1, 2, 7]");
  EXPECT_EQ(as_json["condition"]["parts"][2]["outcome"], "not evaluated");
}

TEST(ConditionCheck, AnAmbiguousMatchIsReported) {
  const Profile profile = profile_with_condition({{"type", "template_match_found"}, {"template_name", "gear"}});
  const Analyses analyses =
      analyses_of(profile, {{"main", {{"templates", {{"gear", {0.99, 1, 2, 3, 4, "ambiguous"}}}}}}});
  ConditionReport report;
  ConditionCheck check(profile, analyses, {});
  EXPECT_EQ(check.check(profile.rules[0].condition, &report), Outcome::kHolds);
  EXPECT_THAT(report.reason, HasSubstr("ambiguous"));
  EXPECT_EQ(check.last_match()->area, (Rect{1, 2, 3, 4}));
}

}  // namespace
}  // namespace da::planner::rules
