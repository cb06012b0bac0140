#include "services/console/session/run_directory.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>

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
    const auto run = RunDirectory::create();
    ASSERT_TRUE(run) << run.error().message;
    path = run->path();
    struct stat info {};
    ASSERT_EQ(::stat(path.c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777, 0700U);
    EXPECT_EQ(RunDirectory::live(), std::vector{path});
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST_F(RunDirectoryTest, SweepsRunsThatDiedAndLeavesThoseThatLive) {
  const auto alive = RunDirectory::create();
  const auto dead = parent_.path() / "desktopassist" / "run-1-dead";
  std::filesystem::create_directories(dead);
  const auto next = RunDirectory::create();
  ASSERT_TRUE(next);
  EXPECT_FALSE(std::filesystem::exists(dead));
  EXPECT_TRUE(std::filesystem::exists(alive->path()));
  EXPECT_EQ(RunDirectory::live().size(), 2U);
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
