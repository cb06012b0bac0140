#include "services/console/profile_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "lib/base/id.h"
#include "lib/contract/profile_goal.h"

namespace da::console {
namespace {

using testing::HasSubstr;

class ProfileFilesTest : public testing::Test {
 protected:
  ProfileFilesTest() { std::filesystem::create_directories(folder_ / "templates/sub"); }
  ~ProfileFilesTest() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& name, const std::string& content) { std::ofstream(folder_ / name) << content; }

  std::vector<std::string> sent_for(const std::string& profile) {
    write("p.json", profile);
    const auto run = read_profile_files(folder_ / "p.json");
    EXPECT_TRUE(run) << (run ? "" : run.error().message);
    std::vector<std::string> files;
    for (const auto& file : run->templates()) files.push_back(file.filename() + "=" + file.content());
    return files;
  }

  const std::filesystem::path folder_ = std::filesystem::temp_directory_path() / ("profile-files-" + random_hex(8));
};

TEST_F(ProfileFilesTest, SendsTheTextAndTheNamedPicturesOnly) {
  write("templates/a.png", "A");
  write("templates/sub/b.png", "B");
  write("templates/unused.png", "C");
  EXPECT_THAT(sent_for(R"({"templates":[{"name":"a","filename":"a.png"}],
                           "rules":[{"condition":{"sub_conditions":[{"template_filename":"sub/b.png"}]}}]})"),
              testing::ElementsAre("a.png=A", "sub/b.png=B"));
  const auto run = read_profile_files(folder_ / "p.json");
  EXPECT_EQ(run->name(), "p.json");
  EXPECT_THAT(run->text(), HasSubstr("sub_conditions"));
}

TEST_F(ProfileFilesTest, NamesThatLeaveTheFolderAreNotRead) {
  write("secret.png", "S");
  EXPECT_THAT(sent_for(R"({"templates":[{"filename":"../secret.png"},{"filename":"sub/../../secret.png"},
                                         {"filename":")" +
                       (folder_ / "secret.png").string() + R"("},{"filename":""}]})"),
              testing::IsEmpty());
}

TEST_F(ProfileFilesTest, MissingFilesAndFoldersAreLeftOut) {
  EXPECT_THAT(sent_for(R"({"templates":[{"filename":"none.png"},{"filename":"sub"}]})"), testing::IsEmpty());
}

TEST_F(ProfileFilesTest, MalformedTextIsSentForThePlannersError) {
  EXPECT_THAT(sent_for("{"), testing::IsEmpty());
  EXPECT_THAT(sent_for(std::string(100'000, '[')), testing::IsEmpty());
}

TEST_F(ProfileFilesTest, TooLargeFilesAreRefused) {
  write("templates/a.png", std::string(4 << 20, 'a'));
  write("templates/b.png", std::string(4 << 20, 'b'));
  write("p.json", R"({"templates":[{"filename":"a.png"},{"filename":"b.png"}]})");
  const auto run = read_profile_files(folder_ / "p.json");
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().code, Code::kInvalidArgument);
  EXPECT_THAT(run.error().message, HasSubstr("more than"));
  write("p.json", std::string(contract::kMaxProfileBytes + 1, ' '));
  EXPECT_FALSE(read_profile_files(folder_ / "p.json"));
}

TEST_F(ProfileFilesTest, MissingProfileIsBadUsage) {
  const auto run = read_profile_files(folder_ / "none.json");
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().code, Code::kInvalidArgument);
}

}  // namespace
}  // namespace da::console
