#include "services/planner/rules/edit/add_entry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>

#include "services/planner/rules/profile/profile_file.h"
#include "tests/services/planner/rules/profile_files.h"
#include "tests/temp_dir.h"

namespace da::planner::rules {
namespace {

using testing::HasSubstr;

const std::string kPng = "\x89PNG\r\n\x1a\nthe rest";

class AddEntry : public testing::Test {
 protected:
  AddEntry() { write("p.json", "{\"templates\": [], \"rules\": []}"); }
  void write(const std::string& name, const std::string& content) {
    std::filesystem::create_directories(path(name).parent_path());
    ASSERT_TRUE(os::write_private_file(path(name), content));
  }
  std::filesystem::path path(const std::string& name) const { return directory_.path() / name; }
  std::string content(const std::string& name) const { return os::read_file(path(name)).value_or("missing"); }
  Result<AddedEntry> add(const std::string& name, const std::string& picture = kPng,
                         SameName same_name = SameName::kRefuse) {
    return add_entry(path("p.json"), {"templates", {{"name", name}}, same_name, picture});
  }
  const da::test::TempDir directory_;
};

TEST_F(AddEntry, ATemplateGetsAFileOfItsOwn) {
  write("templates/ok_button.png", "another profile's");
  const auto added = add("OK button / 1");
  ASSERT_TRUE(added) << added.error().message;
  EXPECT_EQ(added->picture, path("templates/OK_button_1.png"));
  EXPECT_EQ(content("templates/OK_button_1.png"), kPng);
  EXPECT_EQ(added->entry.dump(), R"({"name":"OK button / 1","filename":"OK_button_1.png"})");
  EXPECT_EQ(added->errors + added->warnings, 0U);
  const auto second = add("ok button");
  ASSERT_TRUE(second);
  EXPECT_EQ(second->entry["filename"], "ok_button_2.png");
  EXPECT_EQ(content("templates/ok_button.png"), "another profile's");
}

TEST_F(AddEntry, ReplacingATemplateReplacesItsFile) {
  ASSERT_TRUE(add("a"));
  const std::string profile = content("p.json");
  EXPECT_EQ(add("a", kPng + "2").error().code, Code::kAlreadyExists);
  EXPECT_EQ(content("templates/a.png"), kPng);
  const auto replaced = add("a", kPng + "2", SameName::kReplace);
  ASSERT_TRUE(replaced);
  EXPECT_EQ(content("templates/a.png"), kPng + "2");
  EXPECT_EQ(content("p.json"), profile);
}

TEST_F(AddEntry, AFileOutsideOfTheFolderIsNeverWritten) {
  write("mine.png", "mine");
  write("p.json", R"({"templates": [{"name": "a", "filename": "../mine.png"}], "rules": []})");
  const auto added = add("a", kPng, SameName::kReplace);
  ASSERT_TRUE(added) << added.error().message;
  EXPECT_EQ(added->entry["filename"], "a.png");
  EXPECT_EQ(content("mine.png"), "mine");
}

TEST_F(AddEntry, ALinkInTheFolderLeadsToNoOverwrittenFile) {
  write("mine.png", "mine");
  write("p.json", R"({"templates": [{"name": "a", "filename": "a.png"}], "rules": []})");
  std::filesystem::create_directory(path("templates"));
  std::filesystem::create_symlink(path("mine.png"), path("templates/a.png"));
  const auto added = add("a", kPng, SameName::kReplace);
  ASSERT_TRUE(added) << added.error().message;
  EXPECT_EQ(content("mine.png"), "mine");
  EXPECT_EQ(added->entry["filename"], "a_2.png");
  EXPECT_EQ(content("templates/a_2.png"), kPng);
}

TEST_F(AddEntry, NamesWithoutLettersGetAFileToo) {
  EXPECT_EQ(add("漢字")->entry["filename"], "template.png");
  EXPECT_EQ(add("..")->entry["filename"], "template_2.png");
  EXPECT_EQ(add(std::string(500, 'x'))->entry["filename"], std::string(60, 'x') + ".png");
}

TEST_F(AddEntry, APictureThatNoTemplateCanHaveIsRefused) {
  EXPECT_THAT(add("a", "GIF89a").error().message, HasSubstr("not a PNG file"));
  EXPECT_THAT(add("a", kPng + std::string(kMaxTemplateBytes, 'x')).error().message, HasSubstr("choose a smaller part"));
  EXPECT_FALSE(std::filesystem::exists(path("templates")));
}

// Simulates a full disk: the system refuses to write the profile, which is longer than the picture.
TEST_F(AddEntry, AProfileThatCannotBeReplacedLeavesThePictureAsItWas) {
  const std::string before = "{\"profile_description\": \"" + std::string(2000, 'x') + "\", \"rules\": []}";
  write("p.json", before);
  ASSERT_TRUE(add("old"));
  const std::string with_old = content("p.json");
  rlimit limit{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &limit), 0);
  rlimit small = limit;
  small.rlim_cur = 1000;
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const auto added = add("new");
  const auto replaced = add_entry(
      path("p.json"), {"templates", {{"name", "old"}, {"comment", "changed"}}, SameName::kReplace, kPng + "2"});
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
  std::signal(SIGXFSZ, handler);
  EXPECT_FALSE(added);
  EXPECT_FALSE(std::filesystem::exists(path("templates/new.png")));
  EXPECT_FALSE(replaced);
  EXPECT_EQ(content("templates/old.png"), kPng);
  EXPECT_EQ(content("p.json"), with_old);
}

TEST_F(AddEntry, CountsTheProblemsOfTheProfile) {
  write("p.json", R"({"rules": [{"region": "no", "condition": {"type": "always_true"}, "extra": 1,)"
                  R"( "action": {"type": "press_key", "key": "enter"}}]})");
  const auto added = add("a");
  ASSERT_TRUE(added) << added.error().message;
  EXPECT_EQ(added->errors, 1U);
  EXPECT_EQ(added->warnings, 1U);
}

}  // namespace
}  // namespace da::planner::rules
