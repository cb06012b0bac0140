#include "services/console/report/report_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "lib/os/files/files.h"
#include "tests/temp_dir.h"

namespace da::console {
namespace {

TEST(ReportFile, AnExistingFileIsRefusedAndUntouched) {
  const test::TempDir dir;
  const auto path = dir.path() / "report.html";
  ASSERT_TRUE(os::write_private_file(path, "mine"));
  const auto refused = ReportFile::create(path, Existing::kRefuse);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::kAlreadyExists);
  EXPECT_EQ(*os::read_file(path), "mine");
}

TEST(ReportFile, AnExistingFileIsReplacedOnlyWhenTheNewOneIsComplete) {
  const test::TempDir dir;
  const auto path = dir.path() / "report.html";
  ASSERT_TRUE(os::write_private_file(path, "mine"));
  {
    auto file = ReportFile::create(path, Existing::kReplace);
    ASSERT_TRUE(file);
    ASSERT_TRUE(file->write("half"));
  }
  EXPECT_EQ(*os::read_file(path), "mine");
  auto file = ReportFile::create(path, Existing::kReplace);
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->write("new"));
  ASSERT_TRUE(file->finish());
  EXPECT_EQ(*os::read_file(path), "new");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(dir.path()), {}), 1);
}

TEST(ReportFile, IsPrivateAndRemovedUnlessItIsFinished) {
  const test::TempDir dir;
  const auto path = dir.path() / "report.html";
  {
    auto file = ReportFile::create(path, Existing::kRefuse);
    ASSERT_TRUE(file);
    struct stat info {};
    ASSERT_EQ(::stat(path.c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777u, 0600u);
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(ReportFile, ALinkIsNotFollowed) {
  const test::TempDir dir;
  const auto path = dir.path() / "report.html";
  std::filesystem::create_symlink(dir.path() / "elsewhere", path);
  EXPECT_FALSE(ReportFile::create(path, Existing::kRefuse));
  EXPECT_FALSE(std::filesystem::exists(dir.path() / "elsewhere"));
}

}  // namespace
}  // namespace da::console
