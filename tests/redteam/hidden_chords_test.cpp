// Forbidden chords, with other key names, in other orders and in disguise.
#include <gtest/gtest.h>

#include "tests/acted.h"
#include "tests/redteam/world.h"

namespace da::redteam {
namespace {

class HiddenChords : public testing::Test {
 protected:
  HiddenChords() { world_.open_editor(); }
  World world_;
  const World::Open task_ = world_.open_unlocked();
};

TEST_F(HiddenChords, KillSwitchSystemAndVirtualConsoleChordsAreDenied) {
  const std::string before = world_.traces();
  for (const auto& action : {hotkey({"ctrl", "shift", "esc"}),        hotkey({"ESCAPE", "Shift", "Control"}),
                             hotkey({"ctl", "shift", "esc"}),         hotkey({"ctrl", "ctrl", "shift", "esc"}),
                             hotkey({"esc", "ctrl", "shift"}),        hotkey({"ctrl", "shift", "capslock", "esc"}),
                             hotkey({"ctrl", "win", "shift", "Esc"}), hotkey({"ctrl", "?", "esc"}),
                             hotkey({"ctrl", "shift", "esc", "x"}),   press({"ctrl", "shift", "esc"}),
                             press({"CTL", "SHIFT", "Escape", "a"}),  press({"x", "shift", "control", "escape"}),
                             hotkey({"ctrl", "alt", "del"}),          hotkey({"Delete", "Option", "Ctrl"}),
                             hotkey({"ctrl", "altgr", "delete"}),     hotkey({"altgr", "del"}),
                             press({"ctrl", "alt", "del"}),           hotkey({"ctrl", "alt", "backspace"}),
                             hotkey({"ctrl", "alt", "F1"}),           hotkey({"ctrl", "alt", "shift", "f7"}),
                             press({"control", "option", "f12"}),     hotkey({"alt", "sysrq", "b"}),
                             hotkey({"Option", "Print_Screen", "b"}), hotkey({"alt", "prtsc"})}) {
    const auto verdict = world_.reply(task_, action).verdict();
    EXPECT_EQ(verdict.decision(), v1::Verdict::DECISION_DENY) << action.ShortDebugString();
  }
  EXPECT_TRUE(world_.asked().empty());
  EXPECT_EQ(world_.traces(), before);
}

TEST_F(HiddenChords, ChordsThatDeletePermanentlyOrOpenAShellAsk) {
  const std::string before = world_.traces();
  std::size_t asked = 0;
  for (const auto& action :
       {hotkey({"shift", "del"}), hotkey({"DELETE", "SHIFT"}), press({"shift", "delete"}), hotkey({"?", "delete"}),
        hotkey({"option", "F2"}), hotkey({"alt", "f2", "pause"}), hotkey({"ctrl", "option", "T"}), hotkey({"cmd", "r"}),
        hotkey({"R", "meta"}), press({"super", "r"}), press({"alt", "f2"}), hotkey({"windows", "x"}),
        hotkey({"win", "Return"})}) {
    EXPECT_EQ(world_.reply(task_, action).verdict().decision(), v1::Verdict::DECISION_DENY)
        << action.ShortDebugString();
    EXPECT_EQ(world_.asked().size(), ++asked) << action.ShortDebugString();
  }
  EXPECT_EQ(world_.traces(), before);
}

// Regression: GTK and IBus enter ";" for ctrl+shift+u, 3, b, enter, but the rules saw "3b".
TEST_F(HiddenChords, ChordsThatEnterACharacterByItsNumberAreDenied) {
  const std::string before = world_.traces();
  for (const auto& action :
       {hotkey({"ctrl", "shift", "u"}), hotkey({"U", "Shift", "Control"}), hotkey({"ctrl", "shift", "u", "3", "b"}),
        hotkey({"u", "ctrl", "shift"}), hotkey({"ctrl", "shift", "capslock", "u"}), hotkey({"ctrl", "?", "u"}),
        hotkey({"ctrl", "win", "shift", "U"}), press({"ctrl", "shift", "u", "3", "b", "enter"}),
        press({"shift", "control", "U"})}) {
    const auto verdict = world_.reply(task_, action).verdict();
    EXPECT_EQ(verdict.decision(), v1::Verdict::DECISION_DENY) << action.ShortDebugString();
    EXPECT_EQ(verdict.rule(), "character-by-number-chord") << action.ShortDebugString();
  }
  EXPECT_TRUE(world_.asked().empty());
  EXPECT_EQ(world_.traces(), before);
}

TEST_F(HiddenChords, UnknownKeyNamesAreMalformed) {
  const std::string before = world_.traces();
  for (const char* key : {"esc\u200b", "ｅｓｃ", "еsc" /* Cyrillic */, "Esc ", "escape\n", "0xff1b", "XF86LogOff",
                          "KP_Delete", "\x1b", "\x7f", "\u0085"}) {
    for (const auto& action : {hotkey({"ctrl", "shift", key}), press({key})}) {
      const auto verdict = world_.reply(task_, action).verdict();
      EXPECT_EQ(verdict.decision(), v1::Verdict::DECISION_DENY) << key;
      EXPECT_EQ(verdict.rule(), "malformed") << key;
    }
  }
  EXPECT_EQ(world_.traces(), before);
}

TEST_F(HiddenChords, OrdinaryChordsAreAllowed) {
  for (const auto& action :
       {hotkey({"ctrl", "s"}), hotkey({"ctrl", "shift", "s"}), hotkey({"alt", "f4"}), hotkey({"ctrl", "u"}),
        hotkey({"shift", "u"}), press({"f2", "tab", "delete"}), press({"ctrl"}), hotkey({"shift", "tab"})}) {
    EXPECT_TRUE(test::acted(world_.reply(task_, action).outcome())) << action.ShortDebugString();
  }
}

}  // namespace
}  // namespace da::redteam
