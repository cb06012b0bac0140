#include <gtest/gtest.h>

#include <signal.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <set>

#include "lib/base/text.h"
#include "services/actuator/desktop/x11/connection.h"
#include "tests/services/actuator/x11/test_session.h"

namespace da::actuator {
namespace {

constexpr Milliseconds kAtOnce{0};

// 500 characters with accents, CJK, an emoji, symbols, tabs and newlines. Unused keycodes suffice for all of them.
std::string mixed_text() {
  std::string text;
  for (int line = 1; text.size() < 700; ++line)
    text += std::to_string(line) + ": Grüße, Ænigma! \"çà\" {漢字} €5 ñ ~^`´ \\/ ½ Ж\t日本 😀\n";
  return text;
}

// More different characters than any keyboard map has unused keycodes for.
std::string text_of_many_characters() {
  std::string text;
  for (char32_t c = 0x4e00; c < 0x4e00 + 600; ++c) {
    append_utf8(text, c);
    if (c % 50 == 0) text += '\n';
  }
  return text + "\n";
}

Progress type(TestSession& session, std::string_view text) {
  return session.desktop().input().type(*decode_utf8(text), kAtOnce, go_on);
}

void expect_typed(const Progress& progress, std::string_view text) {
  EXPECT_FALSE(progress.stopped) << progress.stopped->message;
  EXPECT_EQ(progress.done, decode_utf8(text)->size());
  EXPECT_EQ(progress.total, progress.done);
  EXPECT_TRUE(progress.read);
}

class Typing : public ::testing::Test {
 protected:
  // Opens an editor with an empty file and the focus in its text area.
  void open_editor(const std::string& name) {
    write_file(file_, "");
    session_.start(name + " " + file_.string(), "typed.txt");
    (void)session_.desktop().screen().wait_quiet(Milliseconds(300), session_.deadline());
  }
  void save_and_expect(const std::string& expected) {
    const std::vector<std::string> save{"ctrl", "s"};
    ASSERT_OK(session_.desktop().input().chord(save, go_on));
    EXPECT_TRUE(session_.eventually([&] { return !read_file(file_).empty(); })) << "nothing was saved";
    EXPECT_TRUE(session_.eventually([&] { return read_file(file_).size() >= expected.size(); }));
    EXPECT_EQ(read_file(file_), expected);
  }
  void open_terminal() {
    session_.start("xterm -T terminal -e sh -c \"cat > '" + file_.string() + "'\"", "terminal");
    ASSERT_TRUE(session_.eventually([&] { return std::filesystem::exists(file_); }));
  }
  void end_input_and_expect(const std::string& expected) {
    const std::vector<std::string> end_of_file{"ctrl", "d"};
    ASSERT_OK(session_.desktop().input().chord(end_of_file, go_on));
    EXPECT_TRUE(session_.eventually([&] { return !session_.find_window("terminal"); })) << "cat did not end";
    EXPECT_EQ(read_file(file_), expected);
  }

  TestSession session_;
  std::filesystem::path file_ = session_.file("typed.txt");
};

TEST_F(Typing, IsExactInAGtk3Editor) {
  open_editor("mousepad");
  const std::string text = mixed_text();
  expect_typed(type(session_, text), text);
  save_and_expect(text);
}

TEST_F(Typing, IsExactInAQtEditor) {
  open_editor("featherpad");
  const std::string text = mixed_text();
  expect_typed(type(session_, text), text);
  save_and_expect(text);
}

TEST_F(Typing, IsExactInATerminal) {
  open_terminal();
  const std::string text = mixed_text();
  expect_typed(type(session_, text), text);
  end_input_and_expect(text);
}

TEST_F(Typing, MoreCharactersThanUnusedKeycodesAreExactInAGtk3Editor) {
  open_editor("mousepad");
  const std::string text = text_of_many_characters();
  expect_typed(type(session_, text), text);
  save_and_expect(text);
}

TEST_F(Typing, MoreCharactersThanUnusedKeycodesAreExactInAQtEditor) {
  open_editor("featherpad");
  const std::string text = text_of_many_characters();
  expect_typed(type(session_, text), text);
  save_and_expect(text);
}

TEST_F(Typing, MoreCharactersThanUnusedKeycodesAreExactInATerminal) {
  open_terminal();
  const std::string text = text_of_many_characters();
  expect_typed(type(session_, text), text);
  end_input_and_expect(text);
}

TEST_F(Typing, ManyTextsInARowAreExact) {
  open_editor("mousepad");
  std::string all;
  for (char32_t first = 0x400; first < 0x400 + 200; first += 10) {
    std::string text;
    for (char32_t c = first; c < first + 10; ++c) append_utf8(text, c);
    text += "\n";
    expect_typed(type(session_, text), text);
    all += text;
  }
  save_and_expect(all);
}

TEST_F(Typing, IsExactWithCapsLockOnAndLeavesItOn) {
  open_terminal();
  const std::vector<std::string> caps{"capslock"};
  EXPECT_FALSE(session_.desktop().input().tap(caps, go_on).stopped);
  const std::string text = "Aa Zz é\n";
  expect_typed(type(session_, text), text);
  const std::vector<std::string> keys{"a", "enter"};
  EXPECT_FALSE(session_.desktop().input().tap(keys, go_on).stopped);
  end_input_and_expect(text + "a\n");
  EXPECT_NE(session_.output_of({"xset", "q"}).find("Caps Lock:   on"), std::string::npos);
}

TEST_F(Typing, StopsAtACheckpointAndReportsProgress) {
  open_terminal();
  int asked = 0;
  const auto stop_at_third = [&]() -> Result<void> {
    if (++asked < 4) return ok();
    return Error{Code::kCancelled, "stop"};
  };
  const std::u32string text(1000, U'x');
  const Progress progress = session_.desktop().input().type(text, kAtOnce, stop_at_third);
  ASSERT_TRUE(progress.stopped);
  EXPECT_EQ(progress.stopped->code, Code::kCancelled);
  EXPECT_GT(progress.done, 0U);
  EXPECT_LT(progress.done, 1000U);
  const std::vector<std::string> enter{"enter"};
  EXPECT_FALSE(session_.desktop().input().tap(enter, go_on).stopped);
  end_input_and_expect(std::string(progress.done, 'x') + "\n");
}

// Bug: a reader that needed more than ten seconds for a long text was an error, although it read all of it.
TEST_F(Typing, WaitsForASlowReaderThatMakesProgress) {
  write_file(file_, "");
  const WindowInfo editor = session_.start("mousepad " + file_.string(), "typed.txt");
  (void)session_.desktop().screen().wait_quiet(Milliseconds(300), session_.deadline());
  std::string text;
  for (int line = 0; line < 600; ++line) text += "line " + std::to_string(line) + " of a text that is read slowly\n";
  const MonoTime started = system_clock().now();
  bool stopped = false;
  const auto read_slowly = [&]() -> Result<void> {
    const auto since = system_clock().now() - started;
    const bool stop = since < Milliseconds(6'000) || (since > Milliseconds(7'000) && since < Milliseconds(15'000));
    if (stop != stopped) ::kill(static_cast<pid_t>(editor.pid), stop ? SIGSTOP : SIGCONT);
    stopped = stop;
    return ok();
  };
  const Progress progress = session_.desktop().input().type(*decode_utf8(text), kAtOnce, read_slowly);
  ::kill(static_cast<pid_t>(editor.pid), SIGCONT);
  expect_typed(progress, text);
  EXPECT_GT(system_clock().now() - started, Milliseconds(12'000));
  save_and_expect(text);
}

TEST_F(Typing, HungReaderIsAnErrorAfterTenSeconds) {
  for (const std::string name : {"mousepad", "xterm"}) {  // mousepad answers pings, xterm does not.
    SCOPED_TRACE(name);
    const WindowInfo window =
        session_.start(name == "xterm" ? "xterm -T terminal" : name, name == "xterm" ? "terminal" : "Mousepad");
    ASSERT_EQ(::kill(static_cast<pid_t>(window.pid), SIGSTOP), 0);
    const MonoTime started = system_clock().now();
    const Progress progress = type(session_, std::string(2000, 'x'));
    const auto took = system_clock().now() - started;
    EXPECT_EQ(::kill(static_cast<pid_t>(window.pid), SIGCONT), 0);
    ASSERT_TRUE(progress.stopped);
    EXPECT_EQ(progress.stopped->code, Code::kDeadlineExceeded) << progress.stopped->message;
    EXPECT_GE(took, Milliseconds(9'900));
    EXPECT_LT(took, Milliseconds(13'000));
  }
}

TEST_F(Typing, RefusesAnUntypeableCharacterBeforeTypingAnything) {
  const Progress progress = session_.desktop().input().type(U"ab\x1b", kAtOnce, go_on);
  ASSERT_TRUE(progress.stopped);
  EXPECT_EQ(progress.stopped->code, Code::kInvalidArgument);
  EXPECT_EQ(progress.done, 0U);
  EXPECT_NE(progress.stopped->message.find("U+001B"), std::string::npos) << progress.stopped->message;
}

std::vector<xcb_keysym_t> keyboard_map(const std::string& display) {
  const auto connection = *x11::Connection::open(display, system_clock());
  const auto* setup = xcb_get_setup(connection->get());
  const auto count = static_cast<std::uint8_t>(setup->max_keycode - setup->min_keycode + 1);
  const auto answer = *connection->reply(xcb_get_keyboard_mapping_reply,
                                         xcb_get_keyboard_mapping(connection->get(), setup->min_keycode, count), "map");
  const xcb_keysym_t* keysyms = xcb_get_keyboard_mapping_keysyms(answer.get());
  return {keysyms, keysyms + xcb_get_keyboard_mapping_keysyms_length(answer.get())};
}

TEST(KeyboardMap, IsRestoredWhenTheDesktopIsClosed) {
  TestSession session(SessionBus::kWithout);
  const auto before = keyboard_map(session.display());
  {
    const auto second = open_x11_desktop({.display = session.display()}, system_clock());
    ASSERT_OK(second);
    EXPECT_FALSE((*second)->input().type(U"漢字", kAtOnce, go_on).stopped);
    EXPECT_NE(keyboard_map(session.display()), before);
  }
  EXPECT_EQ(keyboard_map(session.display()), before);
}

constexpr int kCoreKeyboard = 3;  // XInput 2 numbers the first two masters 2 and 3.

// The keys of a keyboard as another program prints them, without those that have no keysym.
std::set<std::string> printed_keys(TestSession& session, int device) {
  const std::string map =
      session.output_of({"xkbcomp", "-w0", "-i", std::to_string(device), "-xkb", session.display(), "-"});
  const std::string_view begin = "\n    key ";
  std::set<std::string> keys;
  for (auto at = map.find(begin); at != std::string::npos; at = map.find(begin, at + 1))
    keys.insert(map.substr(at, map.find("};", at) - at));
  return keys;
}

class OtherKeys : public ::testing::Test {
 protected:
  // Types characters that no layout has, and expects that each of the keyboards gets keys for them, and keeps its own.
  void type_and_compare(const std::vector<int>& keyboards) {
    std::map<int, std::set<std::string>> before;
    for (const int each : keyboards) {
      before[each] = printed_keys(session_, each);
      ASSERT_GT(before[each].size(), 100U) << "keyboard " << each;
    }
    {
      const auto second = open_x11_desktop({.display = session_.display()}, system_clock());
      ASSERT_OK(second);
      ASSERT_FALSE((*second)->input().type(U"漢字かな", kAtOnce, go_on).stopped);
      for (const int each : keyboards) {
        const auto now = printed_keys(session_, each);
        EXPECT_GT(now.size(), before[each].size()) << "keyboard " << each;
        EXPECT_TRUE(std::ranges::includes(now, before[each])) << "keyboard " << each;
      }
    }
    for (const int each : keyboards) EXPECT_EQ(printed_keys(session_, each), before[each]) << "keyboard " << each;
  }
  void set_layout(const std::vector<std::string>& options) {
    std::vector<std::string> command{"setxkbmap", "-display", session_.display()};
    command.insert(command.end(), options.begin(), options.end());
    session_.run(command);
  }
  TestSession session_{SessionBus::kWithout};
};

TEST_F(OtherKeys, KeysOfTwoLayoutsWithSixLevelsAreKept) {
  set_layout({"-layout", "de,us", "-variant", "neo,", "-option", "grp:alt_shift_toggle"});
  type_and_compare({kCoreKeyboard});
}

TEST_F(OtherKeys, KeysOfAKeyboardWithItsOwnLayoutAreKept) {
  const int other = std::stoi(session_.output_of({"xinput", "list", "--id-only", "Xvfb keyboard"}));
  set_layout({"-layout", "us"});
  set_layout({"-device", std::to_string(other), "-layout", "fr"});
  type_and_compare({kCoreKeyboard, other});
}

// Each change costs every program time: a window manager that reads its settings again, 0.1 s.
TEST_F(OtherKeys, AreToldOfAChangeOnceForManyCharacters) {
  const auto watcher = *x11::Connection::open(session_.display(), system_clock());
  ASSERT_FALSE(
      session_.desktop().input().type(U"a", kAtOnce, go_on).stopped);  // The server now uses our keyboard's map.
  ASSERT_OK(watcher->sync());
  while (watcher->pending_event()) {
  }
  ASSERT_FALSE(session_.desktop().input().type(U"ЖЗИЙКЛМНОПРСТУФХ漢字かなΑΒΓΔΕΖ", kAtOnce, go_on).stopped);
  ASSERT_OK(watcher->sync());
  int changes = 0;
  while (const auto event = watcher->pending_event()) changes += x11::event_type(*event) == XCB_MAPPING_NOTIFY ? 1 : 0;
  EXPECT_EQ(changes, 1);
}

}  // namespace
}  // namespace da::actuator
