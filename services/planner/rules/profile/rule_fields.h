// All parameters of conditions, actions, settings, regions, templates and rules: name, meaning, bounds. The reader, the
// JSON Schema and the tables of docs/PROFILES.md come from these functions, so that they cannot differ.
//
// visit_fields(object, visitor) calls visitor(member, field) for each parameter, in the order of the documents. The
// value of a member of a new object is the parameter's default.
#pragma once

#include <array>
#include <string_view>
#include <type_traits>
#include <utility>

#include "services/planner/rules/profile/profile.h"

namespace da::planner::rules {

enum class Need { kOptional, kRequired };
enum class Origin { kMarkI, kOurs };
struct Field {
  std::string_view name;
  std::string_view meaning;
  Need need = Need::kOptional;
  Bounds bounds{};
  std::string_view other_name{};  // A second name for it.
  Origin origin = Origin::kMarkI;
  bool takes_secrets = false;  // {{secret:NAME}} may stand in it.
};

inline constexpr double kMaxSeconds = 3600;
inline constexpr Bounds kPixels{-100'000, 100'000, true};
inline constexpr Bounds kChannels{0, 255, false};
inline constexpr Bounds kPause{0, 60, false};
inline constexpr Bounds kPercent{0, 100, false};

// ---- Spellings of choices ----

template <class E>
struct Spelling {
  E value;
  std::string_view name;
};

template <class E>
inline constexpr std::array<Spelling<E>, 0> kSpellings{};

template <>
inline constexpr auto kSpellings<LogicalOperator> = std::to_array<Spelling<LogicalOperator>>(
    {{LogicalOperator::kAnd, "AND"}, {LogicalOperator::kOr, "OR"}, {LogicalOperator::kNot, "NOT"}});

template <>
inline constexpr auto kSpellings<TargetRelation> =
    std::to_array<Spelling<TargetRelation>>({{TargetRelation::kCenterOfRegion, "center_of_region"},
                                             {TargetRelation::kCenterOfLastMatch, "center_of_last_match"},
                                             {TargetRelation::kAbsolute, "absolute"},
                                             {TargetRelation::kRelativeToRegion, "relative_to_region"},
                                             {TargetRelation::kCenterOfGeminiElement, "center_of_gemini_element"},
                                             {TargetRelation::kTopLeftOfGeminiElement, "top_left_of_gemini_element"},
                                             {TargetRelation::kTopLeftOfLastMatch, "top_left_of_last_match"},
                                             {TargetRelation::kCenterOfOcrWord, "center_of_ocr_word"},
                                             {TargetRelation::kTopLeftOfOcrWord, "top_left_of_ocr_word"},
                                             {TargetRelation::kUiElement, "ui_element"}});

template <>
inline constexpr auto kSpellings<v1::MouseButton> =
    std::to_array<Spelling<v1::MouseButton>>({{v1::MOUSE_BUTTON_LEFT, "left"},
                                              {v1::MOUSE_BUTTON_MIDDLE, "middle"},
                                              {v1::MOUSE_BUTTON_RIGHT, "right"},
                                              {v1::MOUSE_BUTTON_LEFT, "primary"},
                                              {v1::MOUSE_BUTTON_RIGHT, "secondary"}});

template <>
inline constexpr auto kSpellings<LogLevel> = std::to_array<Spelling<LogLevel>>({{LogLevel::kDebug, "DEBUG"},
                                                                                {LogLevel::kInfo, "INFO"},
                                                                                {LogLevel::kWarning, "WARNING"},
                                                                                {LogLevel::kError, "ERROR"},
                                                                                {LogLevel::kCritical, "CRITICAL"}});

template <class E>
std::string_view spelling_of(E value) {
  for (const auto& one : kSpellings<E>)
    if (one.value == value) return one.name;
  return "?";
}

// ---- Parameters. `Self` is const or not. ----

template <class T, class Self>
concept Is = std::is_same_v<std::remove_const_t<Self>, T>;

template <class Self, class Visitor>
void visit_fields(Self& c, Visitor&& visit) requires Is<AlwaysTrue, Self> {
  (void)c;
  (void)visit;
}

template <class Self, class Visitor>
void visit_fields(Self& c, Visitor&& visit) requires Is<PixelColor, Self> {
  visit(c.relative_x, Field{"relative_x", "pixels from the region's left edge", {}, {0, 100'000, true}});
  visit(c.relative_y, Field{"relative_y", "pixels from the region's top edge", {}, {0, 100'000, true}});
  visit(c.expected_bgr, Field{"expected_bgr", "the colour: blue, green, red", Need::kRequired});
  visit(c.tolerance, Field{"tolerance", "largest difference of each channel", {}, kChannels});
}

template <class Self, class Visitor>
void visit_fields(Self& c, Visitor&& visit) requires Is<AverageColor, Self> {
  visit(c.expected_bgr, Field{"expected_bgr", "the mean colour: blue, green, red", Need::kRequired});
  visit(c.tolerance, Field{"tolerance", "largest difference of each channel", {}, kChannels});
}

template <class Self, class Visitor>
void visit_fields(Self& c, Visitor&& visit) requires Is<TemplateMatch, Self> {
  visit(c.image, Field{"template_name",
                       "name of a template, or with template_filename its file",
                       Need::kRequired,
                       {},
                       "template_filename"});
  visit(c.min_confidence, Field{"min_confidence", "of the best match (TM_CCOEFF_NORMED)", {}, {0.01, 1}});
  visit(c.capture_as, Field{"capture_as", "captures location, size, box and confidence"});
}

template <class Self, class Visitor>
void visit_fields(Self& c, Visitor&& visit) requires Is<OcrContains, Self> {
  visit(c.text_to_find, Field{"text_to_find", "any of these texts", Need::kRequired});
  visit(c.case_sensitive, Field{"case_sensitive", "upper and lower case differ"});
  visit(c.min_ocr_confidence, Field{"min_ocr_confidence", "of the average confidence; empty: any", {}, kPercent});
  visit(c.capture_as, Field{"capture_as", "captures the whole text of the region"});
}

template <class Self, class Visitor>
void visit_fields(Self& c, Visitor&& visit) requires Is<DominantColor, Self> {
  visit(c.expected_bgr, Field{"expected_bgr", "the colour: blue, green, red", Need::kRequired});
  visit(c.tolerance, Field{"tolerance", "largest difference of each channel", {}, kChannels});
  visit(c.check_top_n_dominant, Field{"check_top_n_dominant", "so many of the largest clusters", {}, {1, 16, true}});
  visit(c.min_percentage, Field{"min_percentage", "share of the cluster", {}, kPercent});
}

template <class Self, class Visitor>
void visit_fields(Self& c, Visitor&& visit) requires Is<VisionQuery, Self> {
  visit(c.prompt, Field{"prompt", "the question about the region's picture", Need::kRequired});
  visit(c.expected_response_contains, Field{"expected_response_contains", "any of these texts is in the answer"});
  visit(c.case_sensitive_response_check, Field{"case_sensitive_response_check", "upper and lower case differ"});
  visit(c.expected_response_json_path,
        Field{"expected_response_json_path", "path to a value of the answer's JSON, such as data.items.0.name"});
  visit(c.expected_json_value, Field{"expected_json_value", "that value as text; empty: any value"});
  visit(c.capture_as, Field{"capture_as", "captures the value at the path, else the JSON, else the text"});
  visit(c.model_name, Field{"model_name", "model, such as gemini-2.0-flash or openai/gpt-4.1"});
}

template <class Self, class Visitor>
void visit_fields(Self& c, Visitor&& visit) requires Is<UiElement, Self> {
  visit(c.name, Field{"name", "name or text of the element", {}, {}, {}, Origin::kOurs});
  visit(c.role, Field{"role", "kind of the element, such as button or check box", {}, {}, {}, Origin::kOurs});
  visit(c.state, Field{"state", "states that it has, such as enabled or not checked", {}, {}, {}, Origin::kOurs});
  visit(c.capture_as, Field{"capture_as", "captures name, text, role, states and box", {}, {}, {}, Origin::kOurs});
}

inline constexpr Field kPauseBefore{"pyautogui_pause_before", "seconds to wait first", {}, kPause, "pause_before"};

template <class Self, class Visitor>
void visit_fields(Self& a, Visitor&& visit) requires Is<Click, Self> {
  visit(a.target_relation, Field{"target_relation", "where to click", Need::kRequired});
  visit(a.target_region, Field{"target_region", "region of the relation (default: the rule's region)"});
  visit(a.x, Field{"x", "for absolute and relative_to_region", {}, kPixels});
  visit(a.y, Field{"y", "for absolute and relative_to_region", {}, kPixels});
  visit(a.gemini_element_variable,
        Field{"gemini_element_variable", "captured value with a box, for ..._of_gemini_element"});
  visit(a.word, Field{"word", "for ..._of_ocr_word", {}, {}, {}, Origin::kOurs});
  visit(a.name, Field{"name", "name of the element, for ui_element", {}, {}, {}, Origin::kOurs});
  visit(a.role, Field{"role", "kind of the element, for ui_element", {}, {}, {}, Origin::kOurs});
  visit(a.button, Field{"button", "mouse button"});
  visit(a.clicks, Field{"clicks", "number of clicks", {}, {1, 4, true}});
  visit(a.interval, Field{"interval", "seconds between the clicks", {}, {0, 1}});
  visit(a.pause_before, kPauseBefore);
}

template <class Self, class Visitor>
void visit_fields(Self& a, Visitor&& visit) requires Is<TypeText, Self> {
  visit(a.text, Field{"text",
                      "the text; {{secret:NAME}} is a secret of the actuator",
                      Need::kRequired,
                      {},
                      {},
                      Origin::kMarkI,
                      true});
  visit(a.interval, Field{"interval", "seconds between the characters", {}, {0, 1}});
  visit(a.pause_before, kPauseBefore);
}

template <class Self, class Visitor>
void visit_fields(Self& a, Visitor&& visit) requires Is<PressKey, Self> {
  visit(a.key, Field{"key", "one key, or a chord such as ctrl,c", Need::kRequired});
  visit(a.pause_before, kPauseBefore);
}

template <class Self, class Visitor>
void visit_fields(Self& a, Visitor&& visit) requires Is<LogMessage, Self> {
  visit(a.message, Field{"message", "the text", Need::kRequired});
  visit(a.level, Field{"level", "level of the log line"});
}

template <class Self, class Visitor>
void visit_fields(Self& a, Visitor&& visit) requires Is<PerformTask, Self> {
  visit(a.goal_prompt, Field{"goal_prompt", "goal for single suggestions of the model"});
  visit(a.natural_language_command, Field{"natural_language_command", "goal for the full planner"});
  visit(a.context_region_names, Field{"context_region_names", "regions that the model sees (default: the rule's)"});
  visit(a.allowed_actions_override, Field{"allowed_actions_override", "the only tools that the model may use"});
  visit(a.max_steps, Field{"max_steps", "largest number of steps", {}, {1, 100, true}});
  visit(a.require_confirmation_before_each_step, Field{"require_confirmation_before_each_step",
                                                       "a person confirms each step",
                                                       {},
                                                       {},
                                                       "require_confirmation_per_step"});
  visit(a.pause_before, kPauseBefore);
}

template <class Self, class Visitor>
void visit_fields(Self& s, Visitor&& visit) requires Is<Settings, Self> {
  visit(s.monitoring_interval_seconds,
        Field{"monitoring_interval_seconds", "time between cycles", {}, {0.01, kMaxSeconds}});
  visit(s.analysis_dominant_colors_k,
        Field{"analysis_dominant_colors_k", "clusters of dominant colours", {}, {1, 16, true}});
  visit(s.tesseract_cmd_path, Field{"tesseract_cmd_path", "kept, without effect: OCR runs in the observer"});
  visit(s.tesseract_config_custom, Field{"tesseract_config_custom", "kept, without effect"});
  visit(s.gemini_default_model_name, Field{"gemini_default_model_name", "model of conditions without model_name"});
  visit(s.max_failures_in_a_row, Field{"max_failures_in_a_row",
                                       "failures of one rule that end the run; 0: never",
                                       {},
                                       {0, 1'000'000, true},
                                       {},
                                       Origin::kOurs});
}

// ---- Types by name ----

template <class T>
struct TypeName {
  std::string_view name;
  std::string_view meaning;
  Origin origin = Origin::kMarkI;
  T make() const { return {}; }
};

// Calls visit(TypeName<T>) for each type of a single condition.
template <class Visitor>
void visit_condition_types(Visitor&& visit) {
  visit(TypeName<PixelColor>{"pixel_color", "one pixel has the colour"});
  visit(TypeName<AverageColor>{"average_color_is", "the mean colour of the region"});
  visit(TypeName<TemplateMatch>{"template_match_found", "the template's picture is in the region"});
  visit(TypeName<OcrContains>{"ocr_contains_text", "the text is in the region"});
  visit(TypeName<DominantColor>{"dominant_color_matches", "one of the region's main colours"});
  visit(TypeName<VisionQuery>{"gemini_vision_query", "a model's answer about the region"});
  visit(TypeName<AlwaysTrue>{"always_true", "holds always"});
  visit(TypeName<UiElement>{"ui_element", "an element of the accessibility tree", Origin::kOurs});
}

template <class Visitor>
void visit_action_types(Visitor&& visit) {
  visit(TypeName<Click>{"click", "click with the mouse"});
  visit(TypeName<TypeText>{"type_text", "type a text into what has the keyboard focus"});
  visit(TypeName<PressKey>{"press_key", "press a key or a chord"});
  visit(TypeName<LogMessage>{"log_message", "write a line to the log"});
  visit(TypeName<PerformTask>{"gemini_perform_task", "give a goal to a model"});
}

template <class T>
std::string_view type_name() {
  std::string_view found = "compound";
  const auto look = [&]<class U>(const TypeName<U>& type) {
    if constexpr (std::is_same_v<T, U>) found = type.name;
  };
  visit_condition_types(look);
  visit_action_types(look);
  return found;
}

}  // namespace da::planner::rules
