#include "services/console/environment/environment_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <set>

#include "tests/temp_dir.h"

namespace da::console {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class EnvironmentFilesTest : public testing::Test {
 protected:
  void write(const std::filesystem::path& directory, const std::string& text, ::mode_t mode = 0600) {
    std::filesystem::create_directories(directory);
    const auto file = directory / ".env";
    std::ofstream(file) << text;
    ASSERT_EQ(::chmod(file.c_str(), mode), 0);
  }
  Result<TakenVariables> read(const std::vector<std::filesystem::path>& directories) {
    return read_environment_files(directories, [this](const std::string& name) { return set_.contains(name); });
  }
  std::string error() {
    const auto taken = read({here_});
    return taken ? "" : taken.error().message;
  }

  const da::test::TempDir directory_;
  const std::filesystem::path here_ = directory_.path() / "here";
  const std::filesystem::path profile_ = directory_.path() / "profile";
  std::set<std::string> set_;  // Variables of the real environment.
};

TEST_F(EnvironmentFilesTest, OnlyKeysAndAppEnvAreTaken) {
  write(here_,
        "GEMINI_API_KEY=key-1\nAPP_ENV=testing\nLD_PRELOAD=/tmp/x.so\nPATH=/tmp\nDA_BASE_URL=http://evil\n"
        "DA_SECRET_MAIL=x\nDESKTOPASSIST_LOG_LEVEL=off\nhttps_proxy=http://evil\nXDG_CONFIG_HOME=/tmp\nHOME=/tmp\n");
  const auto taken = read({here_});
  ASSERT_TRUE(taken) << taken.error().message;
  ASSERT_EQ(taken->variables.size(), 2u);
  EXPECT_EQ(taken->variables.at("GEMINI_API_KEY").value, "key-1");
  EXPECT_EQ(taken->variables.at("APP_ENV").value, "testing");
  EXPECT_THAT(taken->notes, testing::Contains(HasSubstr("GEMINI_API_KEY is from ")));
  EXPECT_THAT(taken->notes, testing::Contains(HasSubstr("\"DA_BASE_URL\" is not taken from a .env file")));
  for (const std::string& note : taken->notes) EXPECT_THAT(note, Not(HasSubstr("key-1")));
}

TEST_F(EnvironmentFilesTest, AMistypedNameIsReportedWithTheNearest) {
  write(here_, "GEMINI_API_KYE=x\nUNRELATED=1\n");
  const auto taken = read({here_});
  ASSERT_TRUE(taken);
  EXPECT_THAT(taken->variables, IsEmpty());
  ASSERT_EQ(taken->notes.size(), 1u);
  EXPECT_THAT(taken->notes.front(), HasSubstr(":1: \"GEMINI_API_KYE\""));
  EXPECT_THAT(taken->notes.front(), HasSubstr("did you mean \"GEMINI_API_KEY\"?"));
}

TEST_F(EnvironmentFilesTest, TheRealEnvironmentWinsThenTheWorkingDirectory) {
  write(here_, "GEMINI_API_KEY=here\nOPENAI_API_KEY=here\n");
  write(profile_, "GEMINI_API_KEY=profile\nANTHROPIC_API_KEY=profile\nAPP_ENV=testing\n");
  set_ = {"OPENAI_API_KEY"};
  const auto taken = read({here_, profile_});
  ASSERT_TRUE(taken) << taken.error().message;
  EXPECT_EQ(taken->variables.at("GEMINI_API_KEY").value, "here");
  EXPECT_EQ(taken->variables.at("ANTHROPIC_API_KEY").value, "profile");
  EXPECT_EQ(taken->variables.at("APP_ENV").value, "testing");
  EXPECT_FALSE(taken->variables.contains("OPENAI_API_KEY"));
}

TEST_F(EnvironmentFilesTest, AKeyThatOthersCanReadIsRefusedWithTheCommandThatMendsIt) {
  for (const ::mode_t mode : {0640u, 0604u, 0644u, 0660u, 0666u}) {
    write(here_, "OPENAI_API_KEY=hunter2\n", mode);
    EXPECT_THAT(error(), HasSubstr("only you may read and write it: chmod 600 " + here_.string() + "/.env")) << mode;
    EXPECT_THAT(error(), HasSubstr("--no-env-file ignores it"));
    EXPECT_THAT(error(), Not(HasSubstr("hunter2")));
  }
}

TEST_F(EnvironmentFilesTest, AFileThatCannotBeReadIsRefusedWithTheFlagThatIgnoresIt) {
  for (const char* text : {"no entry\n", "GEMINI_API_KEY=hunter2$A\n", "A=\"hunter2\n"}) {
    write(here_, text);
    EXPECT_THAT(error(), HasSubstr("; --no-env-file ignores it")) << text;
    EXPECT_THAT(error(), Not(HasSubstr("hunter2"))) << text;
  }
}

TEST_F(EnvironmentFilesTest, AFileThatOthersCanWriteSetsNothing) {
  write(here_, "APP_ENV=production\n", 0664);
  EXPECT_THAT(error(), HasSubstr("can be written by others: chmod go-w "));
  write(here_, "APP_ENV=production\n", 0644);
  EXPECT_EQ(error(), "");
}

TEST_F(EnvironmentFilesTest, AFileOfAnotherUserIsRefused) {
  const os::FileRights others{.is_own = false, .others_may_read = false, .others_may_write = false};
  for (const bool has_key : {true, false}) {
    const auto checked = check_rights(others, has_key, "/a b/.env");
    ASSERT_FALSE(checked);
    EXPECT_THAT(checked.error().message, HasSubstr("belongs to another user"));
    EXPECT_THAT(checked.error().message, HasSubstr("sudo chown \"$(id -un)\" '/a b/.env' && chmod 600 '/a b/.env'"));
  }
  if (::geteuid() != 0) return;  // Only root can give a file away.
  write(here_, "GEMINI_API_KEY=hunter2\n");
  ASSERT_EQ(::chown((here_ / ".env").c_str(), 12345, 12345), 0);
  EXPECT_THAT(error(), HasSubstr("belongs to another user"));
}

TEST_F(EnvironmentFilesTest, TheFileOfAnotherProgramIsIgnoredWhateverItsMode) {
  write(here_, "DATABASE_URL=postgres://u:p@h/d\nSTRIPE_KEY=\"a\nb\"\n", 0666);
  const auto taken = read({here_});
  ASSERT_TRUE(taken) << taken.error().message;
  EXPECT_THAT(taken->variables, IsEmpty());
  EXPECT_THAT(taken->notes, IsEmpty());
}

TEST_F(EnvironmentFilesTest, AKeyThatTheRealEnvironmentHasNeedsNoMode) {
  write(here_, "GEMINI_API_KEY=x\n", 0666);
  set_ = {"GEMINI_API_KEY"};
  EXPECT_EQ(error(), "");
}

TEST_F(EnvironmentFilesTest, LinksAndPipesAreRefusedAndADirectoryIsIgnored) {
  write(profile_, "GEMINI_API_KEY=x\n");
  std::filesystem::create_directories(here_);
  std::filesystem::create_symlink(profile_ / ".env", here_ / ".env");
  EXPECT_THAT(error(), HasSubstr("it is a link"));
  std::filesystem::remove(here_ / ".env");
  ASSERT_EQ(::mkfifo((here_ / ".env").c_str(), 0600), 0);
  EXPECT_THAT(error(), HasSubstr("is not a file"));
  std::filesystem::remove(here_ / ".env");
  std::filesystem::create_directories(here_ / ".env");  // A virtual environment of Python.
  EXPECT_EQ(error(), "");
}

TEST_F(EnvironmentFilesTest, AHugeFileIsRefused) {
  write(here_, std::string(10 << 20, 'A'));
  EXPECT_THAT(error(), HasSubstr("larger than 65536 bytes"));
}

TEST_F(EnvironmentFilesTest, AKeyIsOneWordAndNothingIsSubstituted) {
  for (const char* value : {"two words", "$(cat key)", "`cat key`", "${OTHER}", "'line\nbreak'", "schlüssel"}) {
    write(here_, "# a\nGEMINI_API_KEY=" + std::string(value) + "\n");
    EXPECT_THAT(error(), HasSubstr(".env:2: GEMINI_API_KEY is no key")) << value;
  }
}

TEST_F(EnvironmentFilesTest, ANameThatIsSetTwiceIsAnError) {
  write(here_, "GEMINI_API_KEY=a\n\nGEMINI_API_KEY=b\n");
  EXPECT_THAT(error(), HasSubstr(".env:3: GEMINI_API_KEY is already set in line 1"));
}

TEST_F(EnvironmentFilesTest, ADirectoryIsReadOnce) {
  write(here_, "GEMINI_API_KEY=a\n");
  const auto taken = read({here_, here_ / "." / "../here"});
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->notes.size(), 1u);
}

}  // namespace
}  // namespace da::console
