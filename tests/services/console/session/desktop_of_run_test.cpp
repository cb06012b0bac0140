#include "services/console/session/desktop_of_run.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "tests/temp_dir.h"

namespace da::console {
namespace {

class DesktopOfRunTest : public testing::Test {
 protected:
  DesktopOfRunTest() { setenv("DISPLAY", ":7.0", 1); }
  ~DesktopOfRunTest() override { unsetenv("DISPLAY"); }

  std::filesystem::path run(const std::string& desktop) {
    const auto path = directory_.path() / ("run-" + desktop);
    std::filesystem::create_directory(path);
    std::ofstream(path / kConsoleConfig) << "desktop = \"" << desktop << "\"\n";
    std::filesystem::permissions(path / kConsoleConfig, std::filesystem::perms(0600));
    return path;
  }

  const da::test::TempDir directory_;
};

TEST_F(DesktopOfRunTest, AScreenNumberIsTheSameDisplay) {
  EXPECT_TRUE(is_same_desktop("x11:7", "x11:7.0"));
  EXPECT_TRUE(is_same_desktop("x11host.example:7", "x11host.example:7.1"));
  EXPECT_FALSE(is_same_desktop("x11:7", "x11:77"));
  EXPECT_EQ(own_desktop("x11"), "x11:7.0");
}

// Bug: of several runs, a command without --config took the newest, on whichever display it was.
TEST_F(DesktopOfRunTest, RunsOfTheOwnDisplayComeFirst) {
  const auto other = run("x11:8");
  const auto fake = run("fake:1");
  const auto own = run("x11:7");
  std::vector runs{other, fake, own};
  sort_own_display_first(runs);
  EXPECT_EQ(runs, (std::vector{own, fake, other}));
  EXPECT_TRUE(is_on_other_display(other));
  EXPECT_FALSE(is_on_other_display(fake));
  EXPECT_FALSE(is_on_other_display(own));
}

TEST_F(DesktopOfRunTest, WithoutADisplayNoRunIsOnAnotherOne) {
  unsetenv("DISPLAY");
  EXPECT_FALSE(is_on_other_display(run("x11:8")));
}

}  // namespace
}  // namespace da::console
