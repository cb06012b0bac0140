#include "services/planner/rules/explain/explanation.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "lib/base/text.h"

namespace da::planner::rules {
namespace {

bool is_same(const LoadedProfile& a, const LoadedProfile& b) {
  return a.text == b.text && std::ranges::equal(a.images, b.images, {}, &TemplateImage::digest, &TemplateImage::digest);
}

// For each of `from`, the element of `to` with this name. Of several with one name, the first belongs to the first.
std::vector<std::optional<std::size_t>> match_rules(const std::vector<Rule>& from, const std::vector<Rule>& to) {
  std::map<std::string, std::vector<std::size_t>> named;
  for (std::size_t i = to.size(); i-- > 0;) named[to[i].name].push_back(i);
  std::vector<std::optional<std::size_t>> matched;
  for (const Rule& rule : from) {
    auto& left = named[rule.name];
    matched.emplace_back(left.empty() ? std::nullopt : std::optional(left.back()));
    if (!left.empty()) left.pop_back();
  }
  return matched;
}

std::vector<std::optional<std::size_t>> match_regions(const Profile& from, const Profile& to) {
  std::map<std::tuple<std::string, int, int, int, int>, std::size_t> places;
  const auto place = [](const Region& one) {
    return std::tuple(one.window, one.area.x, one.area.y, one.area.width, one.area.height);
  };
  for (std::size_t i = 0; i < to.regions.size(); ++i) places.try_emplace(place(to.regions[i]), i);
  std::vector<std::optional<std::size_t>> matched;
  for (const Region& one : from.regions) {
    const auto found = places.find(place(one));
    matched.emplace_back(found == places.end() ? std::nullopt : std::optional(found->second));
  }
  return matched;
}

// Of two of these, the difference is a time, too.
MonoTime time_of(std::int64_t ns) { return MonoTime(Nanoseconds(std::max<std::int64_t>(ns, 0))); }

bool contains(const google::protobuf::RepeatedField<std::uint32_t>& list, std::size_t value) {
  return std::ranges::find(list, static_cast<std::uint32_t>(value)) != list.end();
}

auto key_of(const Question& question) {
  return std::tuple(question.kind, question.region, question.x, question.y, question.image, question.name,
                    question.role);
}

const v1::RuleEvent* firing(const RecordedEvaluation& recorded, const std::string& rule) {
  const auto found = std::ranges::find_if(recorded.events, [&](const v1::RuleEvent& event) {
    return event.kind() == v1::RuleEvent::KIND_FIRES && event.rule() == rule;
  });
  return found == recorded.events.end() ? nullptr : &*found;
}

const RuleError* error_of(const Cycle& cycle, std::size_t rule) {
  const auto found = std::ranges::find(cycle.errors, rule, &RuleError::rule);
  return found == cycle.errors.end() ? nullptr : &*found;
}

}  // namespace

Explanation::Explanation(const RecordedRun& run, const LoadedProfile& recorded, const LoadedProfile& current,
                         PictureAnalyst* analyst, std::set<std::string> only)
    : run_(run),
      recorded_(recorded),
      current_(current),
      analyst_(analyst),
      engine_(current.profile),
      only_(std::move(only)),
      same_profile_(is_same(recorded, current)),
      screen_(recorded.profile, recorded.images, run),
      state_(current.profile.rules.size()),
      live_rule_(match_rules(current.profile.rules, recorded.profile.rules)),
      present_rule_(match_rules(recorded.profile.rules, current.profile.rules)),
      live_region_(match_regions(current.profile, recorded.profile)) {}

Result<ExplainTotals> Explanation::run(const Take& take) {
  std::uint64_t last_cycle = 0;
  totals_ = {};
  for (const RecordedEvaluation& recorded : run_.evaluations) {
    ASSIGN_OR_RETURN(const auto explained, explain(recorded));
    ++totals_.evaluations;
    if (recorded.fact.cycle() != last_cycle) ++totals_.cycles;
    last_cycle = recorded.fact.cycle();
    totals_.differences += explained.differences.size();
    for (const ExplainedRule& rule : explained.rules) {
      if (!rule.difference.empty()) ++totals_.differences;
      if (!rule.is_known) ++totals_.not_known;
      if (rule.report.outcome == Outcome::kHolds) ++totals_.fires;
    }
    for (const v1::RuleEvent& event : recorded.events) {
      if (event.kind() == v1::RuleEvent::KIND_FIRES && counts(event.rule())) ++totals_.fired_live;
    }
    take(explained);
  }
  return totals_;
}

Result<ExplainedEvaluation> Explanation::explain(const RecordedEvaluation& recorded) {
  const v1::RulesEvaluated& fact = recorded.fact;
  screen_.take(fact);
  mark_live(fact);
  ASSIGN_OR_RETURN(const Cycle cycle, evaluate(fact));
  const std::size_t first = first_rule(fact);
  ExplainedEvaluation explained{.recorded = recorded, .lacks = screen_.lacks(), .rules = {}, .differences = {}};
  for (std::size_t i = first; i < first + cycle.reports.size(); ++i) {
    ExplainedRule rule = compare(i, cycle.reports[i - first], cycle, recorded);
    const bool fires_only_here = rule.report.outcome == Outcome::kHolds && rule.live != Live::kFired;
    if (!same_profile_ && fires_only_here) mark_acted(state_, i, time_of(fact.monotonic_ns()));
    if (counts(rule.report.rule)) explained.rules.push_back(std::move(rule));
  }
  // A rule that would end the run, if it were known, keeps those after it from being evaluated.
  const bool is_cut = !cycle.reports.empty() && cycle.reports.back().outcome == Outcome::kPending;
  explained.differences =
      differences_elsewhere(recorded, is_cut ? current_.profile.rules.size() : first + cycle.reports.size());
  return explained;
}

Result<Cycle> Explanation::evaluate(const v1::RulesEvaluated& fact) {
  const MonoTime now = time_of(fact.monotonic_ns());
  Analyses analyses = present_analyses();
  std::set<decltype(key_of(Question()))> asked;
  while (true) {
    Cycle cycle = engine_.evaluate(analyses, recorded_.variables, state_, now, Reports::kAll, first_rule(fact));
    std::vector<Question> questions;
    for (const Question& question : cycle.questions) {
      if (asked.insert(key_of(question)).second) questions.push_back(question);
    }
    if (questions.empty() || analyst_ == nullptr) return cycle;
    ASSIGN_OR_RETURN(const bool answered, analyst_->answer(questions, screen_, analyses));
    if (!answered) return cycle;
  }
}

// What the recording knows of the screen, by the indices of the explained profile.
Analyses Explanation::present_analyses() const {
  if (same_profile_) return screen_.analyses();
  const bool same_clusters = recorded_.profile.settings.analysis_dominant_colors_k.value ==
                             current_.profile.settings.analysis_dominant_colors_k.value;
  Analyses present{std::vector<RegionAnalyses>(live_region_.size()), screen_.analyses().elements};
  for (std::size_t i = 0; i < live_region_.size(); ++i) {
    if (!live_region_[i]) continue;
    present.regions[i] = screen_.analyses().regions[*live_region_[i]];
    if (!same_clusters) present.regions[i].dominant.reset();
    const auto templates = std::exchange(present.regions[i].templates, {});
    for (const auto& [live, answer] : templates) {
      for (std::size_t now = 0; now < current_.images.size(); ++now) {
        if (current_.images[now].digest == recorded_.images[live].digest)
          present.regions[i].templates.emplace(now, answer);
      }
    }
  }
  return present;
}

void Explanation::mark_live(const v1::RulesEvaluated& fact) {
  for (const auto& changed : fact.changed()) {
    if (changed.rule() >= present_rule_.size() || !present_rule_[changed.rule()]) continue;
    RuleState& state = state_[*present_rule_[changed.rule()]];
    state = {};
    if (changed.acted_ns() != 0) state.acted = time_of(changed.acted_ns());
    state.rests_until = time_of(changed.rests_until_ns());
  }
}

// Index of the first rule to evaluate, in the explained profile.
std::size_t Explanation::first_rule(const v1::RulesEvaluated& fact) const {
  if (fact.first_rule() == 0) return 0;
  std::size_t first = current_.profile.rules.size();
  for (std::size_t live = fact.first_rule(); live < present_rule_.size(); ++live) {
    if (present_rule_[live]) first = std::min(first, *present_rule_[live]);
  }
  return first;
}

ExplainedRule Explanation::compare(std::size_t index, const RuleReport& report, const Cycle& cycle,
                                   const RecordedEvaluation& recorded) const {
  ExplainedRule rule{.rule = index, .report = report, .live_problem = {}, .difference = {}};
  rule.is_known = rule.report.outcome != Outcome::kPending;
  if (const auto live = live_rule_[index]; !live) {
    rule.live = Live::kNoSuchRule;
  } else if (contains(recorded.fact.fires(), *live)) {
    rule.live = firing(recorded, rule.report.rule) != nullptr ? Live::kFired : Live::kWithdrawn;
  } else {
    for (const auto& failure : recorded.fact.failed()) {
      if (failure.rule() != *live) continue;
      rule.live = Live::kFailed;
      rule.live_problem = failure.message();
    }
  }
  if (rule.is_known) {
    rule.difference = difference(rule, cycle, recorded);
  } else {
    say_why_unknown(rule);
  }
  return rule;
}

void Explanation::say_why_unknown(ExplainedRule& rule) const {
  rule.report.reason = "the recording has neither this measurement nor a picture";
  if (!screen_.lacks().empty()) rule.report.reason += ": " + screen_.lacks();
}

std::string Explanation::difference(const ExplainedRule& rule, const Cycle& cycle,
                                    const RecordedEvaluation& recorded) const {
  const bool fires = rule.report.outcome == Outcome::kHolds;
  const bool fired = rule.live == Live::kFired || rule.live == Live::kWithdrawn;
  const RuleError* error = error_of(cycle, rule.rule);
  if (fires && rule.live == Live::kFailed) return "fires here, and failed live";
  if (fires && !fired) return "fires here, and did not live";
  if (!fires && fired) return "fired live, and does not here";
  if (error != nullptr && rule.live != Live::kFailed) return "fails here, and did not live";
  if (error == nullptr && rule.live == Live::kFailed) return "failed live, and does not here";
  if (!same_profile_) return {};
  if (error != nullptr && error->message != rule.live_problem) return "fails for another reason than live";
  const v1::RuleEvent* event = firing(recorded, rule.report.rule);
  if (event != nullptr && event->text() != to_text(rule.report)) return "fires on other measurements than live";
  return {};
}

// Rules that fired live and had no turn here: the explained profile has none of their name, or one before it stops.
std::vector<std::string> Explanation::differences_elsewhere(const RecordedEvaluation& recorded,
                                                            std::size_t evaluated) const {
  std::vector<std::string> differences;
  const auto add = [&](const std::string& rule, const std::string& what) {
    if (counts(rule)) differences.push_back("rule " + quote_foreign(rule) + " " + what);
  };
  for (const std::uint32_t live : recorded.fact.fires()) {
    if (live >= present_rule_.size()) {
      differences.push_back("a rule that the recorded profile does not have fired live");
    } else if (!present_rule_[live]) {
      add(recorded_.profile.rules[live].name, "fired live; the profile has no such rule");
    } else if (*present_rule_[live] >= evaluated) {
      add(recorded_.profile.rules[live].name, "fired live, and is not evaluated here: a rule before it ends the run");
    }
  }
  for (const v1::RuleEvent& event : recorded.events) {
    if (event.kind() != v1::RuleEvent::KIND_FIRES) continue;
    const bool decided = std::ranges::any_of(recorded.fact.fires(), [&](std::uint32_t live) {
      return live < recorded_.profile.rules.size() && recorded_.profile.rules[live].name == event.rule();
    });
    if (!decided) add(event.rule(), "acted live without a decision");
  }
  return differences;
}

}  // namespace da::planner::rules
