#include "lib/os/files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "lib/base/id.h"

namespace da::os {
namespace {

class Files : public testing::Test {
 protected:
  Files() : directory_(std::filesystem::temp_directory_path() / ("da-files-" + random_hex(6))) {
    std::filesystem::create_directory(directory_);
  }
  ~Files() override { std::filesystem::remove_all(directory_); }
  const std::filesystem::path directory_;
};

TEST_F(Files, PrivateFileIsReadableByItsOwnerAlone) {
  ASSERT_TRUE(write_private_file(directory_ / "key", "secret"));
  struct stat info {};
  ASSERT_EQ(::stat((directory_ / "key").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600U);
  EXPECT_EQ(read_private_file(directory_ / "key").value(), "secret");
}

TEST_F(Files, SecretThatOthersMayReadIsRefused) {
  ASSERT_TRUE(write_private_file(directory_ / "key", "secret"));
  ::chmod((directory_ / "key").c_str(), 0644);
  const auto read = read_private_file(directory_ / "key");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, Code::kPermissionDenied);
}

TEST_F(Files, PrivateDirectoryThatOthersMayEnterIsRefused) {
  std::filesystem::create_directory(directory_ / "open");
  ::chmod((directory_ / "open").c_str(), 0755);
  EXPECT_FALSE(make_private_directory(directory_ / "open"));
  EXPECT_TRUE(make_private_directory(directory_ / "new"));
  EXPECT_TRUE(make_private_directory(directory_ / "new"));
}

TEST_F(Files, LinkInPlaceOfAPrivateDirectoryIsRefused) {
  std::filesystem::create_directory(directory_ / "target");
  ::chmod((directory_ / "target").c_str(), 0700);
  std::filesystem::create_symlink(directory_ / "target", directory_ / "link");
  EXPECT_FALSE(make_private_directory(directory_ / "link"));
}

TEST_F(Files, FileThatIsTooLargeIsAnError) {
  ASSERT_TRUE(write_private_file(directory_ / "big", std::string(1000, 'x')));
  EXPECT_FALSE(read_file(directory_ / "big", 999));
  EXPECT_TRUE(read_file(directory_ / "big", 1000));
}

}  // namespace
}  // namespace da::os
