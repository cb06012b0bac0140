#include "lib/os/files/replace_file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <set>
#include <string>

#include "lib/os/files/files.h"
#include "tests/temp_dir.h"

namespace da::os {
namespace {

class ReplaceFile : public testing::Test {
 protected:
  std::filesystem::path path(const std::string& name) const { return directory_.path() / name; }
  unsigned mode_of(const std::string& name) const {
    struct stat info {};
    EXPECT_EQ(::stat(path(name).c_str(), &info), 0);
    return info.st_mode & 0777U;
  }
  std::set<std::string> names() const {
    std::set<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(directory_.path())) {
      found.insert(entry.path().filename().string());
    }
    return found;
  }
  const da::test::TempDir directory_;
};

TEST_F(ReplaceFile, KeepsTheModeAndLeavesNothingBeside) {
  ASSERT_TRUE(write_private_file(path("a"), "old"));
  ASSERT_EQ(::chmod(path("a").c_str(), 0664), 0);
  ASSERT_TRUE(replace_file(path("a"), "new"));
  EXPECT_EQ(read_file(path("a")).value(), "new");
  EXPECT_EQ(mode_of("a"), 0664U);
  EXPECT_EQ(names(), (std::set<std::string>{"a"}));
}

TEST_F(ReplaceFile, CreatesAFileThatTheUmaskAllows) {
  const mode_t before = ::umask(027);
  ASSERT_TRUE(replace_file(path("a"), "new"));
  ::umask(before);
  EXPECT_EQ(mode_of("a"), 0640U);
}

TEST_F(ReplaceFile, ALinkStaysAndItsFileIsReplaced) {
  ASSERT_TRUE(write_private_file(path("file"), "old"));
  std::filesystem::create_symlink("file", path("link"));
  ASSERT_TRUE(replace_file(path("link"), "new"));
  EXPECT_TRUE(std::filesystem::is_symlink(path("link")));
  EXPECT_EQ(read_file(path("file")).value(), "new");
  std::filesystem::create_symlink("nothing", path("dangling"));
  EXPECT_FALSE(replace_file(path("dangling"), "new"));
  EXPECT_TRUE(std::filesystem::is_symlink(path("dangling")));
}

TEST_F(ReplaceFile, ADirectoryIsRefused) {
  std::filesystem::create_directory(path("d"));
  EXPECT_EQ(replace_file(path("d"), "new").error().code, Code::kInvalidArgument);
  EXPECT_FALSE(replace_file(path("none") / "a", "new"));
}

// Simulates a full disk: the system refuses to write more than 1000 bytes.
TEST_F(ReplaceFile, AFailedWriteLeavesTheOldFile) {
  ASSERT_TRUE(write_private_file(path("a"), "old"));
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit small = before;
  small.rlim_cur = 1000;
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const auto replaced = replace_file(path("a"), std::string(5000, 'x'));
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, handler);
  EXPECT_FALSE(replaced);
  EXPECT_EQ(read_file(path("a")).value(), "old");
  EXPECT_EQ(names(), (std::set<std::string>{"a"}));
}

}  // namespace
}  // namespace da::os
