#include "services/console/session/run_directory.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "tests/temp_dir.h"

namespace da::console {
namespace {

class RunDirectoryTest : public testing::Test {
 protected:
  RunDirectoryTest() { setenv("XDG_RUNTIME_DIR", parent_.path().c_str(), 1); }
  ~RunDirectoryTest() override { unsetenv("XDG_RUNTIME_DIR"); }
  const da::test::TempDir parent_;
};

TEST_F(RunDirectoryTest, IsPrivateAndGoneWithItsOwner) {
  std::filesystem::path path;
  {
    auto run = RunDirectory::create();
    ASSERT_TRUE(run) << run.error().message;
    path = run->path();
    struct stat info {};
    ASSERT_EQ(::stat(path.c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777, 0700U);
    EXPECT_TRUE(RunDirectory::live().empty());
    ASSERT_TRUE(run->announce());
    EXPECT_EQ(RunDirectory::live(), std::vector{path});
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST_F(RunDirectoryTest, SweepsRunsThatDiedAndLeavesThoseThatLive) {
  auto alive = RunDirectory::create();
  ASSERT_TRUE(alive && alive->announce());
  const auto dead = parent_.path() / "desktopassist" / "run-1-dead";
  std::filesystem::create_directories(dead);
  auto next = RunDirectory::create();
  ASSERT_TRUE(next && next->announce());
  EXPECT_FALSE(std::filesystem::exists(dead));
  EXPECT_TRUE(std::filesystem::exists(alive->path()));
  EXPECT_EQ(RunDirectory::live().size(), 2U);
}

TEST_F(RunDirectoryTest, IsNotSweptWhileItIsMade) {
  auto made = RunDirectory::create();
  ASSERT_TRUE(made);
  std::thread other([] { EXPECT_TRUE(RunDirectory::create()); });
  std::ofstream(made->path() / "console.toml") << "[endpoints]\n";
  ASSERT_TRUE(made->announce());
  other.join();
  EXPECT_TRUE(std::filesystem::exists(made->path() / "console.toml"));
}

// Whoever looks sees all of its files, or no run.
TEST_F(RunDirectoryTest, IsDeadBeforeItsFirstFileIsGone) {
  std::atomic<bool> stop = false;
  std::thread looker([&] {
    while (!stop) {
      const auto runs = RunDirectory::live();
      if (runs.empty() || std::filesystem::exists(runs.front() / "console.toml")) continue;
      const auto still = RunDirectory::live();
      EXPECT_EQ(std::ranges::find(still, runs.front()), still.end());
    }
  });
  for (int i = 0; i < 300; ++i) {
    auto run = RunDirectory::create();
    ASSERT_TRUE(run);
    std::ofstream(run->path() / "console.toml") << "[endpoints]\n";
    ASSERT_TRUE(run->announce());
  }
  stop = true;
  looker.join();
}

TEST_F(RunDirectoryTest, APathThatIsTooLongForASocketIsAnErrorThatSaysWhatToDo) {
  const auto deep = parent_.path() / std::string(90, 'x');
  std::filesystem::create_directory(deep);
  setenv("XDG_RUNTIME_DIR", deep.c_str(), 1);
  const auto run = RunDirectory::create();
  ASSERT_FALSE(run);
  EXPECT_NE(run.error().message.find("XDG_RUNTIME_DIR"), std::string::npos);
}

}  // namespace
}  // namespace da::console
