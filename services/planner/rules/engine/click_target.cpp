#include "services/planner/rules/engine/click_target.h"

#include <algorithm>
#include <cmath>

#include "lib/base/name_text.h"
#include "lib/base/text.h"
#include "lib/contract/coordinates.h"
#include "lib/contract/named_action.h"
#include "services/planner/rules/profile/rule_fields.h"

namespace da::planner::rules {
namespace {

using Found = std::variant<ClickTarget, Question, Error>;
using Place = std::variant<Rect, Question, Error>;

Error invalid(std::string message) { return {Code::kInvalidArgument, std::move(message)}; }

// The question whose answer is captured under the name, or nullptr if no question captures it.
const VisionQuery* question_of(const Condition& condition, const std::string& variable) {
  if (const auto* query = std::get_if<VisionQuery>(&condition.test)) {
    return query->capture_as.name == variable ? query : nullptr;
  }
  const auto* compound = std::get_if<Compound>(&condition.test);
  if (compound == nullptr) return nullptr;
  for (const Condition& part : compound->sub_conditions) {
    if (const VisionQuery* query = question_of(part, variable)) return query;
  }
  return nullptr;
}

std::string_view last_part(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  return dot == std::string_view::npos ? path : path.substr(dot + 1);
}

class ClickTargetFinder {
 public:
  ClickTargetFinder(const Profile& profile, const Rule& rule, const Click& click, const Findings& findings,
                    const Analyses& analyses)
      : profile_(profile),
        rule_(rule),
        click_(click),
        findings_(findings),
        analyses_(analyses),
        region_(click.target_region.index ? click.target_region : rule.region) {}

  Found find() const {
    switch (click_.target_relation) {
      case TargetRelation::kCenterOfRegion: return in_region(Corner::kCenter);
      case TargetRelation::kRelativeToRegion: return relative();
      case TargetRelation::kAbsolute: return absolute();
      case TargetRelation::kCenterOfLastMatch: return last_match(Corner::kCenter);
      case TargetRelation::kTopLeftOfLastMatch: return last_match(Corner::kTopLeft);
      case TargetRelation::kCenterOfGeminiElement: return captured_box(Corner::kCenter);
      case TargetRelation::kTopLeftOfGeminiElement: return captured_box(Corner::kTopLeft);
      case TargetRelation::kCenterOfOcrWord: return word(Corner::kCenter);
      case TargetRelation::kTopLeftOfOcrWord: return word(Corner::kTopLeft);
      case TargetRelation::kUiElement: return element();
    }
    return invalid("the target_relation is unknown");
  }

 private:
  enum class Corner { kCenter, kTopLeft };

  // Desktop pixels of a region.
  Place area_of(std::size_t index) const {
    const auto& area = analyses_.regions[index].area;
    if (!area) return Question{QuestionKind::kArea, index};
    if (const auto* rect = std::get_if<Rect>(&*area)) return *rect;
    if (const auto* error = std::get_if<Error>(&*area)) return *error;
    return Error{Code::kNotFound, "the region " + quote_foreign(profile_.regions[index].name) +
                                      " is not on the screen: " + std::get<Unavailable>(*area).reason};
  }

  // A part of a region, with its place in it.
  Found part_of(std::size_t index, const Rect& part, Corner corner, const std::string& words) const {
    const Place place = area_of(index);
    if (const auto* question = std::get_if<Question>(&place)) return *question;
    if (const auto* error = std::get_if<Error>(&place)) return *error;
    const Rect& area = std::get<Rect>(place);
    const Point in = corner == Corner::kCenter ? part.center() : Point{part.x, part.y};
    if (!Rect{0, 0, area.width, area.height}.contains(in)) {
      return Error{Code::kOutOfRange, "the place " + std::to_string(in.x) + "," + std::to_string(in.y) +
                                          " is outside of the region " + quote_foreign(profile_.regions[index].name) +
                                          ", which is " + std::to_string(area.width) + "x" +
                                          std::to_string(area.height)};
    }
    return ClickTarget{
        {area.x + in.x, area.y + in.y}, {}, words + " in the region " + quote_foreign(profile_.regions[index].name)};
  }

  Found in_region(Corner corner) const {
    const Place place = area_of(*region_.index);
    if (const auto* question = std::get_if<Question>(&place)) return *question;
    if (const auto* error = std::get_if<Error>(&place)) return *error;
    const Rect& area = std::get<Rect>(place);
    return part_of(*region_.index, {0, 0, area.width, area.height}, corner, "the middle");
  }

  Result<Point> given_place() const {
    ASSIGN_OR_RETURN(const double x, click_.x.fill(findings_.variables));
    ASSIGN_OR_RETURN(const double y, click_.y.fill(findings_.variables));
    return Point{static_cast<int>(x), static_cast<int>(y)};
  }

  Found relative() const {
    const auto at = given_place();
    if (!at) return at.error();
    return part_of(*region_.index, {at->x, at->y, 1, 1}, Corner::kTopLeft, "a place");
  }

  Found absolute() const {
    const auto at = given_place();
    if (!at) return at.error();
    return ClickTarget{*at, {}, "a place of the desktop"};
  }

  Found last_match(Corner corner) const {
    if (!findings_.last_match)
      return invalid("no template was found in this cycle, so there is no last match to click");
    return part_of(findings_.last_match->region, findings_.last_match->area, corner, "the found template");
  }

  // {"element_label", "box": [x,y,w,h], "found"}, as a model, a template or an element condition captures it.
  Found captured_box(Corner corner) const {
    const std::string& name = click_.gemini_element_variable.name;
    const auto value = find_value(findings_.variables, name);
    if (!value) return value.error();
    if (const auto found = value->find("found"); value->is_object() && found != value->end() && *found == false) {
      return Error{Code::kNotFound, "the model did not find the element " + quote_foreign(name)};
    }
    if (value->is_array()) RETURN_IF_ERROR(check_key_of_box(name));
    const auto box = read_box(value->is_object() ? value_at(*value, "box") : Result<nlohmann::json>(*value));
    if (!box)
      return Error{box.error().code, "the value " + quote_foreign(name) + " has no usable box: " + box.error().message};
    const auto source = find_value(findings_.variables, variable_of(name) + "." + kSourceRegionKey);
    const std::string region = source ? value_text(*source) : std::string();
    const auto known = std::ranges::find(profile_.regions, region, &Region::name);
    if (known != profile_.regions.end()) {
      const auto index = static_cast<std::size_t>(known - profile_.regions.begin());
      if (analyses_.regions[index].models_aged) {
        return Error{Code::kFailedPrecondition,
                     "the region changed while the model answered, several times, so the place of the element is not "
                     "known"};
      }
      if (auto outside = mostly_outside(index, *box)) return *std::move(outside);
      return part_of(index, *box, corner, "the captured box");
    }
    return ClickTarget{corner == Corner::kCenter ? box->center() : Point{box->x, box->y}, {}, "the captured box"};
  }

  // A model sees a picture that may be smaller than the region, and only what it names "box" is converted.
  Result<void> check_key_of_box(std::string_view name) const {
    const VisionQuery* query = question_of(rule_.condition, variable_of(name));
    if (query == nullptr) return ok();
    ASSIGN_OR_RETURN(const std::string path, query->expected_response_json_path.fill(findings_.variables));
    const bool is_whole = name.find('.') == std::string_view::npos || last_part(name) == kValueKey;
    const std::string_view key = is_whole ? last_part(path) : last_part(name);
    if (key == "box") return ok();
    return invalid("the place " + quote_foreign(name) + " of the model's answer must be under a key \"box\"" +
                   (key.empty() ? "" : ", not " + quote_foreign(key)) +
                   ": only such places are converted to pixels of the region");
  }

  // A box that a model has made up may have its middle in the region by chance.
  std::optional<Error> mostly_outside(std::size_t index, const Rect& box) const {
    const auto& area = analyses_.regions[index].area;
    const auto* rect = area ? std::get_if<Rect>(&*area) : nullptr;
    if (rect == nullptr || 2 * intersection(box, {0, 0, rect->width, rect->height}).area() >= box.area()) {
      return std::nullopt;
    }
    return Error{Code::kOutOfRange, "the captured box " + size_text(box) + " at " + std::to_string(box.x) + "," +
                                        std::to_string(box.y) + " is mostly outside of the region " +
                                        quote_foreign(profile_.regions[index].name) + ", which is " + size_text(*rect)};
  }

  static std::string size_text(const Rect& area) {
    return std::to_string(area.width) + "x" + std::to_string(area.height);
  }

  static Result<Rect> read_box(const Result<nlohmann::json>& value) {
    if (!value) return value.error();
    if (!value->is_array() || value->size() != 4) return invalid("[x, y, width, height] is needed");
    int numbers[4];
    for (std::size_t i = 0; i < 4; ++i) {
      const auto& one = (*value)[i];
      ASSIGN_OR_RETURN(const double number, read_number(one.is_number() ? one.dump() : "", {-100'000, 100'000}));
      numbers[i] = static_cast<int>(std::lround(number));
    }
    const Rect box{numbers[0], numbers[1], numbers[2], numbers[3]};
    if (box.empty()) return invalid("it is empty");
    return box;
  }

  Found word(Corner corner) const {
    const auto wanted = click_.word.fill(findings_.variables);
    if (!wanted) return wanted.error();
    const auto& ocr = analyses_.regions[*region_.index].ocr;
    if (const auto& area = analyses_.regions[*region_.index].area; area && !std::holds_alternative<Rect>(*area)) {
      return in_region(corner);  // Says why the region is missing.
    }
    if (!ocr) return Question{QuestionKind::kOcr, *region_.index};
    if (const auto* error = std::get_if<Error>(&*ocr)) return *error;
    const auto* seen = std::get_if<OcrSeen>(&*ocr);
    if (seen == nullptr) return Error{Code::kNotFound, std::get<Unavailable>(*ocr).reason};
    std::vector<const OcrWord*> matches;
    for (const OcrWord& one : seen->words) {
      if (is_same_name(one.text, *wanted)) matches.push_back(&one);
    }
    if (matches.empty()) return Error{Code::kNotFound, "the word " + quote_foreign(*wanted) + " is not in the region"};
    if (matches.size() > 1) {
      return Error{Code::kFailedPrecondition, "the word " + quote_foreign(*wanted) + " is " +
                                                  std::to_string(matches.size()) + " times in the region"};
    }
    return part_of(*region_.index, matches.front()->area, corner, "the word " + quote_foreign(*wanted));
  }

  Found element() const {
    const auto name = click_.name.fill(findings_.variables);
    const auto role = click_.role.fill(findings_.variables);
    if (!name || !role) return name ? role.error() : name.error();
    const auto found = analyses_.elements.find({*name, *role});
    if (found == analyses_.elements.end()) {
      Question question{QuestionKind::kElement, click_.target_region.index};
      question.name = *name;
      question.role = *role;
      return question;
    }
    if (const auto* error = std::get_if<Error>(&found->second)) return *error;
    const std::string words = trim_words(*role + (name->empty() ? "" : " " + quote_foreign(*name)));
    const auto* elements = std::get_if<std::vector<v1::UiNode>>(&found->second);
    std::vector<const v1::UiNode*> matches;
    if (elements != nullptr) {
      Rect in;
      if (click_.target_region.index) {
        const Place place = area_of(*click_.target_region.index);
        if (const auto* question = std::get_if<Question>(&place)) return *question;
        if (const auto* error = std::get_if<Error>(&place)) return *error;
        in = std::get<Rect>(place);
      }
      for (const v1::UiNode& one : *elements) {
        const Rect at = contract::from_proto(one.has_visible() ? one.visible() : one.bounds());
        if (!click_.target_region.index || in.contains(at.center())) matches.push_back(&one);
      }
    }
    if (matches.empty()) return Error{Code::kNotFound, "there is no element " + words};
    if (matches.size() > 1) {
      return Error{Code::kFailedPrecondition, "there are " + std::to_string(matches.size()) + " elements " + words};
    }
    const v1::UiNode& node = *matches.front();
    const Rect at = contract::from_proto(node.has_visible() ? node.visible() : node.bounds());
    return ClickTarget{at.center(), node.element_id(), contract::name_element(node)};
  }

  static std::string trim_words(const std::string& words) { return std::string(trim(words)); }

  const Profile& profile_;
  const Rule& rule_;
  const Click& click_;
  const Findings& findings_;
  const Analyses& analyses_;
  RegionRef region_;
};

}  // namespace

std::variant<ClickTarget, Question, Error> find_click_target(const Profile& profile, const Rule& rule,
                                                             const Click& click, const Findings& findings,
                                                             const Analyses& analyses) {
  return ClickTargetFinder(profile, rule, click, findings, analyses).find();
}

}  // namespace da::planner::rules
