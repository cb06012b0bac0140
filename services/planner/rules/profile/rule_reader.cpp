#include "services/planner/rules/profile/rule_reader.h"

#include <algorithm>

#include "lib/contract/evidence/role_words.h"

namespace da::planner::rules {
namespace {

constexpr int kMaxConditionDepth = 16;
constexpr std::size_t kMaxParts = 1'000;
constexpr std::size_t kMaxActions = 50;
constexpr const char* kComment = "comment";
constexpr std::size_t kMaxContextRegions = 8;  // Each is a picture for the model.

// Whether a condition or one of its parts is of this type.
template <class T>
bool has_test(const Condition& condition) {
  if (std::holds_alternative<T>(condition.test)) return true;
  const auto* compound = std::get_if<Compound>(&condition.test);
  return compound != nullptr && std::ranges::any_of(compound->sub_conditions, has_test<T>);
}

class RuleReader {
 public:
  RuleReader(ObjectReader& reader, ReadContext& context) : reader_(reader), context_(context) {}

  Rule read(std::size_t index) {
    rule_.name = reader_.text("name", Need::kOptional);
    if (rule_.name.empty()) rule_.name = "rule " + std::to_string(index + 1);
    reader_(rule_.region, Field{"region", ""});
    reader_.text(kComment, Need::kOptional);
    if (const Document* condition = reader_.take("condition")) {
      rule_.condition = read_condition(*condition, reader_.member("condition"), 1);
    } else {
      reader_.error("condition", "condition is missing");
    }
    read_actions();
    rule_.stop = reader_.flag("stop", false);
    rule_.once = reader_.flag("once", false);
    reader_(rule_.cooldown_seconds, Field{"cooldown_seconds", "", {}, {0, 1e7}});
    if (!rule_.cooldown_seconds.is_known()) {
      reader_.error("cooldown_seconds", "cooldown_seconds must be a number, without placeholders");
    }
    return std::move(rule_);
  }

 private:
  Condition read_condition(const Document& value, const std::string& pointer, int depth) {
    ObjectReader reader(value, pointer, context_);
    Condition condition;
    condition.region = rule_.region;
    reader.text(kComment, Need::kOptional);
    if (reader.has("logical_operator") || reader.has("sub_conditions")) {
      condition.test = read_compound(reader, depth);
      reader.finish();
      return condition;
    }
    if (reader.has("region")) reader(condition.region, Field{"region", ""});
    reader.take("region");
    read_test(reader, condition);
    reader.finish();
    check_condition(reader, condition);
    return condition;
  }

  Compound read_compound(ObjectReader& reader, int depth) {
    Compound compound;
    reader(compound.logical_operator, Field{"logical_operator", "AND, OR or NOT", Need::kRequired});
    const Document* parts = reader.take("sub_conditions");
    if (depth > kMaxConditionDepth) {
      reader.error("sub_conditions",
                   "conditions are nested deeper than " + std::to_string(kMaxConditionDepth) + " levels");
    } else if (parts == nullptr || !parts->is_array() || parts->empty()) {
      reader.error("sub_conditions", "sub_conditions must be a list of conditions");
    } else if (parts->size() > kMaxParts) {
      reader.error("sub_conditions", "there are more than " + std::to_string(kMaxParts) + " sub_conditions");
    } else {
      for (std::size_t i = 0; i < parts->size() && !context_.problems.full(); ++i) {
        const std::string pointer = contract::json_pointer(reader.member("sub_conditions"), std::to_string(i));
        compound.sub_conditions.push_back(read_condition((*parts)[i], pointer, depth + 1));
      }
      if (compound.logical_operator == LogicalOperator::kNot && parts->size() != 1) {
        reader.error("sub_conditions", "NOT has one sub-condition, not " + std::to_string(parts->size()));
      }
    }
    return compound;
  }

  // Reads the parameters of the object's type, one of those that `types` visits.
  template <class Types, class Store>
  void read_type(ObjectReader& reader, const char* kind, Types types, Store store) {
    const std::string given = reader.text("type", Need::kRequired);
    bool found = false;
    std::vector<std::string> names;
    types([&](const auto& type) {
      names.emplace_back(type.name);
      if (type.name != given) return;
      found = true;
      auto target = type.make();
      reader.read(target);
      store(std::move(target));
    });
    if (!found && !given.empty()) {
      reader.error("type", "the " + std::string(kind) + " type " + quote_foreign(given, 60) + " is unknown" +
                               did_you_mean(given, names) + "; known: " + join(names, ", "));
    }
    if (!found) reader.take_all();
  }

  void read_test(ObjectReader& reader, Condition& condition) {
    read_type(
        reader, "condition", [](auto visit) { visit_condition_types(visit); },
        [&](auto test) { condition.test = std::move(test); });
  }

  void check_condition(ObjectReader& reader, const Condition& condition) {
    const bool anywhere =
        std::holds_alternative<AlwaysTrue>(condition.test) || std::holds_alternative<UiElement>(condition.test);
    if (!anywhere && !condition.region.index && reader.is_object() && !reader.has("region") && !has_region_key()) {
      reader.error("type", "a region is missing: name one in the condition or in its rule");
    }
    if (const auto* pixel = std::get_if<PixelColor>(&condition.test)) check_pixel(reader, condition.region, *pixel);
    if (const auto* element = std::get_if<UiElement>(&condition.test))
      check_element(reader, element->name, element->role);
  }

  bool has_region_key() const { return reader_.has("region"); }

  void check_pixel(ObjectReader& reader, const RegionRef& region, const PixelColor& pixel) {
    if (!region.index) return;
    const Rect& area = context_.profile.regions[*region.index].area;
    const auto outside = [](const Number& at, int size) { return at.is_known() && size > 0 && at.value >= size; };
    if (outside(pixel.relative_x, area.width)) {
      reader.error("relative_x",
                   "relative_x is outside of the region, which is " + std::to_string(area.width) + " wide");
    }
    if (outside(pixel.relative_y, area.height)) {
      reader.error("relative_y",
                   "relative_y is outside of the region, which is " + std::to_string(area.height) + " high");
    }
  }

  void check_element(ObjectReader& reader, const TextTemplate& name, const TextTemplate& role) {
    if (name.empty() && role.empty()) reader.error("name", "ui_element needs a name or a role");
    const std::vector<std::string> known(contract::kRoleWords.begin(), contract::kRoleWords.end());
    const std::string word = fold_case(role.text());
    if (!role.empty() && role.is_plain() && std::ranges::find(known, word) == known.end()) {
      reader.error("role", quote_foreign(role.text(), 40) + " is not a kind of element" + did_you_mean(word, known) +
                               "; known: " + join(contract::kCommonKinds, ", ") +
                               ", and the roles that `da-console elements` prints");
    }
  }

  void read_actions() {
    const Document* one = reader_.take("action");
    const Document* several = reader_.take("actions");
    if (one != nullptr && several != nullptr) return reader_.error("actions", "give action or actions, not both");
    if (one == nullptr && several == nullptr) return reader_.error("action", "action is missing");
    if (one != nullptr) return read_action(*one, reader_.member("action"));
    if (!several->is_array() || several->empty() || several->size() > kMaxActions) {
      return reader_.error("actions", "actions must be a list of 1 to " + std::to_string(kMaxActions) + " actions");
    }
    for (std::size_t i = 0; i < several->size(); ++i) {
      read_action((*several)[i], contract::json_pointer(reader_.member("actions"), std::to_string(i)));
    }
  }

  void read_action(const Document& value, const std::string& pointer) {
    ObjectReader reader(value, pointer, context_);
    reader.text(kComment, Need::kOptional);
    read_type(
        reader, "action", [](auto visit) { visit_action_types(visit); },
        [&](auto action) { rule_.actions.emplace_back(std::move(action)); });
    reader.finish();
    if (rule_.actions.empty()) return;
    if (const auto* click = std::get_if<Click>(&rule_.actions.back())) check_click(reader, *click);
    if (const auto* task = std::get_if<PerformTask>(&rule_.actions.back())) check_task(reader, *task);
  }

  void check_click(ObjectReader& reader, const Click& click) {
    const auto needs = [&](bool given, const char* what) {
      if (!given) reader.error("target_relation", std::string(spelling_of(click.target_relation)) + " needs " + what);
    };
    const bool has_region =
        click.target_region.index || rule_.region.index || reader.has("target_region") || has_region_key();
    const bool has_place = reader.has("x") && reader.has("y");
    switch (click.target_relation) {
      case TargetRelation::kCenterOfRegion: return needs(has_region, "a region: target_region, or the rule's");
      case TargetRelation::kRelativeToRegion:
        needs(has_region, "a region: target_region, or the rule's");
        return needs(has_place, "x and y");
      case TargetRelation::kAbsolute: return needs(has_place, "x and y");
      case TargetRelation::kCenterOfLastMatch:
      case TargetRelation::kTopLeftOfLastMatch:
        return needs(has_test<TemplateMatch>(rule_.condition), "a template_match_found condition in the rule");
      case TargetRelation::kCenterOfGeminiElement:
      case TargetRelation::kTopLeftOfGeminiElement:
        return needs(!click.gemini_element_variable.name.empty(), "gemini_element_variable");
      case TargetRelation::kCenterOfOcrWord:
      case TargetRelation::kTopLeftOfOcrWord:
        needs(has_region, "a region: target_region, or the rule's");
        return needs(!click.word.empty(), "word");
      case TargetRelation::kUiElement: return check_element(reader, click.name, click.role);
    }
  }

  void check_task(ObjectReader& reader, const PerformTask& task) {
    if (task.goal_prompt.empty() && task.natural_language_command.empty()) {
      reader.error("type", "gemini_perform_task needs goal_prompt or natural_language_command");
    }
    if (!task.goal_prompt.empty() && !task.natural_language_command.empty()) {
      reader.error("natural_language_command", "give goal_prompt or natural_language_command, not both");
    }
    if (task.context_region_names.regions.size() > kMaxContextRegions) {
      reader.error("context_region_names",
                   "a model can be shown at most " + std::to_string(kMaxContextRegions) + " regions");
    }
    if (task.context_region_names.regions.empty() && !task.goal_prompt.empty() && !rule_.region.index &&
        !reader.has("context_region_names") && !has_region_key()) {
      reader.error("type", "gemini_perform_task needs a region: context_region_names, or the rule's");
    }
  }

  ObjectReader& reader_;
  ReadContext& context_;
  Rule rule_;
};

}  // namespace

Rule read_rule(ObjectReader& reader, ReadContext& context, std::size_t index) {
  return RuleReader(reader, context).read(index);
}

}  // namespace da::planner::rules
