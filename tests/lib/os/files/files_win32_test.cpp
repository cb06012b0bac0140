#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "lib/base/path_text.h"
#include "lib/os/files/files.h"
#include "lib/os/process/environment.h"
#include "tests/file_access.h"
#include "tests/temp_dir.h"

namespace da::os {
namespace {

using test::Access;

class FilesWin32 : public testing::Test {
 protected:
  FilesWin32() { EXPECT_TRUE(make_private_directory(folder_)); }
  const test::TempDir temp_;
  const std::filesystem::path folder_ = temp_.path() / path_of("J\u00f6rg \u6f22");
};

TEST_F(FilesWin32, PrivateFileInAFolderWithAForeignNameIsReadBack) {
  const auto key = folder_ / "key";
  ASSERT_TRUE(write_private_file(key, "line\r\n\x1a end"));
  EXPECT_TRUE(test::is_private(key));
  EXPECT_EQ(read_private_file(key).value(), "line\r\n\x1a end");
  ASSERT_TRUE(write_private_file(key, "second"));
  EXPECT_EQ(read_private_file(key).value(), "second");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1) << "a file was left beside it";
}

TEST_F(FilesWin32, ErrorsNameThePathInUtf8) {
  const auto missing = read_file(folder_ / "missing");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, Code::kNotFound);
  EXPECT_THAT(missing.error().message, testing::HasSubstr("J\u00f6rg \u6f22"));
}

TEST_F(FilesWin32, SecretThatOthersMayReadIsRefused) {
  const auto key = folder_ / "key";
  ASSERT_TRUE(write_private_file(key, "secret"));
  for (const Access access : {Access::kOthersMayRead, Access::kOthersMayWrite}) {
    test::set_access(key, access);
    const auto read = read_private_file(key);
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().code, Code::kPermissionDenied) << read.error().message;
  }
  test::set_access(key, Access::kOwnerOnly);
  EXPECT_TRUE(read_private_file(key));
}

TEST_F(FilesWin32, TrustedFileMayBeReadByOthersButNotWritten) {
  const auto file = folder_ / "peers.toml";
  ASSERT_TRUE(write_private_file(file, "known"));
  test::set_access(file, Access::kOthersMayRead);
  EXPECT_EQ(read_trusted_file(file, 1000).value(), "known");
  test::set_access(file, Access::kOthersMayWrite);
  const auto read = read_trusted_file(file, 1000);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, Code::kPermissionDenied);
}

TEST_F(FilesWin32, PrivateDirectoryThatOthersMayEnterIsRefused) {
  const auto open = temp_.path() / "open";
  std::filesystem::create_directory(open);
  test::set_access(open, Access::kOthersMayRead);
  EXPECT_FALSE(make_private_directory(open));
  EXPECT_TRUE(make_private_directory(folder_ / "a" / "b"));
  EXPECT_TRUE(test::is_private(folder_ / "a" / "b"));
  EXPECT_TRUE(make_private_directory(folder_ / "a" / "b")) << "it exists";
}

TEST_F(FilesWin32, DevicesAndDirectoriesAreNotFiles) {
  for (const std::filesystem::path& path :
       {std::filesystem::path("NUL"), std::filesystem::path(R"(\\.\NUL)"), folder_}) {
    EXPECT_FALSE(read_private_file(path)) << text_of(path);
    EXPECT_FALSE(read_file(path)) << text_of(path);
  }
}

TEST_F(FilesWin32, AFileBelowAFolderIsReadByItsRelativeNameOnly) {
  std::filesystem::create_directory(folder_ / "templates");
  ASSERT_TRUE(write_private_file(folder_ / "templates" / "a.png", "picture"));
  ASSERT_TRUE(write_private_file(folder_ / "secret", "secret"));
  EXPECT_EQ(read_file_below(folder_, "templates/a.png", 100).value(), "picture");
  EXPECT_EQ(read_file_below(folder_, "Templates/A.PNG", 100).value(), "picture");
  EXPECT_EQ(read_file_below(folder_, "templates/b.png", 100).error().code, Code::kNotFound);
  for (const std::filesystem::path& name :
       {folder_ / "secret", path_of("../secret"), path_of("C:secret"), path_of("")}) {
    EXPECT_EQ(read_file_below(folder_ / "templates", name, 100).error().code, Code::kInvalidArgument) << text_of(name);
  }
}

TEST_F(FilesWin32, FileThatIsTooLargeIsAnError) {
  ASSERT_TRUE(write_private_file(folder_ / "big", std::string(1000, 'x')));
  EXPECT_FALSE(read_file(folder_ / "big", 999));
  EXPECT_TRUE(read_file(folder_ / "big", 1000));
}

TEST_F(FilesWin32, ExistsTellsMissingFromUnknown) {
  EXPECT_EQ(os::exists(folder_).value(), true);
  EXPECT_EQ(os::exists(folder_ / "missing").value(), false);
  EXPECT_EQ(os::exists(folder_ / "missing" / "deeper").value(), false);
}

TEST_F(FilesWin32, StateDirectoryIsInTheUsersLocalFolder) {
  const auto before = environment_variable("LOCALAPPDATA");
  set_environment_variable("LOCALAPPDATA", text_of(folder_));
  EXPECT_EQ(state_directory(), folder_ / "DesktopAssist");
  set_environment_variable("LOCALAPPDATA", before.value_or(""));
}

}  // namespace
}  // namespace da::os
