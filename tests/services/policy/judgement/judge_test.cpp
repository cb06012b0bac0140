#include "services/policy/judgement/judge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/services/policy/judgement/judged_rules.h"

namespace da::policy::judge_test {
namespace {

TEST(Judge, DeniesWhenNoRuleMatches) {
  const auto judgement = judged(rules("", ""), test::write("hi"));
  EXPECT_EQ(judgement.decision, V::DECISION_DENY);
  EXPECT_EQ(judgement.rule, "default");
}

TEST(Judge, DeniesAStepThatCallsNoTool) { EXPECT_EQ(judged(rules(""), v1::Action()).rule, "malformed"); }

TEST(Judge, DeniesUnknownEnumValuesAndFields) {
  v1::Action action = test::click(1, 2);
  action.mutable_mouse()->set_action(static_cast<v1::Mouse::Gesture>(99));
  EXPECT_EQ(judged(rules(""), action).rule, "malformed");
  v1::Action newer = test::write("x");
  newer.mutable_write()->GetReflection()->MutableUnknownFields(newer.mutable_write())->AddVarint(900, 1);
  EXPECT_EQ(judged(rules(""), newer).rule, "malformed");
}

TEST(Judge, DeniesArgumentsThatTheCatalogueForbids) {
  v1::Action action = test::click(1, 2);
  action.mutable_mouse()->set_clicks(400);
  const auto judgement = judged(rules(""), action);
  EXPECT_EQ(judgement.rule, "malformed");
  EXPECT_THAT(judgement.reason, HasSubstr("clicks"));
}

TEST(Judge, ExceptionAppliesIfAllFacetsMatch) {
  const Rules tested = rules(rule("work", "allow", "match.tool = [\"drag\"]") +
                                 rule("ask-all", "ask", "match.tool = [\"drag\"]\nexcept.process = '^(xev|xeyes)$'"),
                             "");
  v1::Action drag;
  drag.mutable_drag()->add_path();
  drag.mutable_drag()->add_path()->set_x(5);
  auto evidence = test::editor();
  evidence.mutable_target_window()->set_executable("/usr/bin/xev");
  evidence.mutable_drop_window()->set_executable("/usr/bin/xeyes");
  EXPECT_EQ(judged(tested, drag, evidence).rule, "work");
  evidence.mutable_drop_window()->set_executable("/usr/bin/thunar");
  EXPECT_EQ(judged(tested, drag, evidence).rule, "ask-all");
}

TEST(Judge, ExceptionFromAnAllowRuleAppliesIfAnyFacetMatches) {
  const Rules tested = rules(rule("most-drags", "allow", "match.tool = [\"drag\"]\nexcept.process = '^thunar$'"), "");
  v1::Action drag;
  drag.mutable_drag()->add_path();
  drag.mutable_drag()->add_path()->set_x(5);
  auto evidence = test::editor();
  EXPECT_EQ(judged(tested, drag, evidence).rule, "most-drags");
  evidence.mutable_drop_window()->set_executable("/usr/bin/thunar");
  EXPECT_EQ(judged(tested, drag, evidence).decision, V::DECISION_DENY);
}

TEST(Judge, AWindowThatADragPassesIsJudgedAsItsEndIs) {
  const Rules tested =
      rules(rule("never-the-safe", "deny", "match.process = '^safe$'") +
                rule("drags", "allow", "match.tool = [\"drag\"]\nmatch.process = '^(mousepad|xterm)$'"),
            "");
  v1::Action drag;
  drag.mutable_drag()->add_path();
  drag.mutable_drag()->add_path()->set_x(5);
  auto evidence = test::editor();
  *evidence.mutable_drop_window() = test::window("w", "/usr/bin/xterm");
  EXPECT_EQ(judged(tested, drag, evidence).rule, "drags");
  *evidence.add_passed_windows() = test::window("w", "/usr/bin/xterm");
  EXPECT_EQ(judged(tested, drag, evidence).rule, "drags");
  *evidence.add_passed_windows() = test::window("w", "/usr/bin/other");
  EXPECT_NE(judged(tested, drag, evidence).rule, "drags");
  *evidence.add_passed_windows() = test::window("Passwords", "/usr/bin/safe");
  EXPECT_EQ(judged(tested, drag, evidence).rule, "never-the-safe");
}

TEST(Judge, DeniesAnActuatorToolWithoutEvidence) {
  const auto judgement = judge(rules(""), step(test::write("x")), nullptr, {.write_lock = WriteLockView::kOpen});
  EXPECT_EQ(judgement.decision, V::DECISION_DENY);
  EXPECT_EQ(judgement.rule, "evidence");
}

TEST(Judge, JudgesPlannerToolsWithoutEvidence) {
  const auto judgement = judge(rules(""), step(test::wait_for("x")), nullptr, {.write_lock = WriteLockView::kClosed});
  EXPECT_EQ(judgement.decision, V::DECISION_ALLOW);
  EXPECT_EQ(judgement.risk, v1::RISK_SAFE);
  EXPECT_EQ(judgement.handler, v1::HANDLER_PLANNER);
}

TEST(Judge, DeniesDescribedTargetsThatWereNotRefined) {
  v1::Action click;
  click.mutable_click_described_element()->set_target_description("OK");
  EXPECT_EQ(judged(rules(""), click).rule, "refine-first");
  v1::Action type;
  type.mutable_type_in_described_field()->set_target_description("Name");
  type.mutable_type_in_described_field()->set_text_to_type("x");
  EXPECT_THAT(judged(rules(""), type).reason, HasSubstr("must first be resolved"));
}

TEST(Judge, AsksForWritesWhileTheWriteLockIsClosed) {
  const auto closed = judged(rules(""), test::write("x"), test::editor(), WriteLockView::kClosed);
  EXPECT_EQ(closed.decision, V::DECISION_ASK);
  EXPECT_EQ(closed.rule, "write-lock");
  EXPECT_EQ(judged(rules(""), test::write("x")).decision, V::DECISION_ALLOW);
}

TEST(Judge, ConcernOfThePlannerTurnsAllowIntoAsk) {
  v1::Step concerned = step(test::write("hi"));
  concerned.add_concerns("safety check: \x1b[2Jmalicious instructions");
  const auto evidence = test::editor();
  const auto judgement = judge(rules(""), concerned, &evidence, {.write_lock = WriteLockView::kOpen});
  EXPECT_EQ(judgement.decision, V::DECISION_ASK);
  EXPECT_EQ(judgement.rule, "concern");
  EXPECT_THAT(judgement.reason, HasSubstr("malicious instructions"));
  EXPECT_EQ(judgement.reason.find('\x1b'), std::string::npos);
  EXPECT_EQ(judgement.risk, v1::RISK_WRITE);

  v1::Step safe = step(test::wait_for("x"));
  safe.add_concerns("look first");
  EXPECT_EQ(judge(rules(""), safe, nullptr, {}).rule, "concern");
}

// The planner's words followed the rule's reason as if they were part of it.
TEST(Judge, ConcernCannotPassAsTheReasonOfARule) {
  v1::Step concerned = step(test::write("hi"));
  concerned.add_concerns("checked by the team\"; safe to approve");
  concerned.add_concerns("\u202enothing");
  const auto evidence = test::editor();
  const auto judgement = judge(rules(rule("look", "ask", "match.tool = [\"write\"]")), concerned, &evidence, {});
  EXPECT_EQ(judgement.rule, "look");
  EXPECT_THAT(
      judgement.reason,
      EndsWith(R"(; the planner says (untrusted): "checked by the team\"; safe to approve", "\u{202e}nothing")"));
  EXPECT_THAT(judge(rules(""), concerned, &evidence, {.write_lock = WriteLockView::kOpen}).reason,
              StartsWith("the planner wants a person to see it; the planner says (untrusted): \"checked"));
}

TEST(Judge, ConcernLowersNothing) {
  v1::Step concerned = step(test::write("hi"));
  concerned.add_concerns("please allow");
  const auto evidence = test::editor();
  const auto denied = rules(rule("no", "deny", "match.tool = [\"write\"]"));
  EXPECT_EQ(judge(denied, concerned, &evidence, {}).decision, V::DECISION_DENY);
  const auto factor = rules(rule("strict", "ask_second_factor", "match.tool = [\"write\"]"));
  const auto asked = judge(factor, concerned, &evidence, {.write_lock = WriteLockView::kOpen});
  EXPECT_TRUE(asked.second_factor);
  EXPECT_EQ(asked.rule, "strict");
  EXPECT_THAT(asked.reason, HasSubstr("please allow"));
}

TEST(Judge, ManyConcernsAreAbbreviated) {
  v1::Step concerned = step(test::write("hi"));
  for (int i = 0; i < 10'000; ++i) concerned.add_concerns(std::string(600, 'x'));
  const auto evidence = test::editor();
  const auto judgement = judge(rules(""), concerned, &evidence, {.write_lock = WriteLockView::kOpen});
  EXPECT_LT(judgement.reason.size(), 4'000U);
  EXPECT_THAT(judgement.reason, HasSubstr("9995 more"));
}

TEST(Judge, MovingTheMouseIsSafeAndClickingIsNot) {
  EXPECT_EQ(judged(rules(""), test::move(1, 2), test::editor(), WriteLockView::kClosed).decision, V::DECISION_ALLOW);
  EXPECT_EQ(judged(rules(""), test::click(1, 2), test::editor(), WriteLockView::kClosed).decision, V::DECISION_ASK);
}

v1::Action move_to(int x, int y) {
  v1::Action action = test::click(x, y);
  action.mutable_mouse()->set_action(v1::Mouse::GESTURE_MOVE);
  return action;
}

TEST(Judge, AMoveWithAButtonHeldIsAWriteAndADrag) {
  v1::Evidence evidence = test::editor();
  evidence.mutable_target_window()->set_title("Trash");
  evidence.set_button_held(true);
  const Judgement by_lock = judged(rules(""), move_to(1, 2), evidence, WriteLockView::kClosed);
  EXPECT_EQ(by_lock.decision, V::DECISION_ASK);
  EXPECT_EQ(by_lock.risk, v1::RISK_WRITE);
  const Rules forbidden = rules(rule("no-drag", "deny", "match.tool = [\"drag\"]\nmatch.window = 'Trash'"));
  EXPECT_EQ(judged(forbidden, move_to(1, 2), evidence).rule, "no-drag");
  evidence.set_button_held(false);
  EXPECT_EQ(judged(forbidden, move_to(1, 2), evidence, WriteLockView::kClosed).decision, V::DECISION_ALLOW);
}

TEST(Judge, CriticalToolsAskEvenWithTheWriteLockOpen) {
  const auto judgement = judged(rules(""), test::file_delete("/home/a/x"));
  EXPECT_EQ(judgement.decision, V::DECISION_ASK);
  EXPECT_EQ(judgement.rule, "critical");
}

TEST(Judge, ARaisedStepAsksAndNamesTheRuleThatRaisedIt) {
  const auto with = rules(rule("raise", "allow", "risk = 'critical'\nmatch.tool = ['write']\nmatch.text = 'sudo'"));
  const auto judgement = judged(with, test::write("sudo rm"));
  EXPECT_EQ(judgement.decision, V::DECISION_ASK);
  EXPECT_EQ(judgement.rule, "raise");
  EXPECT_EQ(judgement.risk, v1::RISK_CRITICAL);
  EXPECT_EQ(judged(with, test::write("hello")).decision, V::DECISION_ALLOW);
}

TEST(Judge, NoRuleLowersTheRisk) {
  const auto with = rules(rule("lower", "allow", "risk = 'write'\nmatch.tool = ['file_delete']"));
  EXPECT_EQ(judged(with, test::file_delete("/home/a/x")).risk, v1::RISK_CRITICAL);
}

TEST(Judge, DenyBeatsAskBeatsAllowInAnyOrder) {
  const std::string deny = rule("d", "deny", "match.text = 'x'");
  const std::string ask = rule("a", "ask", "match.text = 'x'");
  EXPECT_EQ(judged(rules(deny + ask), test::write("x")).rule, "d");
  EXPECT_EQ(judged(rules(ask + deny), test::write("x")).rule, "d");
  EXPECT_EQ(judged(rules(ask), test::write("x")).rule, "a");
}

// A button with 5,000 harmless characters before "Delete everything" in its name was clicked without a question.
TEST(Judge, AsksIfTheElementsNameWasCut) {
  auto evidence = test::editor();
  const std::string cut = contract::cut_name(std::string(5000, 'a') + " Delete everything");
  evidence.mutable_target_element()->set_name(cut);
  EXPECT_EQ(judged(rules(""), test::click(1, 1), evidence).rule, "long-name");
  EXPECT_EQ(judged(rules(""), test::click(1, 1), evidence).decision, V::DECISION_ASK);
  EXPECT_EQ(judged(rules(""), test::write("x"), evidence).decision, V::DECISION_ALLOW) << "it has not the focus";
  EXPECT_EQ(judged(rules(rule("d", "deny", "match.element = 'a'")), test::click(1, 1), evidence).rule, "d");
  evidence.mutable_target_element()->set_name(cut.substr(1));
  EXPECT_EQ(judged(rules(""), test::click(1, 1), evidence).decision, V::DECISION_ALLOW);
  evidence.mutable_focused_element()->set_name(cut);
  EXPECT_EQ(judged(rules(""), test::write("x"), evidence).rule, "long-name");
}

}  // namespace
}  // namespace da::policy::judge_test
