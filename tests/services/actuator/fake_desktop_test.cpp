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
  ASSERT_TRUE(desktop_->input().chord(keys, go_on));
  std::ostringstream content;
  content << std::ifstream(file).rdbuf();
  EXPECT_EQ(content.str(), "Grüße\n漢字 😀");
  std::filesystem::remove(file);
}

TEST_F(FakeDesktopTest, ProgramIsListedUntilItsWindowIsClosed) {
  const auto pid = desktop_->applications().launch(desktop_->applications().resolve("notes").value());
  ASSERT_TRUE(pid);
  auto launched = desktop_->applications().launched();
  ASSERT_EQ(launched.size(), 1u);
  EXPECT_EQ(launched[0].pids, std::vector<std::uint32_t>{*pid});
  ASSERT_TRUE(desktop_->windows().close(desktop_->windows().foreground().value()->id));
  launched = desktop_->applications().launched();
  EXPECT_TRUE(launched[0].ended);
  EXPECT_TRUE(launched[0].pids.empty());
}

TEST_F(FakeDesktopTest, FailedProgramReportsStatusAndLastLine) {
  world_->install_failing("broken", "/usr/bin/broken", 4, "no such file");
  ASSERT_TRUE(desktop_->applications().launch(desktop_->applications().resolve("broken").value()));
  const auto launched = desktop_->applications().launched();
  ASSERT_EQ(launched.size(), 1u);
  EXPECT_TRUE(launched[0].ended);
  EXPECT_EQ(launched[0].exit_status, 4);
  EXPECT_EQ(launched[0].last_line, "no such file");
}

TEST_F(FakeDesktopTest, UnknownProgramErrorSuggestsTheNearestName) {
  EXPECT_EQ(desktop_->applications().resolve("note x").error().message,
            "there is no program \"note x\" (did you mean \"notes\"?)");
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
