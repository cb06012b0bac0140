#include "services/actuator/desktop/fake/fake_desktop.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "lib/base/id.h"

namespace da::actuator {
namespace {

class FakeDesktopTest : public testing::Test {
 protected:
  static Result<void> go_on() { return ok(); }
  std::shared_ptr<fake::FakeWorld> world_ = std::make_shared<fake::FakeWorld>();
  std::unique_ptr<Desktop> desktop_ = open_fake_desktop(world_);
};

TEST_F(FakeDesktopTest, NotesSavesWhatWasTyped) {
  const auto file = std::filesystem::temp_directory_path() / ("da-notes-" + random_hex(6));
  const auto plan = desktop_->applications().resolve("notes " + file.string());
  ASSERT_TRUE(plan);
  ASSERT_TRUE(desktop_->applications().launch(*plan));
  desktop_->input().type(U"Grüße\n漢字 😀", Milliseconds(0), go_on);
  const std::string keys[] = {"ctrl", "s"};
  ASSERT_TRUE(desktop_->input().chord(keys));
  std::ostringstream content;
  content << std::ifstream(file).rdbuf();
  EXPECT_EQ(content.str(), "Grüße\n漢字 😀");
  std::filesystem::remove(file);
}

TEST_F(FakeDesktopTest, TypingChangesPixelsOnlyWhereTheTextIs) {
  world_->open_notes();
  const auto before = desktop_->screen().capture();
  const std::vector<std::uint8_t> pixels(before->data, before->data + 4 * before->area.area());
  desktop_->input().type(U"x", Milliseconds(0), go_on);
  const auto after = desktop_->screen().capture();
  int changed = 0;
  for (std::size_t i = 0; i < pixels.size(); i += 4)
    changed += std::equal(&pixels[i], &pixels[i] + 4, after->data + i) ? 0 : 1;
  EXPECT_GT(changed, 20);
  EXPECT_LT(changed, 200);
}

TEST_F(FakeDesktopTest, ADisabledButtonDoesNothing) {
  world_->open_notes();
  world_->change([](auto& windows) { windows.front().elements[4].enabled = false; });
  const Point close = {40 + 240, 40 + 360};
  desktop_->input().click(close, Button::kLeft, 1, Milliseconds(0), go_on);
  EXPECT_EQ(world_->titles().size(), 1U);
}

TEST_F(FakeDesktopTest, QuietScreenIsSettledAtOnceAndABusyOneAtItsDeadline) {
  EXPECT_EQ(desktop_->screen().wait_quiet(Milliseconds(0), system_clock().now()), Quiet::kSettled);
  world_->open_notes();
  EXPECT_EQ(desktop_->screen().wait_quiet(Milliseconds(60'000), system_clock().now()), Quiet::kStillChanging);
}

}  // namespace
}  // namespace da::actuator
