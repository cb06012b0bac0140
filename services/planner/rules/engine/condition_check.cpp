#include "services/planner/rules/engine/condition_check.h"

#include <algorithm>
#include <cmath>

#include "lib/base/name_text.h"
#include "lib/base/text.h"
#include "lib/contract/evidence/element_state.h"
#include "services/planner/rules/engine/vision_answer.h"
#include "services/planner/rules/profile/element_states.h"
#include "services/planner/rules/profile/rule_fields.h"

namespace da::planner::rules {
namespace {

using nlohmann::json;

bool is_like(const Bgr& a, const Bgr& b, double tolerance) {
  const auto near = [&](int x, int y) { return std::abs(x - y) <= tolerance; };
  return near(a.blue, b.blue) && near(a.green, b.green) && near(a.red, b.red);
}

std::string words(const Bgr& colour) {
  return "[" + std::to_string(colour.blue) + ", " + std::to_string(colour.green) + ", " + std::to_string(colour.red) +
         "]";
}

std::string words(const Rect& area) {
  return std::to_string(area.width) + "x" + std::to_string(area.height) + " at " + std::to_string(area.x) + "," +
         std::to_string(area.y);
}

std::string rounded(double value) {
  constexpr double kDigits = 1'000;
  return number_text(std::round(value * kDigits) / kDigits);
}

json box_of(const Rect& area) { return {area.x, area.y, area.width, area.height}; }

Outcome holds_if(bool holds) { return holds ? Outcome::kHolds : Outcome::kFails; }

// The first of the texts that is in the given one.
const std::string* first_contained(const std::string& text, const std::vector<std::string>& wanted,
                                   bool case_sensitive) {
  for (const std::string& one : wanted) {
    if (case_sensitive ? text.find(one) != std::string::npos : name_contains(text, one)) return &one;
  }
  return nullptr;
}

Result<std::vector<std::string>> fill_all(const TextList& texts, const Variables& variables) {
  std::vector<std::string> filled;
  for (const TextTemplate& text : texts) {
    ASSIGN_OR_RETURN(auto one, text.fill(variables));
    if (one.empty())
      return Error{Code::kInvalidArgument, "the text " + quote_foreign(text.text()) + " is empty when filled"};
    filled.push_back(std::move(one));
  }
  return filled;
}

bool has_states(const v1::UiNode& element, const ElementStates& states) {
  return std::ranges::all_of(
      states, [&](const ElementStateWish& wish) { return contract::has_state(element, wish.state) == wish.wanted; });
}

Rect bounds_of(const v1::UiNode& element) {
  const v1::Rect& at = element.has_visible() ? element.visible() : element.bounds();
  return {at.x(), at.y(), static_cast<int>(at.width()), static_cast<int>(at.height())};
}

std::string states_of(const v1::UiNode& element) {
  std::vector<std::string> names;
  for (const int state : element.states()) names.push_back(state_text({static_cast<v1::UiState>(state), true}));
  return join(names, ", ");
}

template <class Key, class T>
const Answer<T>* find_in(const std::map<Key, Answer<T>>& answers, const Key& key) {
  const auto found = answers.find(key);
  return found == answers.end() ? nullptr : &found->second;
}

template <class T>
const Answer<T>* find_in(const std::optional<Answer<T>>& answer) {
  return answer ? &*answer : nullptr;
}

}  // namespace

Outcome ConditionCheck::fail(std::string problem) {
  problem_ = std::move(problem);
  return outcome_ = Outcome::kError;
}

template <class T>
std::optional<T> ConditionCheck::filled(Result<T> value) {
  if (value) return *std::move(value);
  fail(value.error().message);
  return std::nullopt;
}

template <class T>
const T* ConditionCheck::use(const Answer<T>* answer, const Question& question) {
  if (answer == nullptr) {
    question_ = question;
    outcome_ = Outcome::kPending;
    return nullptr;
  }
  if (const auto* error = std::get_if<Error>(answer)) {
    fail(error->message);
  } else if (const auto* missing = std::get_if<Unavailable>(answer)) {
    problem_ = missing->reason;
    outcome_ = Outcome::kUnavailable;
  }
  return std::get_if<T>(answer);
}

const RegionAnalyses* ConditionCheck::region(const RegionRef& ref) {
  const RegionAnalyses& known = analyses_.regions[*ref.index];
  if (known.area && !std::holds_alternative<Rect>(*known.area)) {
    use(&*known.area, {});
    return nullptr;
  }
  return &known;
}

const Rect* ConditionCheck::area(const RegionRef& ref) {
  return use(find_in(analyses_.regions[*ref.index].area), {QuestionKind::kArea, ref.index});
}

void ConditionCheck::capture(const CaptureName& name, json value, const RegionRef& ref) {
  if (name.name.empty()) return;
  variables_[name.name] = captured(std::move(value), ref.index ? profile_.regions[*ref.index].name : std::string());
}

Outcome ConditionCheck::check(const Condition& condition, ConditionReport* report) {
  outcome_ = Outcome::kNotEvaluated;
  const Outcome outcome =
      std::visit([&](const auto& one) { return test(one, condition.region, report); }, condition.test);
  if (report != nullptr) {
    std::visit(
        [&]<class T>(const T&) {
          if (report->type.empty()) report->type = type_name<T>();
        },
        condition.test);
    const bool placeless =
        std::holds_alternative<Compound>(condition.test) || std::holds_alternative<AlwaysTrue>(condition.test);
    if (condition.region.index && !placeless) report->region = profile_.regions[*condition.region.index].name;
    report->outcome = outcome;
    const bool has_reason = outcome == Outcome::kError || outcome == Outcome::kUnavailable;
    if (has_reason && report->parts.empty()) report->reason = problem_;
  }
  return outcome;
}

Outcome ConditionCheck::check_compound(const Compound& compound, ConditionReport* report) {
  if (report != nullptr) report->type = spelling_of(compound.logical_operator);
  switch (compound.logical_operator) {
    case LogicalOperator::kAnd: return check_parts(compound, report, Outcome::kFails, Outcome::kHolds);
    case LogicalOperator::kOr: return check_parts(compound, report, Outcome::kHolds, Outcome::kFails);
    case LogicalOperator::kNot: break;
  }
  const Outcome outcome = check_parts(compound, report, Outcome::kHolds, Outcome::kFails);
  if (outcome == Outcome::kHolds) return Outcome::kFails;
  return outcome == Outcome::kFails ? Outcome::kHolds : outcome;
}

Outcome ConditionCheck::check_parts(const Compound& compound, ConditionReport* report, Outcome decisive,
                                    Outcome otherwise) {
  Outcome outcome = otherwise;
  bool decided = false;
  for (const Condition& part : compound.sub_conditions) {
    ConditionReport* of_part = report == nullptr ? nullptr : &report->parts.emplace_back();
    if (decided) {
      std::visit(
          [&]<class T>(const T&) {
            if (of_part != nullptr) of_part->type = type_name<T>();
          },
          part.test);
      continue;
    }
    const Outcome one = check(part, of_part);
    if (one == otherwise) continue;
    outcome = one;
    // An OR goes on after a region that is not there: another part may hold.
    decided = one != Outcome::kUnavailable || decisive == Outcome::kFails;
    if (decided && report == nullptr) break;
  }
  return outcome;
}

Outcome ConditionCheck::test(const PixelColor& condition, const RegionRef& ref, ConditionReport* report) {
  const auto x = filled(condition.relative_x.fill(variables_));
  const auto y = x ? filled(condition.relative_y.fill(variables_)) : std::nullopt;
  const auto tolerance = y ? filled(condition.tolerance.fill(variables_)) : std::nullopt;
  if (!tolerance) return outcome_;
  const std::pair<int, int> at(static_cast<int>(*x), static_cast<int>(*y));
  if (report != nullptr) {
    report->expected = words(condition.expected_bgr) + " +-" + number_text(*tolerance) + " at " +
                       std::to_string(at.first) + "," + std::to_string(at.second);
  }
  const RegionAnalyses* known = region(ref);
  if (known == nullptr) return outcome_;
  const Bgr* colour = use(find_in(known->pixels, at), {QuestionKind::kPixel, ref.index, at.first, at.second});
  if (colour == nullptr) return outcome_;
  if (report != nullptr) report->measured = words(*colour);
  return holds_if(is_like(*colour, condition.expected_bgr, *tolerance));
}

Outcome ConditionCheck::test(const AverageColor& condition, const RegionRef& ref, ConditionReport* report) {
  const auto tolerance = filled(condition.tolerance.fill(variables_));
  if (!tolerance) return outcome_;
  if (report != nullptr) report->expected = words(condition.expected_bgr) + " +-" + number_text(*tolerance);
  const RegionAnalyses* known = region(ref);
  if (known == nullptr) return outcome_;
  const Bgr* colour = use(find_in(known->average), {QuestionKind::kAverage, ref.index});
  if (colour == nullptr) return outcome_;
  if (report != nullptr) report->measured = words(*colour);
  return holds_if(is_like(*colour, condition.expected_bgr, *tolerance));
}

Outcome ConditionCheck::test(const TemplateMatch& condition, const RegionRef& ref, ConditionReport* report) {
  const auto least = filled(condition.min_confidence.fill(variables_));
  if (!least) return outcome_;
  if (report != nullptr) {
    report->expected = profile_.templates[condition.image.index].name + " with " + number_text(*least);
  }
  const RegionAnalyses* known = region(ref);
  if (known == nullptr) return outcome_;
  const TemplateSeen* seen = use(find_in(known->templates, condition.image.index),
                                 {QuestionKind::kTemplate, ref.index, 0, 0, condition.image.index, *least});
  if (seen == nullptr) return outcome_;
  if (report != nullptr) {
    report->measured = seen->best ? rounded(seen->confidence) + " (" + words(*seen->best) + ")" : "no place";
    if (seen->ambiguous) report->reason = "ambiguous: another place is as good, or nearly";
  }
  if (!seen->best || seen->confidence < *least) return Outcome::kFails;
  const Rect& at = *seen->best;
  last_match_ = FoundTemplate{*ref.index, at};
  capture(condition.capture_as,
          {{"location", {at.x, at.y}},
           {"size", {at.width, at.height}},
           {"box", box_of(at)},
           {"confidence", seen->confidence}},
          ref);
  return Outcome::kHolds;
}

Outcome ConditionCheck::test(const OcrContains& condition, const RegionRef& ref, ConditionReport* report) {
  const auto wanted = filled(fill_all(condition.text_to_find, variables_));
  if (!wanted) return outcome_;
  std::optional<double> least;
  if (condition.min_ocr_confidence.number) {
    least = filled(condition.min_ocr_confidence.number->fill(variables_));
    if (!least) return outcome_;
  }
  if (report != nullptr) {
    report->expected = join(*wanted, " or ") + (least ? " with " + number_text(*least) + " percent" : "");
  }
  const RegionAnalyses* known = region(ref);
  if (known == nullptr) return outcome_;
  const OcrSeen* seen = use(find_in(known->ocr), {QuestionKind::kOcr, ref.index});
  if (seen == nullptr) return outcome_;
  if (report != nullptr)
    report->measured = quote_foreign(seen->text) + " with " + rounded(seen->average_confidence) + " percent";
  if (least && seen->average_confidence < *least) return Outcome::kFails;
  if (first_contained(seen->text, *wanted, condition.case_sensitive) == nullptr) return Outcome::kFails;
  capture(condition.capture_as, seen->text, ref);
  return Outcome::kHolds;
}

Outcome ConditionCheck::test(const DominantColor& condition, const RegionRef& ref, ConditionReport* report) {
  const auto tolerance = filled(condition.tolerance.fill(variables_));
  const auto top = tolerance ? filled(condition.check_top_n_dominant.fill(variables_)) : std::nullopt;
  const auto least = top ? filled(condition.min_percentage.fill(variables_)) : std::nullopt;
  if (!least) return outcome_;
  if (report != nullptr) {
    report->expected = words(condition.expected_bgr) + " +-" + number_text(*tolerance) + " with " +
                       number_text(*least) + " percent in the first " + number_text(*top);
  }
  const RegionAnalyses* known = region(ref);
  if (known == nullptr) return outcome_;
  const auto* shares = use(find_in(known->dominant), {QuestionKind::kDominant, ref.index});
  if (shares == nullptr) return outcome_;
  bool found = false;
  std::vector<std::string> measured;
  for (std::size_t i = 0; i < std::min(shares->size(), static_cast<std::size_t>(*top)); ++i) {
    const ColourShare& share = (*shares)[i];
    found = found || (is_like(share.colour, condition.expected_bgr, *tolerance) && share.percent >= *least);
    if (report != nullptr) measured.push_back(words(share.colour) + " " + rounded(share.percent) + " percent");
  }
  if (report != nullptr) report->measured = measured.empty() ? "no colours" : join(measured, ", ");
  return holds_if(found);
}

Outcome ConditionCheck::test(const VisionQuery& condition, const RegionRef& ref, ConditionReport* report) {
  const auto prompt = filled(condition.prompt.fill(variables_));
  const auto model = prompt ? filled(condition.model_name.fill(variables_)) : std::nullopt;
  if (!model) return outcome_;
  const RegionAnalyses* known = region(ref);
  if (known == nullptr) return outcome_;
  const std::string* answer = use(find_in(known->models, std::pair(*prompt, *model)),
                                  {QuestionKind::kModel, ref.index, 0, 0, 0, 0, *prompt, *model});
  return answer == nullptr ? outcome_ : test_answer(condition, ref, *answer, report);
}

Outcome ConditionCheck::test_answer(const VisionQuery& condition, const RegionRef& ref, const std::string& answer,
                                    ConditionReport* report) {
  const auto contains = filled(fill_all(condition.expected_response_contains, variables_));
  const auto path = contains ? filled(condition.expected_response_json_path.fill(variables_)) : std::nullopt;
  const auto expected = path ? filled(condition.expected_json_value.fill(variables_)) : std::nullopt;
  if (!expected) return outcome_;
  if (report != nullptr) {
    report->measured = quote_foreign(answer);
    if (!contains->empty()) report->expected = join(*contains, " or ");
    if (!path->empty())
      report->expected +=
          (contains->empty() ? "" : ", and ") + *path + (expected->empty() ? " given" : " = " + *expected);
    if (report->expected.empty()) report->expected = "any answer";
  }
  const bool contained =
      contains->empty() || first_contained(answer, *contains, condition.case_sensitive_response_check) != nullptr;
  if (!contained) return Outcome::kFails;
  auto value = json_of_answer(answer);
  if (!path->empty()) {
    if (!value) {
      if (report != nullptr) report->reason = "the answer is not JSON";
      return Outcome::kFails;
    }
    auto at = value_at(*value, *path);
    if (!at) {
      if (report != nullptr) report->reason = at.error().message;
      return Outcome::kFails;
    }
    if (!expected->empty() && !equals_as_text(*at, *expected)) return Outcome::kFails;
    value = *std::move(at);
  }
  capture(condition.capture_as, value ? *std::move(value) : json(answer), ref);
  return Outcome::kHolds;
}

Outcome ConditionCheck::test(const UiElement& condition, const RegionRef& ref, ConditionReport* report) {
  const auto name = filled(condition.name.fill(variables_));
  const auto role = name ? filled(condition.role.fill(variables_)) : std::nullopt;
  if (!role) return outcome_;
  if (report != nullptr) {
    std::vector<std::string> states;
    for (const ElementStateWish& wish : condition.state) states.push_back(state_text(wish));
    report->expected = trim(*role + " " + (name->empty() ? "" : quote_foreign(*name)));
    if (!states.empty()) report->expected += ", " + join(states, ", ");
  }
  const Rect* in = ref.index ? area(ref) : nullptr;
  if (ref.index && in == nullptr) return outcome_;
  Question question{QuestionKind::kElement, ref.index};
  question.name = *name;
  question.role = *role;
  const auto* elements = use(find_in(analyses_.elements, std::pair(*name, *role)), question);
  if (elements == nullptr) return outcome_;
  std::vector<std::string> measured;
  for (const v1::UiNode& element : *elements) {
    Rect at = bounds_of(element);
    if (in != nullptr && !in->contains(at.center())) continue;
    measured.push_back(element.role() + " " + quote_foreign(element.name()) + " (" + states_of(element) + ")");
    if (!has_states(element, condition.state)) continue;
    if (in != nullptr) at = {at.x - in->x, at.y - in->y, at.width, at.height};
    capture(condition.capture_as,
            {{"name", element.name()},
             {"text", element.text()},
             {"role", element.role()},
             {"states", states_of(element)},
             {"box", box_of(at)}},
            ref);
    if (report != nullptr) report->measured = measured.back();
    return Outcome::kHolds;
  }
  if (report != nullptr) report->measured = measured.empty() ? "none" : join(measured, ", ");
  return Outcome::kFails;
}

}  // namespace da::planner::rules
