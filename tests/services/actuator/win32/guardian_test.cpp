#include <windows.h>

#include "services/actuator/desktop/win32/applications/win32_process.h"
#include "services/actuator/desktop/win32/input/held_page.h"
#include "tests/services/actuator/win32/stage.h"

namespace da::actuator {
namespace {

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

TEST(Guardian, ReleasesTheButtonOfAKilledActuatorWhereItWasPressed) {
  Stage stage;
  const WindowInfo window = stage.start_target("input");
  const Point at = window.bounds.center();
  const std::string place = "@" + std::to_string(at.x) + "," + std::to_string(at.y);
  stage.let_another_drive();
  const std::uint32_t victim =
      stage.start_beside("held_victim.exe", {stage.guardian(), std::to_string(at.x), std::to_string(at.y)});
  ASSERT_TRUE(stage.eventually([&] { return stage.events("d") == std::vector<std::string>{"d1" + place}; }));
  EXPECT_TRUE(stage.events("u").empty());
  const auto process = win32::RunningProcess::open(victim, win32::start_of(victim));
  ASSERT_OK(process);
  ASSERT_OK(process->kill(stage.deadline(), system_clock()));
  EXPECT_TRUE(stage.eventually([&] { return stage.events("u") == std::vector<std::string>{"u1" + place}; }));
}

}  // namespace
}  // namespace da::actuator
