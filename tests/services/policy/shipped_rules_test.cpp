// The shipped rule file decides as a cautious person would.
#include <gtest/gtest.h>

#include "services/policy/judgement/judge.h"
#include "tests/services/policy/steps.h"

namespace da::policy {
namespace {

const Rules& shipped() {
  static const Rules rules = [] {
    auto loaded = Rules::load(DA_SHIPPED_RULES);
    EXPECT_TRUE(loaded) << loaded.error().message;
    return loaded ? *std::move(loaded) : Rules({});
  }();
  return rules;
}

Judgement shipped_judgement(const v1::Action& action, const v1::Evidence& evidence = test::editor()) {
  return judge(shipped(), test::step(action), &evidence, {.write_lock = WriteLockView::kOpen});
}

v1::Evidence in(const std::string& executable, const std::string& title = "w") {
  auto evidence = test::editor();
  *evidence.mutable_foreground() = test::window(title, executable);
  *evidence.mutable_target_window() = evidence.foreground();
  return evidence;
}

v1::Evidence over(const std::string& name) {
  auto evidence = test::editor();
  *evidence.mutable_target_element() = test::element("push button", name);
  *evidence.mutable_focused_element() = evidence.target_element();
  return evidence;
}

TEST(ShippedRules, OrdinaryWorkIsAllowedWithTheLockOpenAndAsksWithItClosed) {
  const auto pad = test::program("/usr/bin/mousepad", {"mousepad", "/home/a/notes.txt"});
  for (const auto& action : {test::write("Grüße\n"), test::click(5, 5), test::hotkey({"ctrl", "s"}),
                             test::press({"enter", "tab", "delete"}), test::ui_click("e")}) {
    EXPECT_EQ(shipped_judgement(action).decision, V::DECISION_ALLOW) << action.ShortDebugString();
    const auto evidence = test::editor();
    EXPECT_EQ(judge(shipped(), test::step(action), &evidence, {.write_lock = WriteLockView::kClosed}).decision,
              V::DECISION_ASK);
  }
  EXPECT_EQ(shipped_judgement(test::launch("mousepad /home/a/notes.txt"), pad).decision, V::DECISION_ALLOW);
  EXPECT_EQ(shipped_judgement(test::click(1, 1), over("Save")).decision, V::DECISION_ALLOW);
  EXPECT_EQ(shipped_judgement(test::press({"enter"}), over("Speichern")).decision, V::DECISION_ALLOW);
}

TEST(ShippedRules, EveryToolOfTheCatalogueIsKnownOrRefusedOnPurpose) {
  for (int i = 0; i < v1::Action::descriptor()->oneof_decl(0)->field_count(); ++i) {
    const auto& tool =
        v1::Action::descriptor()->oneof_decl(0)->field(i)->message_type()->options().GetExtension(v1::tool);
    if (tool.name().find("described") != std::string::npos) continue;
    bool known = false;
    for (const Rule& rule : shipped().all()) known = known || rule.match.tools.contains(tool.name());
    EXPECT_TRUE(known) << tool.name();
  }
}

TEST(ShippedRules, ChordsThatLeaveOrStopTheDesktopAreDenied) {
  for (const auto& action :
       {test::hotkey({"ctrl", "shift", "esc"}), test::hotkey({"Esc", "Shift", "Control"}),
        test::hotkey({"ctrl", "shift", "esc", "z"}), test::hotkey({"ctrl", "alt", "shift", "win", "esc"}),
        test::press({"ctrl", "shift", "esc"}), test::hotkey({"alt", "ctrl", "delete"}),
        test::hotkey({"altgr", "delete"}), test::hotkey({"ctrl", "alt", "backspace"}),
        test::hotkey({"ctrl", "alt", "f1"}), test::hotkey({"ctrl", "alt", "f12"}),
        test::hotkey({"ctrl", "alt", "shift", "f3"}), test::hotkey({"alt", "printscreen", "b"}),
        test::press({"alt", "sysrq"})}) {
    EXPECT_EQ(shipped_judgement(action).decision, V::DECISION_DENY) << action.ShortDebugString();
  }
  for (const auto& action : {test::hotkey({"ctrl", "shift", "s"}), test::hotkey({"ctrl", "alt", "f"}),
                             test::hotkey({"alt", "f4"}), test::press({"f5"}), test::press({"esc"})}) {
    EXPECT_EQ(shipped_judgement(action).decision, V::DECISION_ALLOW) << action.ShortDebugString();
  }
}

TEST(ShippedRules, LockScreensAndRightsPromptsAreDenied) {
  for (const char* locker : {"/usr/bin/i3lock", "/usr/libexec/kscreenlocker_greet", "/usr/sbin/lightdm-gtk-greeter",
                             "C:\\Windows\\System32\\LogonUI.exe", "/usr/lib/polkit-1/polkit-agent-helper-1",
                             "/usr/bin/xscreensaver-auth", "/usr/bin/pinentry-gnome3"}) {
    EXPECT_EQ(shipped_judgement(test::write("x"), in(locker)).rule, "lock-screens") << locker;
    EXPECT_EQ(shipped_judgement(test::click(1, 1), in(locker)).rule, "lock-screens") << locker;
  }
}

TEST(ShippedRules, TerminalsAskWhateverTheyAreCalled) {
  for (const char* terminal :
       {"/usr/bin/xterm", "/usr/bin/gnome-terminal-server", "/usr/bin/xfce4-terminal", "/usr/bin/konsole",
        "/usr/bin/urxvt", "/usr/bin/alacritty", "/usr/bin/qterminal", "C:\\x\\WindowsTerminal.exe",
        "C:\\Windows\\System32\\cmd.exe", "C:\\x\\powershell.exe", "/usr/bin/uxterm"}) {
    const auto judgement = shipped_judgement(test::write("ls"), in(terminal));
    EXPECT_EQ(judgement.rule, "terminals") << terminal;
    EXPECT_EQ(judgement.risk, v1::RISK_CRITICAL);
  }
  EXPECT_EQ(shipped_judgement(test::write("ls"), in("", "root@host: ~/work")).rule, "terminal-titles");
}

TEST(ShippedRules, ShellsAndInterpretersAskHoweverTheyAreStarted) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> launches = {
      {"/usr/bin/dash", {"sh", "-c", "x"}},
      {"/usr/bin/bash", {"/bin/bash"}},
      {"/usr/bin/env", {"env", "bash"}},
      {"/usr/bin/python3.11", {"python3"}},
      {"/usr/bin/xterm", {"xterm"}},
      {"/usr/bin/busybox", {"busybox", "sh"}},
      {"C:\\w\\cmd.exe", {"cmd"}},
      {"C:\\w\\powershell.exe", {"PowerShell"}},
      {"/usr/bin/sudo", {"sudo", "x"}},
      {"/usr/bin/rm", {"rm", "-rf"}},
      {"/home/a/innocent", {"innocent", "/usr/bin/zsh"}},
      {"/usr/bin/dash", {"mousepad"}},
      {"/usr/bin/gawk", {"awk"}},
      {"/usr/sbin/mkfs.ext4", {"mkfs.ext4"}}};
  for (const auto& [path, argv] : launches) {
    v1::Evidence evidence = test::program(path, {});
    for (const auto& word : argv) evidence.add_argv(word);
    const auto judgement = shipped_judgement(test::launch(argv[0]), evidence);
    EXPECT_EQ(judgement.decision, V::DECISION_ASK) << path << " " << argv[0];
    EXPECT_EQ(judgement.risk, v1::RISK_CRITICAL) << path;
  }
}

TEST(ShippedRules, IrreversibleElementsAskInEnglishAndGerman) {
  for (const char* name : {"Delete", "Delete all…", "Send", "Pay now", "Buy", "Confirm order", "Format", "Uninstall",
                           "Löschen", "LÖSCHEN", "Loeschen", "Senden", "Jetzt kaufen", "Bezahlen", "Überweisen",
                           "Bestätigen", "Formatieren", "Deinstallieren", "Kostenpflichtig bestellen"}) {
    EXPECT_EQ(shipped_judgement(test::click(1, 1), over(name)).decision, V::DECISION_ASK) << name;
    EXPECT_EQ(shipped_judgement(test::ui_click("e"), over(name)).decision, V::DECISION_ASK) << name;
    EXPECT_EQ(shipped_judgement(test::press({"enter"}), over(name)).decision, V::DECISION_ASK) << name;
  }
  for (const char* name : {"Save", "Open", "Cancel", "Information", "Paywall", "Sender", "Formatting", "Speichern"}) {
    EXPECT_EQ(shipped_judgement(test::click(1, 1), over(name)).decision, V::DECISION_ALLOW) << name;
  }
}

TEST(ShippedRules, PasswordFieldsAsk) {
  auto evidence = test::editor();
  evidence.mutable_focused_element()->add_states(v1::UI_STATE_PASSWORD);
  EXPECT_EQ(shipped_judgement(test::write("x"), evidence).rule, "password-fields");
  *evidence.mutable_focused_element() = test::element("password text", "");
  EXPECT_EQ(shipped_judgement(test::write("x"), evidence).rule, "password-roles");
}

TEST(ShippedRules, DeletingAndTerminatingAskAndSystemFilesAreDenied) {
  EXPECT_EQ(shipped_judgement(test::file_delete("/home/a/x"), test::program("/home/a/x", {})).rule, "delete-file");
  EXPECT_EQ(shipped_judgement(test::terminate("Mousepad")).rule, "terminate-application");
  EXPECT_EQ(shipped_judgement(test::file_delete("/home/a/x"), test::program("/etc/passwd", {})).rule, "system-files");
  EXPECT_EQ(shipped_judgement(test::file_delete("/home/a/x"), test::program("/home/a/.ssh/id", {})).rule,
            "system-files");
}

TEST(ShippedRules, KeysThatOpenRunDialogsAsk) {
  for (const auto& action :
       {test::hotkey({"alt", "f2"}), test::hotkey({"win", "r"}), test::hotkey({"ctrl", "alt", "t"})}) {
    EXPECT_EQ(shipped_judgement(action).rule, "run-dialogs");
  }
}

// With a further key, or a modifier after the key, the rules saw another chord than the desktop.
TEST(ShippedRules, FurtherKeysDoNotHideAChord) {
  for (const auto& action : {test::hotkey({"alt", "f2", "pause"}), test::hotkey({"alt", "f2", "shift"}),
                             test::hotkey({"ctrl", "alt", "capslock", "t"}), test::hotkey({"f5", "alt", "F2"})}) {
    EXPECT_EQ(shipped_judgement(action).rule, "run-dialogs") << action.ShortDebugString();
  }
  EXPECT_EQ(shipped_judgement(test::hotkey({"?", "delete"})).rule, "permanent-delete-chord");
  EXPECT_EQ(shipped_judgement(test::hotkey({"ctrl", "?", "esc"})).rule, "kill-switch-chord");
}

// Text that is dragged into a terminal is typed there.
TEST(ShippedRules, ADragIsJudgedByWhereItEndsToo) {
  v1::Action drag;
  for (const int x : {10, 500}) drag.mutable_drag()->add_path()->set_x(x);
  auto evidence = in("/usr/bin/mousepad");
  *evidence.mutable_drop_window() = test::window("w", "/usr/bin/mousepad");
  EXPECT_EQ(shipped_judgement(drag, evidence).rule, "pointer-without-element");
  *evidence.mutable_drop_element() = test::element("text", "");
  EXPECT_EQ(shipped_judgement(drag, evidence).decision, V::DECISION_ALLOW);
  *evidence.mutable_drop_window() = test::window("w", "/usr/bin/xterm");
  EXPECT_EQ(shipped_judgement(drag, evidence).rule, "terminals");
  *evidence.mutable_drop_window() = test::window("w", "/usr/bin/i3lock");
  EXPECT_EQ(shipped_judgement(drag, evidence).rule, "lock-screens");
}

TEST(ShippedRules, BoxesThatRunCommandsAsk) {
  EXPECT_EQ(shipped_judgement(test::write("x\n"), in("/usr/bin/gmrun", "gmrun")).rule, "run-boxes");
  EXPECT_EQ(shipped_judgement(test::press({"enter"}), in("/usr/bin/xfce4-appfinder", "x")).rule, "run-boxes");
  EXPECT_EQ(shipped_judgement(test::press({"enter"}), in("/usr/bin/lxpanel", "Run")).rule, "run-box-titles");
  EXPECT_EQ(shipped_judgement(test::write("x"), in("/usr/bin/mousepad", "Running.txt - Mousepad")).decision,
            V::DECISION_ALLOW);
}

TEST(ShippedRules, ATerminalIsKnownByItsElementToo) {
  auto evidence = in("/usr/bin/python3.11", "Notes");
  *evidence.mutable_focused_element() = test::element("terminal", "");
  EXPECT_EQ(shipped_judgement(test::write("ls\n"), evidence).rule, "terminal-elements");
}

// A window that hides its process looked harmless: no rule that names a program matched it.
TEST(ShippedRules, KeysAskWhereNeitherProcessNorElementIsKnown) {
  v1::Evidence unknown = in("");
  unknown.clear_focused_element();
  v1::Evidence nothing = unknown;
  nothing.clear_foreground();
  v1::Action paste;
  paste.mutable_paste()->set_text("x");
  v1::Action type;
  type.mutable_keyboard_type()->set_text("x");
  for (const auto& action : {test::write("x"), paste, type, test::press({"enter"}), test::hotkey({"ctrl", "s"})}) {
    for (const auto& evidence : {unknown, nothing}) {
      const auto judgement = shipped_judgement(action, evidence);
      EXPECT_EQ(judgement.decision, V::DECISION_ASK) << action.ShortDebugString();
      EXPECT_EQ(judgement.rule, "keys-without-process-or-element") << action.ShortDebugString();
    }
    auto known = in("/usr/bin/mousepad");
    known.clear_focused_element();
    EXPECT_EQ(shipped_judgement(action, known).decision, V::DECISION_ALLOW) << action.ShortDebugString();
    known = in("");
    *known.mutable_focused_element() = test::element("text", "");
    EXPECT_EQ(shipped_judgement(action, known).decision, V::DECISION_ALLOW) << action.ShortDebugString();
  }
}

TEST(ShippedRules, ProgramsThatTypeByThemselvesAreDenied) {
  v1::Evidence evidence = test::program("/usr/bin/xdotool", {"xdotool", "key", "ctrl+shift+Escape"});
  EXPECT_EQ(shipped_judgement(test::launch("xdotool key ctrl+shift+Escape"), evidence).decision, V::DECISION_DENY);
}

TEST(ShippedRules, ProgramsThatCanRunOthersAskHoweverTheyAreCalled) {
  const std::vector<std::vector<std::string>> launches = {{"/usr/bin/script", "-c", "rm -rf /home/a", "/dev/null"},
                                                          {"/usr/bin/perl5.36-x86_64-linux-gnu", "x.pl"},
                                                          {"/usr/bin/git", "x"},
                                                          {"/usr/bin/vim.basic", "x"},
                                                          {"/usr/bin/gtk-launch", "evil"},
                                                          {"/usr/bin/gmrun"},
                                                          {"/usr/bin/unheard-of", "--exec=x"}};
  for (const auto& argv : launches) {
    v1::Evidence evidence = test::program(argv[0], {});
    for (const auto& word : argv) evidence.add_argv(word);
    EXPECT_EQ(shipped_judgement(test::launch(argv[0]), evidence).decision, V::DECISION_ASK) << argv[0];
  }
}

}  // namespace
}  // namespace da::policy
