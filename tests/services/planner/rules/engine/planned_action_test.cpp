#include "services/planner/rules/engine/planned_action.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/services/planner/rules/engine/facts.h"
#include "tests/services/planner/rules/profile_files.h"

namespace da::planner::rules {
namespace {

using nlohmann::json;
using testing::HasSubstr;

// A rule whose condition captures "found" from a model, "word" from OCR and a template.
Profile profile_with_action(const json& action) {
  const json captures = {{"logical_operator", "OR"},
                         {"sub_conditions",
                          {{{"type", "always_true"}},
                           {{"type", "template_match_found"}, {"template_name", "gear"}},
                           {{"type", "gemini_vision_query"}, {"prompt", "q"}, {"capture_as", "found"}},
                           {{"type", "ocr_contains_text"}, {"text_to_find", "a"}, {"capture_as", "word"}}}}};
  return must_read(
      json{{"regions",
            {{{"name", "main"}, {"x", 10}, {"y", 20}, {"width", 100}, {"height", 50}},
             {{"name", "side"}, {"window", "Mail"}, {"x", 0}, {"y", 0}, {"width", 0}, {"height", 0}}}},
           {"templates", {{{"name", "gear"}, {"filename", "gear.png"}}}},
           {"rules", {{{"name", "r\x1b"}, {"region", "main"}, {"condition", captures}, {"action", action}}}}}
          .dump());
}

struct Plan {
  std::string steps;  // One line per part: a step's action in text format, or the part's description.
  std::string error;
  std::optional<Question> question;
};

Plan plan(const json& action, const json& main = json::object(), const Variables& variables = {},
          std::optional<FoundTemplate> match = {}, const json& side = nullptr, const json& elements = nullptr) {
  const Profile profile = profile_with_action(action);
  Analyses analyses = no_analyses(profile);
  add_region_facts(profile, "main", main, analyses);
  if (!side.is_null()) add_region_facts(profile, "side", side, analyses);
  if (!elements.is_null()) add_element_facts(elements, analyses);
  const auto planned =
      plan_action(profile, profile.rules.at(0), profile.rules[0].actions.at(0), {variables, match}, analyses);
  Plan result;
  if (const auto* error = std::get_if<Error>(&planned)) result.error = error->message;
  if (const auto* question = std::get_if<Question>(&planned)) result.question = *question;
  if (const auto* parts = std::get_if<PlannedParts>(&planned)) {
    for (const PlannedPart& part : *parts) {
      const auto* step = std::get_if<v1::Step>(&part);
      if (step != nullptr) {
        EXPECT_EQ(step->justification(), "rule \"r\\x1b\"");
      }
      result.steps += (step != nullptr ? step->action().ShortDebugString() : describe(part)) + "\n";
    }
  }
  return result;
}

json click(const std::string& relation, json more = json::object()) {
  more["type"] = "click";
  more["target_relation"] = relation;
  return more;
}

TEST(PlannedAction, ClicksOnEachTargetRelation) {
  const Variables variables = {{"found", captured(json::parse(R"({"box": [5, 6, 20, 10], "found": true})"), "main")}};
  const FoundTemplate match{0, {30, 20, 16, 12}};
  const std::pair<json, std::string> cases[] = {
      {click("center_of_region"), "x: 60 y: 45"},
      {click("relative_to_region", {{"x", 7}, {"y", "8"}}), "x: 17 y: 28"},
      {click("relative_to_region", {{"x", "{found.box.0}"}, {"y", "{found.value.box.1}"}}), "x: 15 y: 26"},
      {click("absolute", {{"x", -7}, {"y", 2000}}), "x: -7 y: 2000"},
      {click("center_of_last_match"), "x: 48 y: 46"},
      {click("top_left_of_last_match"), "x: 40 y: 40"},
      {click("center_of_gemini_element", {{"gemini_element_variable", "found"}}), "x: 25 y: 31"},
      {click("top_left_of_gemini_element", {{"gemini_element_variable", "{found}"}}), "x: 15 y: 26"},
      {click("center_of_gemini_element", {{"gemini_element_variable", "found.value.box"}}), "x: 25 y: 31"},
      {click("center_of_ocr_word", {{"word", "next"}}), "x: 35 y: 30"},
      {click("top_left_of_ocr_word", {{"word", "next"}}), "x: 30 y: 25"},
      {click("center_of_region", {{"target_region", "side"}}), "x: 550 y: 450"},
  };
  const json main = {
      {"ocr", {{"text", "go Next"}, {"confidence", 90}, {"words", {{"go", 0, 0, 10, 10}, {"Next", 20, 5, 10, 10}}}}}};
  for (const auto& [action, place] : cases) {
    const Plan planned = plan(action, main, variables, match, {{"area", {500, 400, 100, 100}}});
    EXPECT_EQ(planned.steps, "mouse { " + place + " button: MOUSE_BUTTON_LEFT }\n") << action << planned.error;
  }
}

TEST(PlannedAction, ClicksHaveButtonCountIntervalAndPause) {
  EXPECT_EQ(plan(click("center_of_region",
                       {{"button", "right"}, {"clicks", "2"}, {"interval", "0.25"}, {"pyautogui_pause_before", "6.5"}}))
                .steps,
            "sleep { secs: 5 }\nsleep { secs: 1.5 }\n"
            "mouse { x: 60 y: 45 button: MOUSE_BUTTON_RIGHT clicks: 2 interval_ms: 250 }\n");
  EXPECT_EQ(plan(click("center_of_region", {{"clicks", 3}, {"interval", 0.001}})).steps,
            "mouse { x: 60 y: 45 button: MOUSE_BUTTON_LEFT clicks: 3 interval_ms: 10 }\n");
}

TEST(PlannedAction, ElementsAreClickedByTheirId) {
  const auto elements = [](int count) {
    json all = json::array();
    for (int i = 0; i < count; ++i)
      all.push_back(
          {{"role", "push button"}, {"name", "OK"}, {"states", json::array()}, {"box", {20 + 300 * i, 30, 10, 10}}});
    return json{{"OK|button", all}};
  };
  const auto clicking = [&](const json& more, int count) {
    json action = click("ui_element", {{"name", "OK"}, {"role", "button"}});
    action.update(more);
    return plan(action, json::object(), {}, {}, nullptr, elements(count));
  };
  EXPECT_EQ(clicking(json::object(), 1).steps, "ui_click { element_id: \"id-1\" }\n");
  EXPECT_EQ(clicking({{"clicks", 2}, {"button", "right"}}, 1).steps,
            "ui_click { element_id: \"id-1\" double_click: true button: MOUSE_BUTTON_RIGHT }\n");
  EXPECT_EQ(clicking({{"clicks", 3}}, 1).steps, "mouse { x: 25 y: 35 button: MOUSE_BUTTON_LEFT clicks: 3 }\n");
  EXPECT_EQ(clicking(json::object(), 0).error, "there is no element button \"OK\"");
  EXPECT_EQ(clicking(json::object(), 2).error, "there are 2 elements button \"OK\"");
  EXPECT_EQ(clicking({{"target_region", "main"}}, 2).steps, "ui_click { element_id: \"id-1\" }\n");
  EXPECT_EQ(plan(click("ui_element", {{"name", "OK"}})).question->kind, QuestionKind::kElement);
}

TEST(PlannedAction, TextKeysAndLogLines) {
  const Variables variables = {{"word", captured("42", "main")}};
  EXPECT_EQ(plan({{"type", "type_text"}, {"text", "sum {word} {}{{secret:mail}}"}, {"interval", "0.02"}}, {}, variables)
                .steps,
            "write { text: \"sum 42 {}{{secret:mail}}\" interval_ms: 20 }\n");
  EXPECT_EQ(plan({{"type", "press_key"}, {"key", "Return"}}).steps, "press { key: \"enter\" }\n");
  EXPECT_EQ(plan({{"type", "press_key"}, {"key", "ctrlleft, shift,s"}}).steps,
            "hotkey { keys: \"ctrl\" keys: \"shift\" keys: \"s\" }\n");
  EXPECT_EQ(plan({{"type", "log_message"}, {"message", "read {word}"}, {"level", "warning"}}, {}, variables).steps,
            "log WARNING \"read 42\"\n");
}

TEST(PlannedAction, ATaskHasItsGoalRegionsAndLimits) {
  const Profile profile = profile_with_action({{"type", "gemini_perform_task"},
                                               {"goal_prompt", "click {word}"},
                                               {"allowed_actions_override", "CLICK_DESCRIBED_ELEMENT"},
                                               {"max_steps", "3"}});
  const Variables variables = {{"word", captured("Next", "main")}};
  const auto planned =
      plan_action(profile, profile.rules[0], profile.rules[0].actions[0], {variables, {}}, no_analyses(profile));
  const auto& call = std::get<TaskCall>(std::get<PlannedParts>(planned).at(0));
  EXPECT_EQ(call.planner, TaskCall::Planner::kSuggestions);
  EXPECT_EQ(call.goal, "click Next");
  EXPECT_EQ(call.regions, std::vector<std::size_t>{0});
  EXPECT_EQ(call.allowed_tools, std::vector<std::string>{"CLICK_DESCRIBED_ELEMENT"});
  EXPECT_EQ(call.max_steps, 3U);
  EXPECT_TRUE(call.confirm_each_step);
}

TEST(PlannedAction, UnresolvedActionIsAnErrorAndNoStep) {
  const auto box = [](const char* text) { return Variables{{"found", captured(json::parse(text), "main")}}; };
  const json element = click("center_of_gemini_element", {{"gemini_element_variable", "found"}});
  const std::tuple<json, Variables, std::string> cases[] = {
      {element, {}, "nothing is captured as \"found\""},
      {element, box(R"({"found": false, "box": [1,2,3,4]})"), "the model did not find the element"},
      {element, box(R"({"found": true})"), "has no usable box: the object has no \"box\""},
      {element, box(R"({"box": [1,2,3]})"), "[x, y, width, height] is needed"},
      {element, box(R"({"box": [1,2,0,4]})"), "it is empty"},
      {element, box(R"({"box": [1,2,"3",4]})"), "is not a number"},
      {element, box(R"({"box": [1,2,1e300,4]})"), "is not between"},
      {element, box(R"({"box": [90,2,40,4]})"), "is mostly outside of the region \"main\", which is 100x50"},
      {element, box(R"({"box": [-500,-500,1000,1000]})"), "is mostly outside of the region \"main\""},
      {element, box(R"({"box": [-40,2,20,4]})"), "is mostly outside of the region \"main\""},
      {element, box(R"({"box": [1,2,-3,4]})"), "it is empty"},
      {element, box(R"({"box": [1,2,[3],4]})"), "is not a number"},
      {element, box(R"({"box": {"x": 1}})"), "[x, y, width, height] is needed"},
      {element, box(R"("text")"), "has no usable box"},
      {click("center_of_last_match"), {}, "no template was found in this cycle"},
      {click("relative_to_region", {{"x", 100}, {"y", 0}}), {}, "is outside of the region"},
      {click("absolute", {{"x", "{word}"}, {"y", 0}}), {{"word", captured("no number", "main")}}, "is not a number"},
      {{{"type", "type_text"}, {"text", "{word}"}}, {}, "the placeholder {word}: nothing is captured"},
      {{{"type", "type_text"}, {"text", "{word}"}},
       {{"word", captured("{{secret:bank}}", "main")}},
       "only the profile may name"},
      {{{"type", "type_text"}, {"text", "{{{word}"}},
       {{"word", captured("{secret:bank}}", "main")}},
       "only the profile may name"},
      {{{"type", "press_key"}, {"key", "{word}"}}, {{"word", captured("no key", "main")}}, "is not a key"},
      {{{"type", "type_text"}, {"text", "{word}"}}, {{"word", captured(std::string(30'000, 'x'), "main")}}, "20000"},
  };
  for (const auto& [action, variables, expected] : cases) {
    const Plan planned = plan(action, {}, variables);
    EXPECT_EQ(planned.steps, "") << action;
    EXPECT_THAT(planned.error, HasSubstr(expected)) << action;
  }
  EXPECT_THAT(plan(click("center_of_region"), {{"gone", "no window"}}).error,
              HasSubstr("the region \"main\" is not on the screen: no window"));
  const json twice = {
      {"ocr", {{"text", "a a"}, {"confidence", 90}, {"words", {{"a", 0, 0, 5, 5}, {"a", 9, 0, 5, 5}}}}}};
  EXPECT_THAT(plan(click("center_of_ocr_word", {{"word", "a"}}), twice).error, HasSubstr("is 2 times in the region"));
  EXPECT_THAT(plan(click("center_of_ocr_word", {{"word", "b"}}), twice).error, HasSubstr("is not in the region"));
}

TEST(PlannedAction, AskForWhatIsNotKnown) {
  EXPECT_EQ(plan(click("center_of_region"), {{"no_area", true}}).question->kind, QuestionKind::kArea);
  EXPECT_EQ(plan(click("center_of_ocr_word", {{"word", "a"}})).question->kind, QuestionKind::kOcr);
}

}  // namespace
}  // namespace da::planner::rules
