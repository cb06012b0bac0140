#include "lib/os/files/file_descriptors.h"
#include "lib/os/files/files.h"

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

TEST_F(Files, PrivateFileIsReadableByOwnerOnly) {
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

TEST_F(Files, AFileBelowAFolderIsReadByItsRelativeNameOnly) {
  std::filesystem::create_directory(directory_ / "templates");
  ASSERT_TRUE(write_private_file(directory_ / "templates" / "a.png", "picture"));
  ASSERT_TRUE(write_private_file(directory_ / "secret", "secret"));
  EXPECT_EQ(read_file_below(directory_, "templates/a.png", 100).value(), "picture");
  EXPECT_EQ(read_file_below(directory_, "templates/a.png", 3).error().code, Code::kResourceExhausted);
  EXPECT_EQ(read_file_below(directory_, "templates/b.png", 100).error().code, Code::kNotFound);
  EXPECT_EQ(read_file_below(directory_, "templates", 100).error().code, Code::kInvalidArgument);
  const std::string absolute = (directory_ / "secret").string();
  for (const std::string& name : {std::string(), std::string("../secret"), std::string("x/../../secret"), absolute}) {
    EXPECT_EQ(read_file_below(directory_ / "templates", name, 100).error().code, Code::kInvalidArgument) << name;
  }
}

// Bug: a template that was a link made the console send a private file to the planner.
TEST_F(Files, AFileBelowAFolderIsNotReadThroughALink) {
  std::filesystem::create_directory(directory_ / "private");
  ASSERT_TRUE(write_private_file(directory_ / "private" / "key", "secret"));
  std::filesystem::create_directory(directory_ / "templates");
  std::filesystem::create_symlink(directory_ / "private" / "key", directory_ / "templates" / "file.png");
  std::filesystem::create_symlink(directory_ / "private", directory_ / "templates" / "folder");
  for (const char* name : {"file.png", "folder/key"}) {
    const auto read = read_file_below(directory_ / "templates", name, 100);
    ASSERT_FALSE(read) << name;
    EXPECT_EQ(read.error().code, Code::kPermissionDenied) << name;
    EXPECT_NE(read.error().message.find("there is a link on the way"), std::string::npos) << read.error().message;
  }
}

TEST_F(Files, APipeBelowAFolderIsNotWaitedFor) {
  ASSERT_EQ(::mkfifo((directory_ / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(read_file_below(directory_, "pipe", 100).error().code, Code::kInvalidArgument);
}

TEST_F(Files, SecretBehindLinkIsRefusedWithRefuseLinks) {
  ASSERT_TRUE(write_private_file(directory_ / "key", "secret"));
  std::filesystem::create_symlink(directory_ / "key", directory_ / "link");
  EXPECT_EQ(read_private_file(directory_ / "link").value(), "secret");
  const auto refused = read_private_file(directory_ / "link", Links::kRefuse);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::kPermissionDenied);
  EXPECT_EQ(read_private_file(directory_ / "key", Links::kRefuse).value(), "secret");
}

TEST_F(Files, PipeInPlaceOfSecretIsRefusedWithoutBlocking) {
  ASSERT_EQ(::mkfifo((directory_ / "pipe").c_str(), 0600), 0);
  EXPECT_FALSE(read_private_file(directory_ / "pipe"));
  EXPECT_FALSE(read_trusted_file(directory_ / "pipe", 1000));
}

TEST_F(Files, AppendingNeedsPrivateFile) {
  const auto path = directory_ / "log";
  for (const char* text : {"one\n", "two\n"}) {
    const auto fd = open_private_to_append(path);
    ASSERT_TRUE(fd);
    ASSERT_TRUE(write_all(fd->get(), text, path));
  }
  EXPECT_EQ(read_private_file(path).value(), "one\ntwo\n");
  std::filesystem::create_symlink(path, directory_ / "link");
  EXPECT_FALSE(open_private_to_append(directory_ / "link"));
  ASSERT_EQ(::mkfifo((directory_ / "pipe").c_str(), 0600), 0);
  EXPECT_FALSE(open_private_to_append(directory_ / "pipe"));
  ::chmod(path.c_str(), 0640);
  const auto refused = open_private_to_append(path);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::kPermissionDenied);
}

TEST_F(Files, TrustedFileThatOthersCanWriteIsRefused) {
  ASSERT_TRUE(write_private_file(directory_ / "file", "known"));
  ::chmod((directory_ / "file").c_str(), 0644);
  EXPECT_EQ(read_trusted_file(directory_ / "file", 1000).value(), "known");
  for (const mode_t mode : {0664U, 0646U}) {
    ::chmod((directory_ / "file").c_str(), mode);
    const auto read = read_trusted_file(directory_ / "file", 1000);
    ASSERT_FALSE(read) << std::oct << mode;
    EXPECT_EQ(read.error().code, Code::kPermissionDenied);
  }
  EXPECT_TRUE(read_trusted_file("/etc/passwd", 1 << 20)) << "root's own";
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

TEST_F(Files, RuntimeDirectoryIsAnotherOneWhileSomebodyElseHasItsName) {
  const auto own = directory_ / "home/run";
  const auto named = directory_ / ("desktopassist-" + std::to_string(::geteuid()));
  EXPECT_EQ(runtime_directory_in(directory_, own), named) << "nobody has taken it";
  std::filesystem::create_directory(named);
  EXPECT_EQ(runtime_directory_in(directory_, own), named) << "it is ours";
  std::filesystem::remove(named);
  std::filesystem::create_symlink("/", named);
  EXPECT_EQ(runtime_directory_in(directory_, own), own) << "a link may lead anywhere";
  EXPECT_EQ(runtime_directory_in(directory_, ""), named) << "there is no home";
  std::filesystem::create_directories(own);
  std::filesystem::remove(named);
  EXPECT_EQ(runtime_directory_in(directory_, own), own) << "runs may have their directories there";
}

}  // namespace
}  // namespace da::os
