#include "services/console/session/run_directory.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <future>
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

// Another process sees either all of its files or no run.
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

// Bug: without XDG_RUNTIME_DIR the directory is in /tmp, where another user may have made it first. A pipe as lock file
// blocked each console command, even halt, and the console read that directory's console.toml.
TEST_F(RunDirectoryTest, PipeAsLockFileDoesNotBlock) {
  const auto run = RunDirectory::create();
  ASSERT_TRUE(run);
  const auto pipe = run->path() / "lock";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  auto live = std::async(std::launch::async, RunDirectory::live);
  const bool in_time = live.wait_for(std::chrono::seconds(20)) == std::future_status::ready;
  EXPECT_TRUE(in_time);
  if (!in_time) ::close(::open(pipe.c_str(), O_WRONLY | O_NONBLOCK));  // Lets it go.
  EXPECT_TRUE(live.get().empty());
}

TEST_F(RunDirectoryTest, DirectoryThatOthersMayEnterIsNotARun) {
  auto run = RunDirectory::create();
  ASSERT_TRUE(run && run->announce());
  const std::vector alive{run->path()};
  for (const auto& directory : {run->path(), run->path().parent_path()}) {
    for (const mode_t mode : {0755U, 0770U, 0701U}) {
      ASSERT_EQ(::chmod(directory.c_str(), mode), 0);
      EXPECT_TRUE(RunDirectory::live().empty()) << directory << " " << mode;
    }
    ASSERT_EQ(::chmod(directory.c_str(), 0700), 0);
    EXPECT_EQ(RunDirectory::live(), alive);
  }
}

TEST_F(RunDirectoryTest, LinkIsNotARun) {
  auto run = RunDirectory::create();
  ASSERT_TRUE(run && run->announce());
  const std::vector alive{run->path()};
  const auto parent = run->path().parent_path();
  std::filesystem::create_directory_symlink(run->path(), parent / "run-1-link");
  EXPECT_EQ(RunDirectory::live(), alive);
  std::filesystem::create_directory(parent / "run-2-link");
  std::filesystem::permissions(parent / "run-2-link", std::filesystem::perms::owner_all);
  std::filesystem::create_symlink(run->path() / "lock", parent / "run-2-link" / "lock");
  EXPECT_EQ(RunDirectory::live(), alive);
  const da::test::TempDir other;
  std::filesystem::create_directory_symlink(parent, other.path() / "desktopassist");
  setenv("XDG_RUNTIME_DIR", other.path().c_str(), 1);
  EXPECT_TRUE(RunDirectory::live().empty());
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
