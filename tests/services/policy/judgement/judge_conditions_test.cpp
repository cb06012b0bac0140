// A rule's conditions compare keys, typed text, windows, elements, programs, paths and circumstances.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/services/policy/judgement/judged_rules.h"

namespace da::policy::judge_test {
namespace {

TEST(Judge, ChordsAreFoundInAnyOrderAndSpelling) {
  const auto with = rules(rule("kill", "deny", "match.chord = '^ctrl\\+shift\\+esc$'"));
  for (const auto& keys : {test::hotkey({"ctrl", "shift", "esc"}), test::hotkey({"Escape", "Shift", "Control"}),
                           test::hotkey({"shift", "esc", "ctl", "ctrl"}), test::press({"ctrl", "shift", "esc"}),
                           test::press({"a", "shift", "Control", "ESC", "b"})}) {
    EXPECT_EQ(judged(with, keys).rule, "kill") << keys.ShortDebugString();
  }
  EXPECT_EQ(judged(with, test::hotkey({"ctrl", "esc"})).decision, V::DECISION_ALLOW);
  EXPECT_EQ(judged(with, test::press({"ctrl", "a", "shift", "esc"})).decision, V::DECISION_ALLOW);
}

TEST(Judge, DeniesKeysThatDoNotExist) {
  EXPECT_EQ(judged(rules(""), test::hotkey({"ctrl", "hyperx"})).rule, "malformed");
}

TEST(Judge, AllWaysOfTypingAreJudgedByTheirText) {
  const auto with = rules(rule("secret", "deny", "match.text = 'rm -rf'"));
  v1::Action paste;
  paste.mutable_paste()->set_text("a\nrm -rf /");
  v1::Action typed;
  typed.mutable_keyboard_type()->set_text("rm -rf /");
  for (const auto& action : {test::write("RM -RF /"), paste, typed}) EXPECT_EQ(judged(with, action).rule, "secret");
}

TEST(Judge, KeyboardToolsAreJudgedByTheForegroundWindowPointerToolsByTheTarget) {
  const auto with = rules(rule("term", "deny", "match.process = '^xterm$'"));
  auto evidence = test::editor();
  *evidence.mutable_foreground() = test::window("sh", "/usr/bin/xterm", 5);
  EXPECT_EQ(judged(with, test::write("x"), evidence).rule, "term");
  EXPECT_EQ(judged(with, test::click(1, 1), evidence).decision, V::DECISION_ALLOW);
  std::swap(*evidence.mutable_foreground(), *evidence.mutable_target_window());
  EXPECT_EQ(judged(with, test::write("x"), evidence).decision, V::DECISION_ALLOW);
  EXPECT_EQ(judged(with, test::click(1, 1), evidence).rule, "term");
}

TEST(Judge, ClickInAnUnknownWindowMentionsTheForegroundWindow) {
  const auto with = rules(rule("term", "deny", "match.process = '^xterm$'"));
  auto evidence = test::editor();
  evidence.clear_target_window();
  *evidence.mutable_foreground() = test::window("sh", "/usr/bin/xterm", 5);
  EXPECT_EQ(judged(with, test::ui_click("e"), evidence).rule, "term");
}

TEST(Judge, ElementsAreJudgedByNameRoleAndState) {
  const auto with = rules(rule("del", "deny", "match.element = 'delete'\nmatch.role = '^push button$'") +
                          rule("pw", "ask", "match.element_state = ['password']"));
  auto evidence = test::editor();
  *evidence.mutable_target_element() = test::element("push button", "Delete all");
  EXPECT_EQ(judged(with, test::click(1, 1), evidence).rule, "del");
  EXPECT_EQ(judged(with, test::write("x"), evidence).decision, V::DECISION_ALLOW);
  evidence.mutable_focused_element()->add_states(v1::UI_STATE_PASSWORD);
  EXPECT_EQ(judged(with, test::write("x"), evidence).rule, "pw");
}

TEST(Judge, UnknownValueIsTheEmptyText) {
  const auto with = rules(rule("nowhere", "deny", "match.window = '^$'"));
  auto evidence = test::editor();
  evidence.clear_foreground();
  EXPECT_EQ(judged(with, test::write("x"), evidence).rule, "nowhere");
  EXPECT_EQ(judged(with, test::write("x")).decision, V::DECISION_ALLOW);
}

TEST(Judge, LaunchesAreJudgedByProgramAndByNamedWords) {
  const auto with = rules(rule("shell", "deny", "match.process = '^(ba|da)?sh$'"));
  EXPECT_EQ(judged(with, test::launch("sh -c x"), test::program("/usr/bin/dash", {"sh", "-c", "x"})).rule, "shell");
  EXPECT_EQ(judged(with, test::launch("env bash"), test::program("/usr/bin/env", {"env", "/bin/bash"})).rule, "shell");
  EXPECT_EQ(judged(with, test::launch("mousepad"), test::program("/usr/bin/mousepad", {"mousepad"})).decision,
            V::DECISION_ALLOW);
}

TEST(Judge, AllowRuleMustMatchTheProgramNotAnArgument) {
  const auto only = rules(rule("pad", "allow", "match.tool = ['launch']\nmatch.process = '^mousepad$'"), "");
  EXPECT_EQ(judged(only, test::launch("mousepad"), test::program("/usr/bin/mousepad", {"mousepad"})).decision,
            V::DECISION_ALLOW);
  EXPECT_EQ(judged(only, test::launch("bash mousepad"), test::program("/usr/bin/bash", {"bash", "mousepad"})).rule,
            "default");
  EXPECT_EQ(judged(only, test::launch("mousepad"), test::program("/home/m/evil", {"mousepad"})).rule, "default");
}

TEST(Judge, PathsAreJudgedWithLinksResolved) {
  const auto with = rules(rule("etc", "deny", "match.path = '^/etc/'"));
  EXPECT_EQ(judged(with, test::file_delete("/home/a/link"), test::program("/etc/passwd", {})).rule, "etc");
  EXPECT_EQ(judged(with, test::file_delete("/etc/link"), test::program("/home/a/x", {})).rule, "etc");
}

TEST(Judge, ConditionOnAMissingFacetDoesNotHold) {
  const auto with = rules(rule("typed", "deny", "match.text = '.*'"));
  EXPECT_EQ(judged(with, test::click(1, 1)).decision, V::DECISION_ALLOW);
}

Judgement judged_in(const Rules& rules, const v1::Action& action, Circumstances circumstances) {
  circumstances.write_lock = WriteLockView::kOpen;
  const auto evidence = test::editor();
  return judge(rules, step(action), &evidence, circumstances);
}

TEST(Judge, ASecondFactorIsStricterThanAskingAndLooserThanDenying) {
  const auto asks = rule("asks", "ask", "match.text = 'x'");
  const auto demands = rule("demands", "ask_second_factor", "match.text = 'x'");
  const auto both = judged(rules(asks + demands), test::write("x"));
  EXPECT_EQ(both.decision, V::DECISION_ASK);
  EXPECT_EQ(both.rule, "demands");
  EXPECT_TRUE(both.second_factor);
  EXPECT_FALSE(judged(rules(asks), test::write("x")).second_factor);
  const auto denied = judged(rules(demands + rule("denies", "deny", "match.text = 'x'")), test::write("x"));
  EXPECT_EQ(denied.rule, "denies");
  EXPECT_FALSE(denied.second_factor);
}

TEST(Judge, RulesKnowDesktopPlannerAndTimeOfDay) {
  const auto rules_of = rules(rule("desktop", "deny", "match.desktop = '^x11:7$'") +
                              rule("planner", "deny", "match.planner = '^remote'") +
                              rule("night", "deny", "match.time = \"22:00-06:00\""));
  const MinuteOfDay noon = 12 * 60;
  EXPECT_EQ(judged_in(rules_of, test::write("x"), {.minute = noon}).decision, V::DECISION_ALLOW);
  EXPECT_EQ(judged_in(rules_of, test::write("x"), {.desktop_id = "x11:7", .minute = noon}).rule, "desktop");
  EXPECT_EQ(judged_in(rules_of, test::write("x"), {.planner = "remote-1", .minute = noon}).rule, "planner");
  EXPECT_EQ(judged_in(rules_of, test::write("x"), {.minute = 23 * 60}).rule, "night");
}

TEST(Judge, ARepetitionHoldsFromItsLastStepOn) {
  const auto often = rules(rule("often", "ask", "match.tool = [\"write\"]\nmatch.repetition = \"3 in 10s\""));
  const auto first = judged_in(often, test::write("x"), {});
  EXPECT_EQ(first.decision, V::DECISION_ALLOW);
  EXPECT_THAT(first.repeated, testing::ElementsAre("often")) << "it counts";
  EXPECT_EQ(judged_in(often, test::write("x"), {.repeats = {{"often", 1}}}).decision, V::DECISION_ALLOW);
  EXPECT_EQ(judged_in(often, test::write("x"), {.repeats = {{"often", 2}}}).rule, "often");
  EXPECT_TRUE(judged_in(often, test::click(1, 1), {.repeats = {{"often", 9}}}).repeated.empty());
}

TEST(Judge, ATaskUsesOnlyItsTools) {
  EXPECT_EQ(judged_in(rules(""), test::write("x"), {.allowed_tools = {"mouse"}}).rule, "task-tools");
  EXPECT_EQ(judged_in(rules(""), test::click(1, 1), {.allowed_tools = {"mouse"}}).decision, V::DECISION_ALLOW);
}

TEST(Judge, OnlyStricterRulesMatchReadingsOfAText) {
  const auto denies = rules(rule("pay", "deny", "match.text = '\\bpay\\b'"));
  EXPECT_EQ(judged(denies, test::write("Pаy now")).rule, "pay") << "with a Cyrillic letter";
  EXPECT_EQ(judged(denies, test::write("P\u200bay now")).rule, "pay") << "with a zero width space";
  const auto allows = rules(rule("pay", "allow", "match.tool = [\"write\"]\nmatch.text = '^pay$'"), "");
  EXPECT_EQ(judged(allows, test::write("pay")).decision, V::DECISION_ALLOW);
  EXPECT_EQ(judged(allows, test::write("pаy")).decision, V::DECISION_DENY);
}

// Bug: four unasked steps in a text editor rewrote the rule file.
TEST(Judge, StepsThatReachAFileThatDecidesAreCritical) {
  const Rules all = rules("");
  const auto rule_of = [&](const v1::Action& action, const v1::Evidence& evidence) {
    const Judgement judgement = judge(all, step(action), &evidence,
                                      {.write_lock = WriteLockView::kOpen, .rule_file = "/home/ada/My-rules.toml"});
    EXPECT_EQ(judgement.risk == v1::RISK_CRITICAL, judgement.rule == kGuardedFileRule) << judgement.reason;
    EXPECT_EQ(judgement.decision == v1::Verdict::DECISION_ASK, judgement.rule == kGuardedFileRule);
    return judgement.rule;
  };
  const auto titled = [](const std::string& title) {
    v1::Evidence evidence = test::editor();
    evidence.mutable_foreground()->set_title(title);
    evidence.mutable_target_window()->set_title(title);
    return evidence;
  };
  for (const char* title : {"my-rules.toml - Mousepad", "*MY-RULES.TOML (~/x) - gedit", "/home/ada/my-rules.toml",
                            ".env - editor", "audit.log (~/.local/state/desktopassist/policy) - gedit"}) {
    EXPECT_EQ(rule_of(test::write("x"), titled(title)), kGuardedFileRule) << title;
    EXPECT_EQ(rule_of(test::hotkey({"ctrl", "s"}), titled(title)), kGuardedFileRule) << title;
    EXPECT_EQ(rule_of(test::click(30, 40), titled(title)), kGuardedFileRule) << title;
  }
  for (const char* title : {"not-my-rules.toml - Mousepad", "my-rules.tomls", "environment.env.txt.environment",
                            "DesktopAssist - a program for engineers", "DesktopAssist \u2014 Mozilla Firefox",
                            "DesktopAssist 1.0", "notes"}) {
    EXPECT_EQ(rule_of(test::write("x"), titled(title)), "allow-all") << title;
  }
  EXPECT_EQ(rule_of(test::write("/home/ada/my-rules.toml"), titled("Open File")), kGuardedFileRule);
  const auto launches = [&](const std::string& file) {
    return rule_of(test::launch("mousepad " + file), test::program("/usr/bin/mousepad", {"mousepad", file}));
  };
  EXPECT_EQ(launches("/home/ada/my-rules.toml"), kGuardedFileRule);
  EXPECT_EQ(launches("/home/ada/.local/state/desktopassist/policy/audit.log"), kGuardedFileRule);
  EXPECT_EQ(launches("/home/ada/notes.toml"), "allow-all");
  // An editor whose title hides the file, as of vim in a terminal.
  const auto editing = [&](const std::string& file) {
    v1::Evidence evidence = titled("Terminal");
    evidence.add_open_files("/home/ada/letter.txt");
    evidence.add_open_files(file);
    return rule_of(test::write("x"), evidence);
  };
  for (const char* file :
       {"/home/ada/my-rules.toml", "/home/ada/.My-Rules.toml.swp", "/home/ada/x/.env",
        "/home/ada/.config/desktopassist/settings.toml", "/home/ada/.local/state/desktopassist/policy/halt",
        "/run/user/1000/desktopassist/run-24806-779db1/policy.toml",
        "C:\\Users\\Ada\\AppData\\Local\\DesktopAssist\\peers.toml"}) {
    EXPECT_EQ(editing(file), kGuardedFileRule) << file;
  }
  for (const char* file : {"/home/ada/src/desktopassist/README.md", "/home/ada/notes.toml"}) {
    EXPECT_EQ(editing(file), "allow-all") << file;
  }
  // Bug: a file manager that was given the folder, or entered it, could delete what lies there.
  EXPECT_EQ(launches("/home/ada/.local/state/desktopassist"), kGuardedFileRule);
  EXPECT_EQ(editing("/home/ada/.config/desktopassist/"), kGuardedFileRule);
  EXPECT_EQ(rule_of(test::write("~/.config/desktopassist\n"), titled("Open File")), kGuardedFileRule);
  EXPECT_EQ(rule_of(test::hotkey({"delete"}), titled("desktopassist - Thunar")), kGuardedFileRule);
  v1::Evidence entry = titled("state - Thunar");
  entry.mutable_target_element()->set_name("desktopassist");
  EXPECT_EQ(rule_of(test::click(30, 40), entry), kGuardedFileRule);
}

}  // namespace
}  // namespace da::policy::judge_test
