#include <windows.h>

#include <atomic>
#include <mutex>
#include <thread>

#include "services/actuator/desktop/win32/input/kill_chord.h"
#include "tests/services/actuator/win32/stage.h"

namespace da::actuator {
namespace {

TEST(KillChord, ItsThreeKeysCompleteItInAnyOrder) {
  const std::vector<std::vector<std::uint32_t>> orders{
      {VK_LCONTROL, VK_LSHIFT, VK_ESCAPE}, {VK_ESCAPE, VK_RSHIFT, VK_RCONTROL}, {VK_SHIFT, VK_ESCAPE, VK_CONTROL}};
  for (const auto& order : orders) {
    win32::KillChord chord;
    EXPECT_FALSE(chord.press(order[0]));
    EXPECT_FALSE(chord.press(order[1]));
    EXPECT_TRUE(chord.press(order[2]));
  }
}

TEST(KillChord, AReleasedKeyDoesNotCount) {
  win32::KillChord chord;
  chord.press(VK_LCONTROL);
  chord.press(VK_LSHIFT);
  chord.release(VK_LSHIFT);
  EXPECT_FALSE(chord.press(VK_ESCAPE));
}

TEST(KillChord, KeysHeldBeforeAnotherDesktopTookTheInputDoNotCount) {
  win32::KillChord chord;
  chord.press(VK_LCONTROL);
  chord.press(VK_LSHIFT);
  chord.forget();
  EXPECT_FALSE(chord.press(VK_ESCAPE));
}

TEST(KillChord, AnotherKeyBesideTheHeldChordDoesNotCompleteItAgain) {
  win32::KillChord chord;
  chord.press(VK_LCONTROL);
  chord.press(VK_LSHIFT);
  EXPECT_TRUE(chord.press(VK_ESCAPE));
  EXPECT_FALSE(chord.press('A'));
}

class Win32PersonWatchTest : public ::testing::Test {
 protected:
  Win32PersonWatchTest() {
    // The pointer is over the target before the watch begins.
    EXPECT_TRUE(input_.move(middle_));
    watch_.watch([this](PersonInput input) {
      const std::lock_guard lock(mutex_);
      seen_.push_back(input);
    });
  }
  ~Win32PersonWatchTest() override { watch_.watch({}); }

  bool saw(PersonInput input) {
    const std::lock_guard lock(mutex_);
    return std::ranges::find(seen_, input) != seen_.end();
  }
  std::size_t count() {
    watch_.look();
    const std::lock_guard lock(mutex_);
    return seen_.size();
  }

  Stage stage_;
  WindowInfo window_ = stage_.start_target("input");
  Point middle_ = window_.bounds.center();
  Input& input_ = stage_.desktop().input();
  PersonWatch& watch_ = stage_.desktop().person_watch();
  std::mutex mutex_;
  std::vector<PersonInput> seen_;
};

TEST_F(Win32PersonWatchTest, OurOwnInputIsNoPerson) {
  for (int i = 0; i < 50; ++i) {
    const Progress clicked = input_.click(Point{middle_.x + i, middle_.y}, Button::kLeft, 1, Milliseconds(0), go_on);
    ASSERT_FALSE(clicked.stopped) << clicked.stopped->message;
  }
  const Progress typed = input_.type(U"hello é 😀\n", Milliseconds(0), go_on);
  ASSERT_FALSE(typed.stopped) << typed.stopped->message;
  EXPECT_EQ(input_.scroll(middle_, 0, 3, go_on).done, 3U);
  EXPECT_EQ(count(), 0U);
}

TEST_F(Win32PersonWatchTest, TheChordThatWeSendIsNoKillSwitch) {
  const std::vector<std::string> keys{"ctrl", "shift", "esc"};
  ASSERT_OK(input_.chord(keys, go_on));
  // The hot key arrives after its keys.
  const std::vector<std::string> plain{"a"};
  EXPECT_EQ(input_.tap(plain, go_on).done, 1U);
  EXPECT_TRUE(stage_.eventually([&] { return !stage_.events("c").empty(); }));
  EXPECT_EQ(count(), 0U);
}

// A remote-control tool injects input like this.
TEST_F(Win32PersonWatchTest, InputThatAnotherProgramInjectsCountsAsAPersons) {
  INPUT event{};
  event.type = INPUT_KEYBOARD;
  event.ki.wVk = 'Q';
  ::SendInput(1, &event, sizeof event);
  event.ki.dwFlags = KEYEVENTF_KEYUP;
  ::SendInput(1, &event, sizeof event);
  EXPECT_TRUE(stage_.eventually([&] { return saw(PersonInput::kKeyboard); }));
}

TEST_F(Win32PersonWatchTest, APointerThatSomebodyMovesDoesNotMoveOurClicks) {
  watch_.watch({});  // Otherwise the clicks would be refused.
  std::atomic<bool> stop = false;
  std::thread person([&] {
    for (int i = 0; !stop; ++i) {
      INPUT move{};
      move.type = INPUT_MOUSE;
      move.mi.dwFlags = MOUSEEVENTF_MOVE;
      move.mi.dx = i % 2 == 0 ? 40 : -40;
      ::SendInput(1, &move, sizeof move);
    }
  });
  std::vector<std::string> expected;
  for (int i = 0; i < 200; ++i) {
    const Point at{middle_.x + i % 50, middle_.y - i % 30};
    EXPECT_EQ(input_.click(at, Button::kLeft, 1, Milliseconds(0), go_on).done, 1U);
    const std::string place = "@" + std::to_string(at.x) + "," + std::to_string(at.y);
    expected.push_back("d1" + place);
    expected.push_back("u1" + place);
  }
  stop = true;
  person.join();
  EXPECT_TRUE(stage_.eventually([&] { return stage_.events("du").size() >= expected.size(); }));
  EXPECT_EQ(stage_.events("du"), expected);
}

TEST_F(Win32PersonWatchTest, APersonsKeysAndMouseAreReported) {
  if (!has_xdotool()) GTEST_SKIP() << "needs xdotool, which acts as a person under Wine";
  xdotool("key a");
  EXPECT_TRUE(stage_.eventually([&] { return saw(PersonInput::kKeyboard); }));
  xdotool("mousemove_relative 7 5");
  EXPECT_TRUE(stage_.eventually([&] { return saw(PersonInput::kMouse); }));
  EXPECT_FALSE(saw(PersonInput::kKillSwitch));
}

TEST_F(Win32PersonWatchTest, CtrlShiftEscOfAPersonIsTheKillSwitch) {
  if (!has_xdotool()) GTEST_SKIP() << "needs xdotool, which acts as a person under Wine";
  xdotool("key ctrl+shift+Escape");
  EXPECT_TRUE(stage_.eventually([&] { return saw(PersonInput::kKillSwitch); }));
}

TEST_F(Win32PersonWatchTest, TheKillSwitchWorksWhileWeType) {
  if (!has_xdotool()) GTEST_SKIP() << "needs xdotool, which acts as a person under Wine";
  xdotool("key ctrl+shift+Escape");
  const auto stop = [&]() -> Result<void> {
    watch_.look();
    return saw(PersonInput::kKillSwitch) ? Error{Code::kCancelled, "kill switch"} : ok();
  };
  const Progress progress = input_.type(std::u32string(100'000, U'x'), Milliseconds(5), stop);
  ASSERT_TRUE(progress.stopped);
  EXPECT_LT(progress.done, 100'000U);
  EXPECT_TRUE(stage_.eventually([&] { return saw(PersonInput::kKillSwitch); }));
}

TEST_F(Win32PersonWatchTest, NoInputIsSentBeforeAPersonsInputIsReported) {
  if (!has_xdotool()) GTEST_SKIP() << "needs xdotool, which acts as a person under Wine";
  watch_.watch({});
  std::mutex holds;
  std::unique_lock held(holds);
  watch_.watch([&](PersonInput) { const std::lock_guard waits(holds); });
  xdotool("key a");
  Result<void> refused = ok();
  EXPECT_TRUE(stage_.eventually([&] {
    refused = input_.move(middle_);
    return !refused;
  }));
  EXPECT_EQ(refused.error().code, Code::kFailedPrecondition);
  held.unlock();
  watch_.watch({});
}

}  // namespace
}  // namespace da::actuator
