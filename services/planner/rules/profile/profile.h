// A rule profile: regions of the screen, conditions on what they show, and actions. The format is Mark-I's, with
// additions (docs/PROFILES.md). Plain values; any thread. profile_reader.h reads one, rule_fields.h has the names and
// bounds of all parameters.
//
// Regions and templates are named by their index. Coordinates of parameters are relative to a region unless they say
// otherwise.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "da/v1/observation.pb.h"
#include "da/v1/tools.pb.h"
#include "lib/base/geometry.h"
#include "services/planner/rules/profile/number.h"
#include "services/planner/rules/profile/text_template.h"

namespace da::planner::rules {

struct Bgr {
  int blue = 0;
  int green = 0;
  int red = 0;
  friend bool operator==(const Bgr&, const Bgr&) = default;
};

struct RegionRef {
  std::optional<std::size_t> index;  // nullopt: none is named.
  friend bool operator==(const RegionRef&, const RegionRef&) = default;
};

struct TemplateRef {
  std::size_t index = 0;
  friend bool operator==(const TemplateRef&, const TemplateRef&) = default;
};

// The name under which a condition captures a value; empty: it captures nothing.
struct CaptureName {
  std::string name;
};

// The name of a captured value.
struct VariableRef {
  std::string name;
};

// The name of a tool in Mark-I's dialect, such as CLICK_DESCRIBED_ELEMENT.
struct AllowedTools {
  std::vector<std::string> names;
};

// One key, or several with commas for a chord.
struct KeyChord {
  TextTemplate text;
};

struct OptionalNumber {
  std::optional<Number> number;
};

struct RegionList {
  std::vector<RegionRef> regions;
};

// Any of them; written as one text with commas, or as a list.
using TextList = std::vector<TextTemplate>;

// A state that an element must have, or must not have ("not checked").
struct ElementStateWish {
  v1::UiState state = v1::UI_STATE_UNSPECIFIED;
  bool wanted = true;
};
using ElementStates = std::vector<ElementStateWish>;

// ---- Conditions ----

struct PixelColor {
  Number relative_x{0}, relative_y{0};
  Bgr expected_bgr;
  Number tolerance{0};
};

struct AverageColor {
  Bgr expected_bgr;
  Number tolerance{10};
};

struct TemplateMatch {
  TemplateRef image;
  Number min_confidence{0.8};
  CaptureName capture_as;
};

struct OcrContains {
  TextList text_to_find;
  bool case_sensitive = false;
  OptionalNumber min_ocr_confidence{Number{70}};
  CaptureName capture_as;
};

struct DominantColor {
  Bgr expected_bgr;
  Number tolerance{10};
  Number check_top_n_dominant{1};
  Number min_percentage{5};
};

struct VisionQuery {
  TextTemplate prompt;
  TextList expected_response_contains;
  bool case_sensitive_response_check = false;
  TextTemplate expected_response_json_path;
  TextTemplate expected_json_value;
  CaptureName capture_as;
  TextTemplate model_name;
};

struct AlwaysTrue {};

// An element of the accessibility tree; its middle is in the region.
struct UiElement {
  TextTemplate name;
  TextTemplate role;
  ElementStates state;
  CaptureName capture_as;
};

enum class LogicalOperator { kAnd, kOr, kNot };

struct Condition;
struct Compound {
  LogicalOperator logical_operator = LogicalOperator::kAnd;
  std::vector<Condition> sub_conditions;  // kNot has one.
};

struct Condition {
  RegionRef region;  // Its own, or the rule's.
  std::variant<AlwaysTrue, PixelColor, AverageColor, TemplateMatch, OcrContains, DominantColor, VisionQuery, UiElement,
               Compound>
      test;
};

// ---- Actions ----

enum class TargetRelation {
  kCenterOfRegion,
  kCenterOfLastMatch,
  kAbsolute,  // x and y are desktop pixels.
  kRelativeToRegion,
  kCenterOfGeminiElement,
  kTopLeftOfGeminiElement,
  kTopLeftOfLastMatch,
  kCenterOfOcrWord,
  kTopLeftOfOcrWord,
  kUiElement,
};

struct Click {
  TargetRelation target_relation = TargetRelation::kCenterOfRegion;
  RegionRef target_region;
  Number x{0}, y{0};
  VariableRef gemini_element_variable;
  TextTemplate word;
  TextTemplate name;
  TextTemplate role;
  v1::MouseButton button = v1::MOUSE_BUTTON_LEFT;
  Number clicks{1};
  Number interval{0};
  Number pause_before{0};
};

struct TypeText {
  TextTemplate text;
  Number interval{0};
  Number pause_before{0};
};

struct PressKey {
  KeyChord key;
  Number pause_before{0};
};

enum class LogLevel { kDebug, kInfo, kWarning, kError, kCritical };

struct LogMessage {
  TextTemplate message;
  LogLevel level = LogLevel::kInfo;
};

struct PerformTask {
  TextTemplate goal_prompt;               // Goal for the decision module, one suggestion at a time.
  TextTemplate natural_language_command;  // Goal for the full planner. Exactly one of the two is set.
  RegionList context_region_names;
  AllowedTools allowed_actions_override;
  Number max_steps{5};
  bool require_confirmation_before_each_step = true;
  Number pause_before{0};
};

using Action = std::variant<Click, TypeText, PressKey, LogMessage, PerformTask>;

// ---- The profile ----

struct Settings {
  Number monitoring_interval_seconds{1};
  Number analysis_dominant_colors_k{3};
  TextTemplate tesseract_cmd_path;  // Kept; the observer's own configuration counts.
  TextTemplate tesseract_config_custom;
  TextTemplate gemini_default_model_name{"gemini-1.5-flash-latest"};
  Number max_failures_in_a_row{3};  // Of one rule, which then end the run; 0: never.
};

struct Region {
  std::string name;
  Rect area;           // Desktop pixels, or relative to the window's top left pixel.
  std::string window;  // RE2 pattern of the window's title; empty: the area is absolute.
  std::string comment;
};

struct Template {
  std::string name;
  std::string filename;  // Path in the folder templates/ beside the profile.
  std::string comment;
};

struct Rule {
  std::string name;
  RegionRef region;
  Condition condition;
  std::vector<Action> actions;  // Carried out in this order.
  bool stop = false;            // The run ends when the actions are carried out.
  bool once = false;            // Acts at most once in a run.
  Number cooldown_seconds{0};   // Does not act again for so long.
};

struct Profile {
  std::string description;
  Settings settings;
  std::vector<Region> regions;
  std::vector<Template> templates;
  std::vector<Rule> rules;
};

}  // namespace da::planner::rules
