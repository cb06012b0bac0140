#include "services/planner/rules/profile/profile_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/services/planner/rules/profile_files.h"

namespace da::planner::rules {
namespace {

using testing::HasSubstr;

template <class T>
const T& test_of(const Profile& profile, std::size_t rule) {
  return std::get<T>(profile.rules.at(rule).condition.test);
}
template <class T>
const T& action_of(const Profile& profile, std::size_t rule, std::size_t at = 0) {
  return std::get<T>(profile.rules.at(rule).actions.at(at));
}

// A profile with one region, one template and this rule.
std::string with_rule(const std::string& rule) {
  return R"({"regions": [{"name": "main", "x": 0, "y": 0, "width": 100, "height": 50}],
 "templates": [{"name": "gear", "filename": "gear.png"}],
 "rules": [)" +
         rule + "]}";
}
std::string with_condition(const std::string& condition) {
  return with_rule(R"({"name": "r", "region": "main", "condition": )" + condition +
                   R"(, "action": {"type": "log_message", "message": "m"}})");
}
std::string with_action(const std::string& action) {
  return with_rule(R"({"name": "r", "region": "main", "condition": {"type": "always_true"}, "action": )" + action +
                   "}");
}

TEST(ProfileReader, EveryProfileOfMarkILoadsWithoutAProblemAlsoWithStrict) {
  for (const char* name : {"editor_all_conditions", "file_compound", "all_actions", "empty", "additions"}) {
    const auto read = read_profile(example(name), {.unknown_keys = UnknownKeys::kRefuse});
    EXPECT_TRUE(read.profile) << name;
    EXPECT_EQ(problems_of(read), "") << name;
  }
}

TEST(ProfileReader, ConditionsOfTheEditorAreRead) {
  const Profile profile = must_read(example("editor_all_conditions"));
  EXPECT_EQ(profile.settings.monitoring_interval_seconds.value, 0.5);
  EXPECT_EQ(profile.settings.analysis_dominant_colors_k.value, 5);
  EXPECT_EQ(profile.settings.gemini_default_model_name.text(), "gemini-1.5-pro-latest");
  EXPECT_EQ(profile.regions.at(0).area, (Rect{0, 1040, 1920, 40}));
  const auto& pixel = test_of<PixelColor>(profile, 0);
  EXPECT_EQ(pixel.relative_y.value, 7);
  EXPECT_EQ(pixel.expected_bgr, (Bgr{0, 128, 255}));
  EXPECT_EQ(pixel.tolerance.value, 10);
  EXPECT_EQ(test_of<AverageColor>(profile, 1).expected_bgr, (Bgr{240, 240, 240}));
  EXPECT_EQ(test_of<AverageColor>(profile, 1).tolerance.value, 10);
  EXPECT_EQ(test_of<TemplateMatch>(profile, 2).image.index, 0U);
  EXPECT_EQ(test_of<TemplateMatch>(profile, 2).capture_as.name, "match");
  const auto& ocr = test_of<OcrContains>(profile, 3);
  EXPECT_EQ(ocr.text_to_find.size(), 3U);
  EXPECT_EQ(ocr.text_to_find.at(1).text(), "Done");
  EXPECT_FALSE(ocr.min_ocr_confidence.number);
  EXPECT_EQ(profile.rules.at(3).condition.region.index, 0U);
  EXPECT_EQ(test_of<DominantColor>(profile, 4).check_top_n_dominant.value, 2);
  const auto& query = test_of<VisionQuery>(profile, 5);
  EXPECT_EQ(query.expected_response_contains.size(), 2U);
  EXPECT_EQ(query.expected_response_json_path.text(), "data.items.0.name");
  EXPECT_TRUE(std::holds_alternative<AlwaysTrue>(profile.rules.at(6).condition.test));
}

TEST(ProfileReader, DefaultsAreThoseOfMarkI) {
  const Profile profile = must_read(with_rule(R"(
    {"region": "main", "condition": {"type": "ocr_contains_text", "text_to_find": "a"},
     "action": {"type": "click", "target_relation": "center_of_region"}},
    {"region": "main", "condition": {"type": "pixel_color", "expected_bgr": [1,2,3]},
     "action": {"type": "gemini_perform_task", "goal_prompt": "g"}},
    {"region": "main", "condition": {"type": "dominant_color_matches", "expected_bgr": [1,2,3]},
     "action": {"type": "log_message", "message": "m"}},
    {"region": "main", "condition": {"type": "template_match_found", "template_name": "gear"},
     "action": {"type": "log_message", "message": "m"}})"));
  EXPECT_EQ(profile.settings.monitoring_interval_seconds.value, 1.0);
  EXPECT_EQ(profile.settings.analysis_dominant_colors_k.value, 3);
  EXPECT_EQ(profile.settings.gemini_default_model_name.text(), "gemini-1.5-flash-latest");
  EXPECT_EQ(test_of<OcrContains>(profile, 0).min_ocr_confidence.number->value, 70);
  EXPECT_FALSE(test_of<OcrContains>(profile, 0).case_sensitive);
  EXPECT_EQ(action_of<Click>(profile, 0).clicks.value, 1);
  EXPECT_EQ(action_of<Click>(profile, 0).button, v1::MOUSE_BUTTON_LEFT);
  EXPECT_EQ(test_of<PixelColor>(profile, 1).tolerance.value, 0);
  EXPECT_TRUE(action_of<PerformTask>(profile, 1).require_confirmation_before_each_step);
  EXPECT_EQ(test_of<DominantColor>(profile, 2).tolerance.value, 10);
  EXPECT_EQ(test_of<DominantColor>(profile, 2).check_top_n_dominant.value, 1);
  EXPECT_EQ(test_of<DominantColor>(profile, 2).min_percentage.value, 5);
  EXPECT_EQ(test_of<TemplateMatch>(profile, 3).min_confidence.value, 0.8);
  EXPECT_EQ(profile.rules.at(1).name, "rule 2");
}

TEST(ProfileReader, AFileMayNameATemplateThatTheListLacks) {
  const Profile profile = must_read(example("file_compound"));
  ASSERT_EQ(profile.templates.size(), 1U);  // Both rules name the same file.
  EXPECT_EQ(profile.templates.at(0).filename, "icons/gear.png");
  const auto& both = test_of<Compound>(profile, 0);
  EXPECT_EQ(both.logical_operator, LogicalOperator::kAnd);
  EXPECT_EQ(std::get<OcrContains>(both.sub_conditions.at(1).test).text_to_find.at(0).text(), "Total, net");
  EXPECT_EQ(both.sub_conditions.at(0).region.index, 0U);
  EXPECT_EQ(both.sub_conditions.at(1).region.index, 1U);
  EXPECT_EQ(test_of<Compound>(profile, 1).logical_operator, LogicalOperator::kOr);
  EXPECT_EQ(action_of<Click>(profile, 0).button, v1::MOUSE_BUTTON_RIGHT);
}

TEST(ProfileReader, ActionsAreRead) {
  const Profile profile = must_read(example("all_actions"));
  EXPECT_EQ(action_of<Click>(profile, 0).clicks.value, 3);
  EXPECT_EQ(action_of<Click>(profile, 0).pause_before.value, 0.5);
  EXPECT_FALSE(action_of<Click>(profile, 1).x.is_known());
  EXPECT_EQ(action_of<Click>(profile, 2).gemini_element_variable.name, "found");
  EXPECT_TRUE(action_of<TypeText>(profile, 3).text.is_plain());
  EXPECT_EQ(action_of<PerformTask>(profile, 5).allowed_actions_override.names.size(), 2U);
  EXPECT_EQ(action_of<PerformTask>(profile, 5).max_steps.value, 3);
  EXPECT_EQ(action_of<PerformTask>(profile, 6).natural_language_command.text(), "Open the settings.");
}

TEST(ProfileReader, AdditionsAreRead) {
  const Profile profile = must_read(example("additions"));
  EXPECT_EQ(profile.regions.at(0).window, "^Log in");
  const Rule& rule = profile.rules.at(0);
  EXPECT_TRUE(rule.once);
  EXPECT_TRUE(rule.stop);
  EXPECT_EQ(rule.cooldown_seconds.value, 30);
  EXPECT_EQ(rule.actions.size(), 4U);
  EXPECT_EQ(action_of<Click>(profile, 0, 2).pause_before.value, 0.2);
  const auto& both = test_of<Compound>(profile, 0);
  const auto& element = std::get<UiElement>(both.sub_conditions.at(0).test);
  ASSERT_EQ(element.state.size(), 2U);
  EXPECT_EQ(element.state.at(1).state, v1::UI_STATE_EDITABLE);
  const auto& negation = std::get<Compound>(both.sub_conditions.at(1).test);
  EXPECT_EQ(negation.logical_operator, LogicalOperator::kNot);
  const auto& dialog =
      std::get<UiElement>(std::get<Compound>(negation.sub_conditions.at(0).test).sub_conditions.at(1).test);
  EXPECT_FALSE(dialog.state.at(0).wanted);
}

TEST(ProfileReader, UnknownKeysAreWarningsUnlessStrict) {
  const std::string text = with_condition("{\"type\": \"always_true\",\n \"regoin\": \"main\"}");
  const auto read = read_profile(text);
  EXPECT_TRUE(read.profile);
  EXPECT_EQ(problems_of(read), "4:2: warning: unknown key \"regoin\" (did you mean \"region\"?)\n");
  const auto strict = read_profile(text, {.unknown_keys = UnknownKeys::kRefuse});
  EXPECT_FALSE(strict.profile);
  EXPECT_EQ(problems_of(strict), "4:2: error: unknown key \"regoin\" (did you mean \"region\"?)\n");
}

// Every kind of mistake has its place and says what to do.
TEST(ProfileReader, MistakesHaveAPlaceAndASuggestion) {
  const std::pair<std::string, const char*> cases[] = {
      {with_condition("{\"type\": \"pixel_colour\"}"),
       "3:66: error: the condition type \"pixel_colour\" is unknown (did you mean \"pixel_color\"?); known: "
       "pixel_color,"},
      {with_condition("{\"type\": \"always_true\", \"region\": \"mian\"}"),
       "error: there is no region \"mian\" (did you mean \"main\"?)"},
      {with_condition("{\"type\": \"template_match_found\", \"template_name\": \"gaer\"}"),
       "error: there is no template \"gaer\" (did you mean \"gear\"?)"},
      {with_condition("{\"type\": \"template_match_found\"}"), "error: template_name is missing"},
      {with_condition("{\"type\": \"template_match_found\", \"template_filename\": \"../x.png\"}"),
       "error: \"../x.png\" is not a file of the folder templates/"},
      {with_condition("{\"type\": \"template_match_found\", \"template_filename\": \"/etc/passwd\"}"), "is not a file"},
      {with_condition("{\"type\": \"template_match_found\", \"template_filename\": \"C:\\\\x.png\"}"), "is not a file"},
      {with_condition(
           "{\"type\": \"template_match_found\", \"template_name\": \"gear\", \"template_filename\": \"b.png\"}"),
       "error: the template \"gear\" has the file \"gear.png\", not \"b.png\""},
      {with_condition("{\"type\": \"pixel_color\"}"), "error: expected_bgr is missing: the colour: blue, green, red"},
      {with_condition("{\"type\": \"pixel_color\", \"expected_bgr\": [1,2]}"), "must have three numbers"},
      {with_condition("{\"type\": \"pixel_color\", \"expected_bgr\": [1,2,256]}"), "256 is not between 0 and 255"},
      {with_condition("{\"type\": \"pixel_color\", \"expected_bgr\": [1,2,3], \"tolerance\": \"ten\"}"),
       "error: tolerance: \"ten\" is not a number"},
      {with_condition("{\"type\": \"pixel_color\", \"expected_bgr\": [1,2,3], \"relative_x\": 100}"),
       "error: relative_x is outside of the region, which is 100 wide"},
      {with_condition("{\"type\": \"pixel_color\", \"expected_bgr\": [1,2,3], \"relative_x\": 1.5}"),
       "1.5 is not a whole number"},
      {with_condition("{\"type\": \"ocr_contains_text\", \"text_to_find\": \" , \"}"), "error: text_to_find is empty"},
      {with_condition("{\"type\": \"ocr_contains_text\", \"text_to_find\": \"a\", \"case_sensitive\": 1}"),
       "error: case_sensitive must be true or false, not 1"},
      {with_condition("{\"logical_operator\": \"XOR\", \"sub_conditions\": [{\"type\": \"always_true\"}]}"),
       "error: the logical_operator \"XOR\" is unknown"},
      {with_condition("{\"logical_operator\": \"AND\", \"sub_conditions\": []}"), "sub_conditions must be a list"},
      {with_condition("{\"logical_operator\": \"NOT\", \"sub_conditions\": [{\"type\": \"always_true\"}, {\"type\": "
                      "\"always_true\"}]}"),
       "error: NOT has one sub-condition, not 2"},
      {with_condition("{\"type\": \"ui_element\"}"), "error: ui_element needs a name or a role"},
      {with_condition("{\"type\": \"ui_element\", \"role\": \"buton\"}"), "(did you mean \"button\"?)"},
      {with_condition("{\"type\": \"ui_element\", \"name\": \"a\", \"state\": \"enabeld\"}"),
       "error: \"enabeld\" is not a state of an element (did you mean \"enabled\"?)"},
      {with_condition("{\"type\": \"gemini_vision_query\", \"prompt\": \"{{secret:mail}}\"}"),
       "error: a secret may only stand in the text of type_text, not in prompt"},
      {with_condition("{\"type\": \"ocr_contains_text\", \"text_to_find\": \"{sum}\"}"),
       "error: the placeholder {sum} has no value"},
      {with_condition("{\"type\": \"ocr_contains_text\", \"text_to_find\": \"a\", \"capture_as\": \"a b\"}"),
       "is not a name for a captured value"},
      {with_condition("7"), "error: an object is needed here, not 7"},
      {with_action("{\"type\": \"click\"}"), "error: target_relation is missing"},
      {with_action("{\"type\": \"click\", \"target_relation\": \"centre_of_region\"}"),
       "(did you mean \"center_of_region\"?)"},
      {with_action("{\"type\": \"click\", \"target_relation\": \"center_of_last_match\"}"),
       "center_of_last_match needs a template_match_found condition in the rule"},
      {with_action("{\"type\": \"click\", \"target_relation\": \"absolute\", \"x\": 3}"), "absolute needs x and y"},
      {with_action("{\"type\": \"click\", \"target_relation\": \"center_of_gemini_element\"}"),
       "needs gemini_element_variable"},
      {with_action("{\"type\": \"click\", \"target_relation\": \"center_of_gemini_element\", "
                   "\"gemini_element_variable\": \"button\"}"),
       "error: no condition of this rule captures \"button\""},
      {with_action("{\"type\": \"click\", \"target_relation\": \"center_of_region\", \"clicks\": \"9\"}"),
       "error: clicks: 9 is not between 1 and 4"},
      {with_action("{\"type\": \"press_key\", \"key\": \"ctrl,entr\"}"),
       "error: \"entr\" is not a key (did you mean \"enter\"?)"},
      {with_action("{\"type\": \"type_text\", \"text\": \"{{ secret:mail }}\"}"), "error: write a secret as"},
      {with_action("{\"type\": \"type_text\", \"text\": \"{{secret:{name}}}\"}"), "error: write a secret as"},
      {with_action("{\"type\": \"gemini_perform_task\"}"), "needs goal_prompt or natural_language_command"},
      {with_action("{\"type\": \"gemini_perform_task\", \"goal_prompt\": \"g\", \"allowed_actions_override\": "
                   "[\"CLICK_ELEMENT\"]}"),
       "\"CLICK_ELEMENT\" is not a tool of a suggestion"},
      {with_rule("{\"condition\": {\"type\": \"pixel_color\", \"expected_bgr\": [1,2,3]}, \"action\": {\"type\": "
                 "\"log_message\", \"message\": \"m\"}}"),
       "error: a region is missing: name one in the condition or in its rule"},
      {with_rule("{\"condition\": {\"type\": \"always_true\"}}"), "error: action is missing"},
      {with_rule("{\"action\": {\"type\": \"log_message\", \"message\": \"m\"}}"), "error: condition is missing"},
      {with_rule("{\"condition\": {\"type\": \"always_true\"}, \"action\": {\"type\": \"log_message\", \"message\": "
                 "\"m\"}, \"actions\": []}"),
       "error: give action or actions, not both"},
      {"{\"regions\": [{\"name\": \"a\", \"x\": 0, \"y\": 0, \"width\": 0, \"height\": 5}]}",
       "error: width: 0 is not between 1 and 100000"},
      {"{\"regions\": [{\"name\": \"a\", \"window\": \"(\", \"x\": 0, \"y\": 0, \"width\": 1, \"height\": 5}]}",
       "error: window is not a pattern"},
      {"{\"regions\": [{\"name\": \"a\", \"x\": 0, \"y\": 0, \"width\": 1, \"height\": 5},\n{\"name\": \"a\", \"x\": "
       "0, "
       "\"y\": 0, \"width\": 1, \"height\": 5}]}",
       "2:10: error: a second region has the name \"a\""},
      {"{\"rules\": {}}", "1:11: error: rules must be a list"},
      {"[]", "1:1: error: an object is needed here, not a list"},
      {"{\"settings\": {\"monitoring_interval_seconds\": 0}}", "0 is not between 0.01 and 3600"},
      {"{\"rules\": [], \"rules\": []}", "1:15: error: not acceptable JSON: the key \"rules\" stands twice"},
  };
  for (const auto& [text, expected] : cases) {
    const auto read = read_profile(text);
    EXPECT_FALSE(read.profile) << text;
    EXPECT_THAT(problems_of(read), HasSubstr(expected)) << text;
  }
}

TEST(ProfileReader, AnActionMayUseWhatAConditionCaptures) {
  const auto rule = [](const std::string& condition, const std::string& action) {
    return with_rule("{\"region\": \"main\", \"condition\": " + condition + ", \"action\": " + action + "}");
  };
  const std::string captures = R"({"type": "ocr_contains_text", "text_to_find": "a", "capture_as": "line"})";
  const std::string uses = R"({"type": "ocr_contains_text", "text_to_find": "{line}"})";
  const std::string types = R"({"type": "type_text", "text": "{line}"})";
  EXPECT_TRUE(read_profile(rule(captures, types)).profile);
  // The key order of the file does not matter.
  EXPECT_TRUE(
      read_profile(with_rule("{\"action\": " + types + ", \"region\": \"main\", \"condition\": " + captures + "}"))
          .profile);
  const auto both = [](const std::string& first, const std::string& second) {
    return R"({"logical_operator": "AND", "sub_conditions": [)" + first + "," + second + "]}";
  };
  EXPECT_TRUE(read_profile(rule(both(captures, uses), types)).profile);
  EXPECT_FALSE(read_profile(rule(both(uses, captures), types)).profile);
  // Variables end with their rule.
  EXPECT_FALSE(
      read_profile(with_rule("{\"region\": \"main\", \"condition\": " + captures + ", \"action\": " + types +
                             "}, {\"region\": \"main\", \"condition\": " + uses + ", \"action\": " + types + "}"))
          .profile);
  EXPECT_TRUE(read_profile(rule(R"({"type": "always_true"})", types), {.variables = {"line"}}).profile);
}

TEST(ProfileReader, AtMostAHundredProblemsAreReported) {
  std::string rules;
  for (int i = 0; i < 500; ++i) rules += std::string(i == 0 ? "" : ",") + "{\"condition\": 1}";
  EXPECT_EQ(read_profile("{\"rules\": [" + rules + "]}").problems.size(), 100U);
}

TEST(ProfileReader, NestedConditionsAreBounded) {
  const auto nested = [](int levels) {
    std::string before;
    std::string after;
    for (int i = 0; i < levels; ++i) {
      before += R"({"logical_operator": "NOT", "sub_conditions": [)";
      after += "]}";
    }
    return with_condition(before + R"({"type": "always_true"})" + after);
  };
  EXPECT_TRUE(read_profile(nested(16)).profile);
  EXPECT_THAT(problems_of(read_profile(nested(17))), HasSubstr("conditions are nested deeper than 16 levels"));
  EXPECT_THAT(problems_of(read_profile(nested(100'000))), HasSubstr("it is nested deeper than 64 levels"));
}

TEST(ProfileReader, ForeignNamesAreEscapedInProblems) {
  const auto read = read_profile(with_condition("{\"type\": \"\\u001b[31mred\\u202e\"}"));
  EXPECT_THAT(problems_of(read), HasSubstr("\"\\x1b[31mred\\u{202e}\" is unknown"));
}

}  // namespace
}  // namespace da::planner::rules
