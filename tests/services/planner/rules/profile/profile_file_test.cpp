#include "services/planner/rules/profile/profile_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/services/planner/rules/profile_files.h"
#include "tests/temp_dir.h"

namespace da::planner::rules {
namespace {

using testing::HasSubstr;

constexpr const char* kPng = "\x89PNG\r\n\x1a\nthe rest";

class ProfileFileTest : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& content) {
    ASSERT_TRUE(os::make_private_directory((directory_.path() / name).parent_path()));
    ASSERT_TRUE(os::write_private_file(directory_.path() / name, content));
  }
  std::string problems() {
    const auto read = load_profile(directory_.path() / "p.json");
    return read ? problems_of(*read) : read.error().message;
  }
  const da::test::TempDir directory_;
};

TEST_F(ProfileFileTest, SavingKeepsEverythingAlsoWhatIsUnknown) {
  for (const char* name : {"editor_all_conditions", "file_compound", "all_actions", "empty", "additions"}) {
    auto read = read_profile(example(name));
    read.document["notes_of_mine"] = {{"b", 1.25}, {"a", "ü"}};
    const auto path = directory_.path() / name;
    ASSERT_TRUE(save_profile(path, read.document)) << name;
    const auto saved = os::read_file(path);
    ASSERT_TRUE(saved);
    const auto again = read_profile(*saved);
    EXPECT_TRUE(again.profile) << name;
    EXPECT_EQ(again.document.dump(), read.document.dump()) << name;
    ASSERT_TRUE(save_profile(path, again.document));
    EXPECT_EQ(*os::read_file(path), *saved) << name;
  }
}

TEST_F(ProfileFileTest, SavingKeepsTheIndentationOfTheFile) {
  write("p.json", "{\n    \"rules\": []\n}\n");
  auto read = read_profile("{\"rules\": [], \"regions\": []}");
  ASSERT_TRUE(save_profile(directory_.path() / "p.json", read.document));
  EXPECT_EQ(*os::read_file(directory_.path() / "p.json"), "{\n    \"rules\": [],\n    \"regions\": []\n}\n");
}

TEST_F(ProfileFileTest, AnInvalidProfileIsNotSaved) {
  write("p.json", "{\"rules\": []}");
  const auto saved = save_profile(directory_.path() / "p.json", {{"rules", 7}});
  ASSERT_FALSE(saved);
  EXPECT_THAT(saved.error().message, HasSubstr("p.json:2:12: error: rules must be a list"));
  EXPECT_EQ(*os::read_file(directory_.path() / "p.json"), "{\"rules\": []}");
}

TEST_F(ProfileFileTest, FilesOfTemplatesAreChecked) {
  write("templates/ok.png", kPng);
  write("templates/text.png", "no picture");
  write("templates/large.png", kPng + std::string(kMaxTemplateBytes, 'x'));
  const auto with_file = [&](const std::string& file) {
    write("p.json", "{\"templates\": [\n{\"name\": \"t\", \"filename\": \"" + file + "\"}]}");
    return problems();
  };
  EXPECT_EQ(with_file("ok.png"), "");
  EXPECT_THAT(with_file("none.png"), HasSubstr("2:27: error: the template's file cannot be used: "));
  EXPECT_THAT(with_file("text.png"), HasSubstr("text.png is neither a PNG nor a JPEG file"));
  EXPECT_THAT(with_file("large.png"), HasSubstr("error: the template's file cannot be used: "));
  EXPECT_THAT(with_file("../p.json"), HasSubstr("is not a file of the folder templates/"));
}

TEST_F(ProfileFileTest, NameOfAMissingTemplateIsEscaped) {
  write("p.json", R"({"templates": [{"name": "t", "filename": "\u001b[31mred.png"}]})");
  EXPECT_THAT(problems(), HasSubstr("\\x1b[31mred.png"));
  EXPECT_THAT(problems(), testing::Not(HasSubstr("\x1b")));
  write("templates/\x1b[31mred.png", "no picture");
  EXPECT_THAT(problems(), HasSubstr("\\x1b[31mred.png is neither"));
  EXPECT_THAT(problems(), testing::Not(HasSubstr("\x1b")));
}

TEST_F(ProfileFileTest, TemplateThatIsNoRegularFileIsRefusedAndNotWaitedFor) {
  write("templates/ok.png", kPng);
  write("p.json", R"({"templates": [{"name": "t", "filename": "device.png"}]})");
  std::filesystem::create_symlink("/dev/null", directory_.path() / "templates/device.png");
  ASSERT_THAT(problems(), HasSubstr("device.png: there is a link on the way"));
  write("p.json", R"({"templates": [{"name": "t", "filename": "pipe.png"}]})");
  ASSERT_EQ(::mkfifo((directory_.path() / "templates/pipe.png").c_str(), 0600), 0);
  EXPECT_THAT(problems(), HasSubstr("pipe.png is not a file"));
}

TEST_F(ProfileFileTest, AMissingFileIsAnError) { EXPECT_THAT(problems(), HasSubstr("p.json")); }

}  // namespace
}  // namespace da::planner::rules
