#include <gmock/gmock.h>
#include <windows.h>

#include <algorithm>

#include "services/actuator/desktop/win32/applications/win32_process.h"
#include "services/actuator/desktop/win32/input/held_page.h"
#include "tests/services/actuator/win32/stage.h"

namespace da::actuator {
namespace {

using testing::IsEmpty;

TEST(HeldPage, TheGuardianReadsWhatTheActuatorHolds) {
  auto held = win32::HeldPage::create();
  ASSERT_OK(held);
  EXPECT_TRUE(held->keys().empty());
  EXPECT_FALSE(held->pressed_at());
  const win32::KeyCode control{VK_LCONTROL, 29, false};
  const win32::KeyCode right{VK_RIGHT, 77, true};
  held->assign({control, right}, {Button::kRight});
  held->set_pressed_at(Point{-1900, -5});
  HANDLE copy = nullptr;
  ASSERT_TRUE(::DuplicateHandle(::GetCurrentProcess(), held->handle(), ::GetCurrentProcess(), &copy, 0, FALSE,
                                DUPLICATE_SAME_ACCESS));
  const auto seen = win32::HeldPage::map(win32::UniqueKernelHandle(copy));
  ASSERT_OK(seen);
  EXPECT_EQ(seen->keys(), (std::vector<win32::KeyCode>{control, right}));
  EXPECT_EQ(seen->buttons(), std::vector<Button>{Button::kRight});
  EXPECT_EQ(seen->pressed_at(), Point(-1900, -5));
  held->assign({}, {});
  EXPECT_TRUE(seen->keys().empty());
}

// The virtual-key codes of all keys and mouse buttons that Windows takes for held, as any process sees them.
std::vector<int> held_now() {
  std::vector<int> held;
  for (int key = 1; key < 255; ++key) {
    if (::GetAsyncKeyState(key) < 0) held.push_back(key);
  }
  return held;
}

class Guardian : public testing::Test {
 protected:
  void SetUp() override { ASSERT_THAT(held_now(), IsEmpty()); }

  std::uint32_t start_victim(std::vector<std::string> words) {
    words.insert(words.begin(), stage_.guardian());
    stage_.let_another_drive();
    return stage_.start_beside("held_victim.exe", words);
  }
  // Kills by TerminateProcess, as the kill switch and the task manager do.
  void kill(std::uint32_t victim) {
    const auto process = win32::RunningProcess::open(victim, win32::start_of(victim));
    ASSERT_OK(process);
    ASSERT_OK(process->kill(stage_.deadline(), system_clock()));
  }
  // Windows has the general key beside the one of each side.
  bool is_held(int key) const { return std::ranges::count(held_now(), key) > 0; }

  Stage stage_;
  const WindowInfo window_ = stage_.start_target("input");
  const Point at_ = window_.bounds.center();
  const std::string x_ = std::to_string(at_.x);
  const std::string y_ = std::to_string(at_.y);
  const std::string place_ = "@" + x_ + "," + y_;
};

TEST_F(Guardian, ReleasesTheButtonOfAKilledActuatorWhereItWasPressed) {
  const std::uint32_t victim = start_victim({"button", x_, y_});
  ASSERT_TRUE(stage_.eventually([&] { return stage_.events("d") == std::vector<std::string>{"d1" + place_}; }));
  EXPECT_TRUE(stage_.events("u").empty());
  kill(victim);
  EXPECT_TRUE(stage_.eventually([&] { return stage_.events("u") == std::vector<std::string>{"u1" + place_}; }));
}

TEST_F(Guardian, ReleasesTheKeyOfAKilledActuator) {
  const std::uint32_t victim = start_victim({"ctrl"});
  ASSERT_TRUE(stage_.eventually([&] { return is_held(VK_CONTROL) && is_held(VK_LCONTROL); }));
  ASSERT_TRUE(stage_.eventually([&] { return stage_.events("k") == std::vector<std::string>{"k17"}; }));
  EXPECT_TRUE(stage_.events("r").empty());
  kill(victim);
  EXPECT_TRUE(stage_.eventually([&] { return stage_.events("r") == std::vector<std::string>{"r17"}; }));
  EXPECT_TRUE(stage_.eventually([&] { return held_now().empty(); })) << testing::PrintToString(held_now());
}

TEST_F(Guardian, ReleasesKeyAndButtonOfAKilledActuator) {
  const std::uint32_t victim = start_victim({"ctrl+button", x_, y_});
  ASSERT_TRUE(stage_.eventually([&] { return is_held(VK_CONTROL) && is_held(VK_LBUTTON); }));
  ASSERT_TRUE(stage_.eventually([&] { return stage_.events("kd") == std::vector<std::string>{"k17", "d1" + place_}; }));
  EXPECT_TRUE(stage_.events("ru").empty());
  // The release of the button moves the pointer back first, which makes a drag harmless.
  ASSERT_TRUE(::SetCursorPos(at_.x + 40, at_.y + 30));
  kill(victim);
  EXPECT_TRUE(stage_.eventually([&] { return stage_.events("ru") == std::vector<std::string>{"r17", "u1" + place_}; }));
  EXPECT_TRUE(stage_.eventually([&] { return held_now().empty(); })) << testing::PrintToString(held_now());
}

}  // namespace
}  // namespace da::actuator
