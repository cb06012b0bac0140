#include "services/policy/judgement/judge.h"

#include <algorithm>
#include <tuple>

#include "lib/base/text.h"
#include "lib/contract/catalogue.h"
#include "lib/contract/evidence/element_name.h"
#include "lib/contract/evidence/evidence.h"
#include "lib/contract/json/parse.h"
#include "services/policy/judgement/condition.h"
#include "services/policy/judgement/guarded_files.h"

namespace da::policy {
namespace {

// Bounds of the untrusted concerns in a reason.
constexpr std::size_t kConcernCharacters = 500;
constexpr int kShownConcerns = 5;

bool holds(const std::optional<Pattern>& pattern, const std::optional<Facet>& facet, Ruling ruling) {
  if (!pattern) return true;
  if (!facet) return false;
  const auto fits = [&](const std::string& text) { return pattern->matches(text); };
  if (ruling == Ruling::kAllow) return !facet->actual.empty() && std::ranges::all_of(facet->actual, fits);
  return std::ranges::any_of(facet->actual, fits) || std::ranges::any_of(facet->mentioned, fits);
}

bool has_one_of(const std::set<v1::UiState>& wanted, const std::set<v1::UiState>& states) {
  return wanted.empty() || std::ranges::any_of(wanted, [&](v1::UiState state) { return states.contains(state); });
}

bool holds(const std::set<TimeSpan>& times, MinuteOfDay minute) {
  return times.empty() || std::ranges::any_of(times, [&](const TimeSpan& span) { return span.contains(minute); });
}

bool is_repeated(const Rule& rule, const Subject& subject) {
  if (!rule.match.repetition) return true;
  const auto earlier = subject.repeats.find(rule.name);
  return earlier != subject.repeats.end() && earlier->second + 1 >= rule.match.repetition->times;
}

// All conditions except the repetition.
bool fits(const Match& match, const Subject& subject, Ruling ruling) {
  return (match.tools.empty() || match.tools.contains(subject.tool)) &&
         has_one_of(match.element_states, subject.element_states) && holds(match.times, subject.minute) &&
         std::ranges::all_of(kConditions, [&](const Condition& condition) {
           return holds(match.*condition.pattern, subject.*condition.facet, ruling);
         });
}

// An exception from an allow rule is strict, so it is matched as a deny rule; other exceptions as an allow rule.
bool is_excepted(const Rule& rule, const Subject& subject) {
  const Ruling opposite = rule.ruling == Ruling::kAllow ? Ruling::kDeny : Ruling::kAllow;
  return std::ranges::any_of(rule.except, [&](const Match& except) { return fits(except, subject, opposite); });
}

bool meets_conditions(const Rule& rule, const Subject& subject) {
  return fits(rule.match, subject, rule.ruling) && !is_excepted(rule, subject);
}

// The most restrictive rule, then the one that raises the risk most, then the first by name, whatever the file's order.
const Rule* deciding(const std::vector<const Rule*>& matching) {
  const auto weight = [](const Rule* rule) { return std::make_tuple(rule->ruling, rule->raised_to); };
  const auto best = std::ranges::max_element(matching, [&](const Rule* a, const Rule* b) {
    return weight(a) != weight(b) ? weight(a) < weight(b) : a->name > b->name;
  });
  return best == matching.end() ? nullptr : *best;
}

void decide(Judgement& judgement, v1::Verdict::Decision decision, std::string rule, std::string reason) {
  judgement.decision = decision;
  judgement.rule = std::move(rule);
  judgement.reason = std::move(reason);
}

void ask(Judgement& judgement, std::string rule, std::string reason) {
  decide(judgement, v1::Verdict::DECISION_ASK, std::move(rule), std::move(reason));
}

Judgement denied(Judgement judgement, std::string rule, std::string reason) {
  decide(judgement, v1::Verdict::DECISION_DENY, std::move(rule), std::move(reason));
  return judgement;
}

// An allow rule decides; its step may still have to be asked about because of its risk.
void allow_by_risk(Judgement& judgement, const Rule& rule, const Rule* raising, WriteLockView write_lock) {
  if (judgement.risk == v1::RISK_CRITICAL) {
    if (raising != nullptr) return ask(judgement, raising->name, raising->reason);
    return ask(judgement, "critical", "\"" + judgement.tool + "\" is critical: a person must approve each use");
  }
  if (judgement.risk == v1::RISK_WRITE && write_lock == WriteLockView::kClosed) {
    return ask(judgement, "write-lock", "the write lock is closed, so each change needs an approval");
  }
  decide(judgement, v1::Verdict::DECISION_ALLOW, rule.name, rule.reason);
}

// The rule that made the step critical; null if the catalogue did.
const Rule* raising_rule(const std::vector<const Rule*>& matching, v1::Risk catalogue_risk) {
  if (catalogue_risk == v1::RISK_CRITICAL) return nullptr;
  const Rule* found = nullptr;
  for (const Rule* rule : matching) {
    if (rule->raised_to == v1::RISK_CRITICAL && (found == nullptr || rule->name < found->name)) found = rule;
  }
  return found;
}

void judge_by_rules(Judgement& judgement, const Rules& rules, const Subject& subject, std::span<const Subject> besides,
                    WriteLockView write_lock) {
  std::vector<const Rule*> matching;
  for (const Rule& rule : rules.all()) {
    const bool besides_matches =
        rule.ruling != Ruling::kAllow &&
        std::ranges::any_of(besides, [&](const Subject& other) { return meets_conditions(rule, other); });
    if (!besides_matches && !meets_conditions(rule, subject)) continue;
    if (rule.match.repetition) judgement.repeated.push_back(rule.name);
    if (is_repeated(rule, subject)) matching.push_back(&rule);
  }
  const v1::Risk catalogue_risk = judgement.risk;
  for (const Rule* rule : matching) judgement.risk = std::max(judgement.risk, rule->raised_to);
  const Rule* rule = deciding(matching);
  constexpr auto kDeny = v1::Verdict::DECISION_DENY;
  if (rule == nullptr) return decide(judgement, kDeny, "default", "no rule allows this \"" + judgement.tool + "\"");
  if (rule->ruling == Ruling::kDeny) return decide(judgement, kDeny, rule->name, rule->reason);
  if (rule->ruling != Ruling::kAllow) {
    judgement.second_factor = rule->ruling == Ruling::kAskSecondFactor;
    return ask(judgement, rule->name, rule->reason);
  }
  allow_by_risk(judgement, *rule, raising_rule(matching, catalogue_risk), write_lock);
}

// A concern of the proposer can turn an allow into an ask, and nothing else.
void heed_concerns(Judgement& judgement, const v1::Step& step) {
  if (judgement.decision == v1::Verdict::DECISION_DENY || step.concerns().empty()) return;
  const bool asked_anyway = judgement.decision == v1::Verdict::DECISION_ASK;
  std::string reason = asked_anyway ? judgement.reason : "the planner wants a person to see it";
  reason += "; the planner says (untrusted): ";
  const int shown = std::min(step.concerns_size(), kShownConcerns);
  for (int i = 0; i < shown; ++i) {
    reason += (i == 0 ? "" : ", ") + quote_foreign(step.concerns(i), kConcernCharacters);
  }
  if (step.concerns_size() > shown) reason += " and " + std::to_string(step.concerns_size() - shown) + " more";
  ask(judgement, asked_anyway ? judgement.rule : "concern", std::move(reason));
}

// The cut end of a harmless name may be "Delete everything".
void heed_cut_names(Judgement& judgement, const v1::Action& action, const v1::Evidence* evidence) {
  if (judgement.decision != v1::Verdict::DECISION_ALLOW || judgement.risk == v1::RISK_SAFE || evidence == nullptr)
    return;
  const v1::UiNode* element = contract::subject_element(action, *evidence);
  const bool cut = (element != nullptr && contract::may_be_cut(element->name())) ||
                   (action.has_drag() && contract::may_be_cut(evidence->drop_element().name()));
  if (!cut) return;
  ask(judgement, kLongNameRule,
      "only the first " + std::to_string(contract::kMaxNameCharacters) +
          " characters of the element's name are known, so the rules cannot judge it");
}

// Otherwise a text editor on the desktop could change the rules that this judges by.
void heed_guarded_files(Judgement& judgement, const Subject& subject, const v1::Evidence* evidence,
                        const Circumstances& circumstances) {
  if (judgement.decision == v1::Verdict::DECISION_DENY || judgement.risk == v1::RISK_SAFE) return;
  const auto file = guarded_file_of(subject, evidence, circumstances.rule_file);
  if (!file) return;
  judgement.risk = v1::RISK_CRITICAL;
  ask(judgement, kGuardedFileRule,
      "the step reaches " + quote_foreign(*file) + ", which decides what DesktopAssist may do, or proves what it did");
}

// With a held button, a pointer move is a drag onto the element that it reaches.
bool drags(const v1::Action& action, const v1::Evidence* evidence) {
  return evidence != nullptr && evidence->button_held() && is_pointer_tool(action);
}

bool is_described(const v1::Action& action) {
  return action.has_click_described_element() || action.has_type_in_described_field();
}

}  // namespace

bool is_stricter(const Judgement& one, const Judgement& other) {
  const auto strictness = [](const Judgement& judgement) {
    using Verdict = v1::Verdict;
    const int decision = judgement.decision == Verdict::DECISION_ALLOW ? 0
                         : judgement.decision == Verdict::DECISION_ASK ? 1
                                                                       : 2;
    return std::make_tuple(decision, judgement.second_factor, judgement.risk);
  };
  return strictness(one) > strictness(other);
}

bool matches(const Rule& rule, const Subject& subject) {
  return meets_conditions(rule, subject) && is_repeated(rule, subject);
}

std::vector<std::string> failed_conditions(const Rule& rule, const Subject& subject) {
  const Match& match = rule.match;
  std::vector<std::string> failed;
  if (!match.tools.empty() && !match.tools.contains(subject.tool)) failed.emplace_back("tool");
  if (!has_one_of(match.element_states, subject.element_states)) failed.emplace_back("element_state");
  for (const Condition& condition : kConditions) {
    if (!holds(match.*condition.pattern, subject.*condition.facet, rule.ruling)) failed.emplace_back(condition.name);
  }
  if (!holds(match.times, subject.minute)) failed.emplace_back("time");
  if (!is_repeated(rule, subject)) failed.emplace_back("repetition");
  if (is_excepted(rule, subject)) failed.emplace_back("except");
  return failed;
}

Judgement judge(const Rules& rules, const v1::Step& step, const v1::Evidence* evidence,
                const Circumstances& circumstances) {
  Judgement judgement;
  if (const contract::Tool* tool = contract::tool_of(step.action())) {
    judgement.tool = tool->name();
    judgement.handler = tool->options->handler();
    judgement.risk = contract::risk_of(step.action());
  }
  if (const auto known = contract::validate(step.action()); !known) {
    return denied(judgement, "malformed", known.error().message);
  }
  if (!circumstances.allowed_tools.empty() && !circumstances.allowed_tools.contains(judgement.tool)) {
    return denied(judgement, "task-tools", "this task was opened without \"" + judgement.tool + "\"");
  }
  if (is_described(step.action())) {
    return denied(judgement, "refine-first", "the described target must first be resolved to a place or an element");
  }
  if (judgement.handler != v1::HANDLER_PLANNER && evidence == nullptr) {
    return denied(judgement, kEvidenceRule, "there is no evidence of the place where the step would act");
  }
  const auto subject = subject_of(judgement.tool, step.action(), evidence, circumstances);
  if (!subject) return denied(judgement, "malformed", subject.error().message);
  std::vector<Subject> besides;
  if (auto launch = launch_typed_by(step.action(), circumstances)) besides.push_back(*std::move(launch));
  if (drags(step.action(), evidence)) {
    judgement.risk = std::max(judgement.risk, v1::RISK_WRITE);
    besides.push_back(*subject);
    besides.back().tool = "drag";
  }
  judge_by_rules(judgement, rules, *subject, besides, circumstances.write_lock);
  heed_cut_names(judgement, step.action(), evidence);
  heed_guarded_files(judgement, *subject, evidence, circumstances);
  heed_concerns(judgement, step);
  return judgement;
}

}  // namespace da::policy
