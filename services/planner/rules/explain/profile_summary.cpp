#include "services/planner/rules/explain/profile_summary.h"

#include <algorithm>
#include <map>
#include <set>

#include "lib/base/text.h"
#include "services/planner/rules/engine/needed_models.h"

namespace da::planner::rules {
namespace {

// Nothing is left out: what does not show could be what matters.
constexpr std::size_t kShownText = 10'000;

template <class... Cases>
struct Visitor : Cases... {
  using Cases::operator()...;
};

std::string quoted(const std::string& text) { return quote_foreign(text, kShownText); }

std::string text_of(const Number& number) {
  return number.is_known() ? number_text(number.value) : escape_foreign(number.text.text(), kShownText);
}

class Summary {
 public:
  explicit Summary(const Profile& profile) : profile_(profile) {
    for (const Rule& rule : profile.rules) {
      read(rule.condition, rule.region, rule);
      for (const Action& action : rule.actions) act(action, rule);
    }
  }

  std::vector<std::string> lines() && {
    std::vector<std::string> lines;
    const std::string pace = "every " + text_of(profile_.settings.monitoring_interval_seconds) + " s";
    for (const std::size_t index : regions_) lines.push_back("reads    " + place_of(index) + ", " + pace);
    if (reads_elements_) lines.emplace_back("reads    the names and states of elements of the desktop");
    for (const auto& [what, rules] : sent_) lines.push_back("sends    " + what + " (" + names_of(rules) + ")");
    lines.insert(lines.end(), done_.begin(), done_.end());
    if (done_.empty()) lines.emplace_back("does     nothing on the desktop");
    return lines;
  }

 private:
  std::string place_of(std::size_t index) const {
    const Region& region = profile_.regions[index];
    const Rect& area = region.area;
    const std::string size = std::to_string(area.width) + "x" + std::to_string(area.height) + " at " +
                             std::to_string(area.x) + "," + std::to_string(area.y);
    return "region " + quoted(region.name) + ": " + size +
           (region.window.empty() ? " of the desktop" : " of the window " + quoted(region.window));
  }
  std::string name_of(const RegionRef& region) const {
    return region.index ? "region " + quoted(profile_.regions[*region.index].name) : "the desktop";
  }
  static std::string names_of(const std::vector<std::string>& rules) {
    std::string names = rules.size() == 1 ? "rule " : "rules ";
    for (const std::string& rule : rules) names += (&rule == &rules.front() ? "" : ", ") + quoted(rule);
    return names;
  }

  void read(const Condition& condition, const RegionRef& of_rule, const Rule& rule) {
    const RegionRef& region = condition.region.index ? condition.region : of_rule;
    if (const auto* compound = std::get_if<Compound>(&condition.test)) {
      for (const Condition& part : compound->sub_conditions) read(part, region, rule);
      return;
    }
    if (std::holds_alternative<AlwaysTrue>(condition.test)) return;
    reads_elements_ = reads_elements_ || std::holds_alternative<UiElement>(condition.test);
    if (region.index) regions_.insert(*region.index);
    if (const auto* query = std::get_if<VisionQuery>(&condition.test)) {
      send("a picture of " + name_of(region) + " and " + quoted(query->prompt.text()) + " to the model " +
               quoted(model_named(profile_, query->model_name.text())),
           rule);
    }
  }

  void send(const std::string& what, const Rule& rule) {
    auto& rules = sent_[what];
    if (rules.empty() || rules.back() != rule.name) rules.push_back(rule.name);
  }

  void act(const Action& action, const Rule& rule) {
    const std::string text = std::visit(
        Visitor{[&](const Click& click) {
                  note_target(click, rule);
                  const bool once = click.clicks.is_known() && click.clicks.value == 1;
                  return "clicks   " + target_of(click, rule) + (once ? "" : ", " + text_of(click.clicks) + " times");
                },
                [](const TypeText& type) { return "types    " + quoted(type.text.text()); },
                [](const PressKey& press) { return "presses  " + quoted(press.key.text.text()); },
                [](const LogMessage&) { return std::string(); },
                [&](const PerformTask& task) { return task_text(task, rule); }},
        action);
    if (!text.empty()) done_.push_back(text + " (rule " + quoted(rule.name) + ")");
  }

  void note_target(const Click& click, const Rule& rule) {
    const bool by_element = click.target_relation == TargetRelation::kUiElement;
    reads_elements_ = reads_elements_ || by_element;
    const RegionRef& region = click.target_region.index || by_element ? click.target_region : rule.region;
    const bool absolute = click.target_relation == TargetRelation::kAbsolute;
    if (region.index && !absolute) regions_.insert(*region.index);
  }

  std::string target_of(const Click& click, const Rule& rule) const {
    const RegionRef& region = click.target_region.index ? click.target_region : rule.region;
    const std::string in = region.index ? " in " + name_of(region) : "";
    const std::string at = text_of(click.x) + "," + text_of(click.y);
    switch (click.target_relation) {
      case TargetRelation::kCenterOfRegion: return "the centre of " + name_of(region);
      case TargetRelation::kAbsolute: return "at " + at;
      case TargetRelation::kRelativeToRegion: return "at " + at + " of " + name_of(region);
      case TargetRelation::kCenterOfLastMatch:
      case TargetRelation::kTopLeftOfLastMatch: return "where a template was found" + in;
      case TargetRelation::kCenterOfGeminiElement:
      case TargetRelation::kTopLeftOfGeminiElement: return "where a model says" + in;
      case TargetRelation::kCenterOfOcrWord:
      case TargetRelation::kTopLeftOfOcrWord: return "the word " + quoted(click.word.text()) + in;
      case TargetRelation::kUiElement:
        return "the element " + quoted(click.name.text()) + (click.target_region.index ? in : "");
    }
    return "somewhere";
  }

  std::string task_text(const PerformTask& task, const Rule& rule) {
    const bool plans = task.goal_prompt.empty();
    const std::string& goal = plans ? task.natural_language_command.text() : task.goal_prompt.text();
    std::vector<RegionRef> regions = task.context_region_names.regions;
    if (regions.empty() && !plans && rule.region.index) regions.push_back(rule.region);
    std::string places;
    for (const RegionRef& region : regions) {
      if (region.index) regions_.insert(*region.index);
      places += (places.empty() ? "" : ", ") + name_of(region);
    }
    reads_elements_ = true;
    const std::string shown = plans || places.empty() ? "the desktop" : places;
    send("a picture of " + shown + ", names of elements and " + quoted(goal) + " to the model " +
             quoted(model_named(profile_, "")),
         rule);
    const std::string where = places.empty() ? "" : ", in " + places;
    return "does     what the model decides for " + quoted(goal) + where + ", at most " + text_of(task.max_steps) +
           " steps" + (task.require_confirmation_before_each_step ? ", with a question before each" : "");
  }

  const Profile& profile_;
  std::set<std::size_t> regions_;
  bool reads_elements_ = false;
  std::map<std::string, std::vector<std::string>> sent_;  // Rules that send something, keyed by what is sent where.
  std::vector<std::string> done_;
};

}  // namespace

std::vector<std::string> profile_summary(const Profile& profile) { return Summary(profile).lines(); }

}  // namespace da::planner::rules
