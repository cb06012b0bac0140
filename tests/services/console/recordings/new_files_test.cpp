#include "services/console/recordings/new_files.h"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/temp_dir.h"

namespace da::console {
namespace {

TEST(SafeFileName, HasNoDirectoryAndIsNeverHidden) {
  EXPECT_EQ(safe_file_name("rules.toml"), "rules.toml");
  EXPECT_EQ(safe_file_name("config/policy.toml"), "config_policy.toml");
  EXPECT_EQ(safe_file_name("../../x"), "_.._x");
  EXPECT_EQ(safe_file_name("/etc/passwd"), "_etc_passwd");
  EXPECT_EQ(safe_file_name(std::string("a\0b\n\x1b[31m", 9)), "a_b___31m");
  EXPECT_EQ(safe_file_name(".bashrc"), "bashrc");
  for (const char* nothing : {"", ".", "..", "..."}) EXPECT_EQ(safe_file_name(nothing), "unnamed");
  EXPECT_EQ(safe_file_name(std::string(5'000, 'a')).size(), 100u);
}

TEST(NewFiles, StayInTheirDirectory) {
  const da::test::TempDir dir;
  const auto into = dir.path() / "out";
  auto files = NewFiles::open(into);
  ASSERT_TRUE(files);
  for (const char* name : {"../x", "/x", "x/../../x", ".."}) ASSERT_TRUE(files->write(name, "content"));
  std::size_t inside = 0;
  for (const auto& entry : std::filesystem::directory_iterator(into)) {
    EXPECT_EQ(entry.status().permissions(), std::filesystem::perms(0600));
    ++inside;
  }
  EXPECT_EQ(inside, 4u);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(dir.path()), {}), 1);
}

TEST(NewFiles, SameNamesGetNumbersAndExistingFilesAreKept) {
  const da::test::TempDir dir;
  auto files = NewFiles::open(dir.path());
  ASSERT_TRUE(files);
  EXPECT_EQ(files->write("a.txt", "1")->filename(), "a.txt");
  EXPECT_EQ(files->write("a.txt", "2")->filename(), "a-2.txt");
  auto again = NewFiles::open(dir.path());
  EXPECT_EQ(again->write("a.txt", "3").error().code, Code::kAlreadyExists);
  std::ifstream file(dir.path() / "a.txt");
  EXPECT_EQ(file.get(), '1');
}

TEST(NewFiles, ANumberThatAnotherFileHasIsLeftOut) {
  const da::test::TempDir dir;
  auto files = NewFiles::open(dir.path());
  std::vector<std::string> names;
  for (const char* name : {"a.txt", "a-2.txt", "a.txt", "a.txt", "a-2.txt"})
    names.push_back(files->write(name, "x")->filename().string());
  EXPECT_EQ(names, (std::vector<std::string>{"a.txt", "a-2.txt", "a-3.txt", "a-4.txt", "a-2-2.txt"}));
}

TEST(NewFiles, ALinkIsNotFollowed) {
  const da::test::TempDir dir;
  std::filesystem::create_directory(dir.path() / "out");
  std::filesystem::create_symlink(dir.path() / "outside", dir.path() / "out" / "a.txt");
  auto files = NewFiles::open(dir.path() / "out");
  EXPECT_FALSE(files->write("a.txt", "content"));
  EXPECT_FALSE(std::filesystem::exists(dir.path() / "outside"));
}

}  // namespace
}  // namespace da::console
