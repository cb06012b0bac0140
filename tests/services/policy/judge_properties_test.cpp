// Properties of the judge for random rules.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "services/policy/judgement/judge.h"
#include "tests/services/policy/steps.h"

namespace da::policy {
namespace {

const std::vector<std::string> kTools = {"write", "mouse", "hotkey", "launch", "file_delete", "wait_for"};

rc::Gen<std::optional<Pattern>> any_pattern() {
  return rc::gen::map(rc::gen::element<std::string>("", "a", "^$", "mousepad", "delete|x", "."),
                      [](const std::string& text) {
                        return text.empty() ? std::nullopt : std::optional<Pattern>(*Pattern::compile(text));
                      });
}

rc::Gen<Rule> any_rule() {
  return rc::gen::exec([] {
    Rule rule;
    rule.name = *rc::gen::container<std::string>(8, rc::gen::inRange('a', 'z'));
    rule.ruling = *rc::gen::element(Ruling::kAllow, Ruling::kAsk, Ruling::kDeny);
    rule.raised_to = *rc::gen::element(v1::RISK_SAFE, v1::RISK_SAFE, v1::RISK_WRITE, v1::RISK_CRITICAL);
    const auto tools = *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(kTools));
    rule.match.tools.insert(tools.begin(), tools.end());
    if (*rc::gen::inRange(0, 3) == 0) rule.match.text = *any_pattern();
    if (*rc::gen::inRange(0, 3) == 0) rule.match.process = *any_pattern();
    if (*rc::gen::inRange(0, 3) == 0) rule.match.element = *any_pattern();
    return rule;
  });
}

rc::Gen<v1::Action> any_action() {
  return rc::gen::elementOf(std::vector<v1::Action>{
      test::write("a"), test::write("delete"), test::click(1, 2), test::move(1, 2), test::hotkey({"ctrl", "a"}),
      test::launch("mousepad a"), test::file_delete("/home/a"), test::wait_for("a")});
}

rc::Gen<v1::Evidence> any_evidence() {
  return rc::gen::exec([] {
    v1::Evidence evidence = test::editor();
    if (*rc::gen::arbitrary<bool>()) evidence.clear_foreground();
    if (*rc::gen::arbitrary<bool>()) evidence.clear_target_window();
    if (*rc::gen::arbitrary<bool>()) evidence.mutable_target_element()->set_name("Delete");
    if (*rc::gen::arbitrary<bool>()) evidence.clear_focused_element();
    if (*rc::gen::arbitrary<bool>()) evidence.set_canonical_path("/usr/bin/mousepad");
    return evidence;
  });
}

rc::Gen<WriteLockView> any_lock() { return rc::gen::element(WriteLockView::kClosed, WriteLockView::kOpen); }

rc::Gen<std::vector<Rule>> any_rules() {
  return rc::gen::map(rc::gen::container<std::vector<Rule>>(any_rule()), [](std::vector<Rule> rules) {
    if (rules.size() > 8) rules.resize(8);
    return rules;
  });
}

struct Case {
  v1::Step step;
  v1::Evidence evidence;
  WriteLockView lock;
  Judgement by(const std::vector<Rule>& rules) const {
    return judge(Rules(rules), step, &evidence, {.write_lock = lock});
  }
};

Case any_case() { return {test::step(*any_action()), *any_evidence(), *any_lock()}; }

RC_GTEST_PROP(JudgeProperty, OrderOfRulesDoesNotMatter, ()) {
  auto rules = *any_rules();
  const Case one = any_case();
  const Judgement before = one.by(rules);
  const auto cut = *rc::gen::inRange<std::size_t>(0, rules.size() + 1);
  std::rotate(rules.begin(), rules.begin() + static_cast<std::ptrdiff_t>(cut), rules.end());
  if (*rc::gen::arbitrary<bool>()) std::reverse(rules.begin(), rules.end());
  const Judgement after = one.by(rules);
  RC_ASSERT(before.decision == after.decision);
  RC_ASSERT(before.rule == after.rule);
  RC_ASSERT(before.risk == after.risk);
}

RC_GTEST_PROP(JudgeProperty, AnotherRuleNeverLoosensWhatSomeRuleDecided, ()) {
  auto rules = *any_rules();
  const Case one = any_case();
  const Judgement before = one.by(rules);
  if (before.rule == "default") return;
  rules.push_back(*any_rule());
  const Judgement after = one.by(rules);
  RC_ASSERT(after.decision >= before.decision);
  RC_ASSERT(after.risk >= before.risk);
}

RC_GTEST_PROP(JudgeProperty, OnlyAMatchingAllowOrAskRuleEndsADefaultDenial, ()) {
  auto rules = *any_rules();
  const Case one = any_case();
  const auto subject = *subject_of(one.by(rules).tool, one.step.action(), &one.evidence);
  std::erase_if(rules, [&](const Rule& rule) { return matches(rule, subject); });
  RC_ASSERT(one.by(rules).rule == "default");
  const Rule added = *any_rule();
  rules.push_back(added);
  if (one.by(rules).decision == V::DECISION_DENY) return;
  RC_ASSERT(matches(added, subject));
  RC_ASSERT(added.ruling != Ruling::kDeny);
}

RC_GTEST_PROP(JudgeProperty, RaisingARuleNeverLoosens, ()) {
  auto rules = *any_rules();
  if (rules.empty()) rules.push_back(*any_rule());
  const Case one = any_case();
  const Judgement before = one.by(rules);
  Rule& raised = rules[*rc::gen::inRange<std::size_t>(0, rules.size())];
  raised.raised_to = std::max(raised.raised_to, *rc::gen::element(v1::RISK_WRITE, v1::RISK_CRITICAL));
  const Judgement after = one.by(rules);
  RC_ASSERT(after.decision >= before.decision);
  RC_ASSERT(after.risk >= before.risk);
}

RC_GTEST_PROP(JudgeProperty, OpeningTheLockNeverFreesACriticalStep, ()) {
  Case one = any_case();
  one.lock = WriteLockView::kOpen;
  const Judgement judgement = one.by(*any_rules());
  if (judgement.risk == v1::RISK_CRITICAL) RC_ASSERT(judgement.decision != V::DECISION_ALLOW);
}

RC_GTEST_PROP(JudgeProperty, AClosedLockNeverAllowsAWrite, ()) {
  Case one = any_case();
  one.lock = WriteLockView::kClosed;
  const Judgement judgement = one.by(*any_rules());
  if (judgement.decision == V::DECISION_ALLOW) RC_ASSERT(judgement.risk == v1::RISK_SAFE);
}

}  // namespace
}  // namespace da::policy
