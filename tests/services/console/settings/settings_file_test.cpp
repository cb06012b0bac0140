#include "services/console/settings/settings_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <thread>

#include "lib/os/files/files.h"
#include "tests/temp_dir.h"

namespace da::console {
namespace {

using testing::HasSubstr;

std::string set(const std::string& text, const std::string& name, const SettingValue& value) {
  const auto changed = with_setting(text, "s.toml", name, value);
  return changed ? *changed : "error: " + changed.error().message;
}

std::string unset(const std::string& text, const std::string& name) {
  const auto changed = without_setting(text, "s.toml", name);
  return changed ? *changed : "error: " + changed.error().message;
}

std::string problem(const std::string& text) {
  const auto values = parse_settings(text, "s.toml");
  return values ? "" : values.error().message;
}

TEST(SettingsFile, ValuesHaveTheTypesOfTheTable) {
  const auto values = parse_settings(
      "max_turns = 5\nbudget_money = 2\nimages = false\ntime_limit = \"10m\"\noverlay = \"marks\"\nprices = [\"m 1 1 "
      "1\"]",
      "s.toml");
  ASSERT_TRUE(values) << values.error().message;
  EXPECT_EQ(values->at("max_turns"), SettingValue(std::int64_t{5}));
  EXPECT_EQ(values->at("budget_money"), SettingValue(2.0));
  EXPECT_EQ(values->at("images"), SettingValue(false));
  EXPECT_EQ(values->at("time_limit"), SettingValue(std::string("10m")));
  EXPECT_EQ(values->at("prices"), SettingValue(std::vector<std::string>{"m 1 1 1"}));
}

TEST(SettingsFile, ErrorsHaveAPositionAndASuggestion) {
  EXPECT_THAT(problem("a = \n"), HasSubstr("s.toml:1:"));
  EXPECT_THAT(problem("\nmax_turn = 5"),
              HasSubstr("s.toml:2:1: there is no setting \"max_turn\" (did you mean \"max_turns\"?)"));
  EXPECT_THAT(problem("max_turns = \"5\""), HasSubstr("s.toml:1:13: max_turns must be a whole number from 1 to"));
  EXPECT_THAT(problem("max_turns = 0"), HasSubstr("\"0\" is not a whole number from 1 to"));
  EXPECT_THAT(problem("max_turns = 4294967297"), HasSubstr("is not a whole number"));
  EXPECT_THAT(problem("max_turns = 5.0"), HasSubstr("must be a whole number"));
  EXPECT_THAT(problem("budget_money = nan"), HasSubstr("is not a number above 0"));
  EXPECT_THAT(problem("budget_money = -1"), HasSubstr("is not a number above 0"));
  EXPECT_THAT(problem("overlay = \"gird\""), HasSubstr("is not grid, marks, both or none (did you mean \"grid\"?)"));
  EXPECT_THAT(problem("images = 1"), HasSubstr("must be true or false"));
  EXPECT_THAT(problem("time_limit = \"soon\""), HasSubstr("is not a duration"));
  EXPECT_THAT(problem("prices = \"m 1 1 1\""), HasSubstr("must be a list of texts"));
  EXPECT_THAT(problem("prices = [\"m 1 1\"]"), HasSubstr("MODEL INPUT CACHED OUTPUT"));
  EXPECT_THAT(problem("prices = [1]"), HasSubstr("must be a list of texts"));
  EXPECT_THAT(problem("base_url = \"file:///etc/passwd\""), HasSubstr("must begin with http:// or https://"));
  EXPECT_THAT(problem("base_url = \"https://u:p@host/\""), HasSubstr("must not contain a user or a password"));
  EXPECT_THAT(problem("proxy = \"socks5h://u:p@host\""), HasSubstr("must not contain a user or a password"));
  EXPECT_THAT(problem("model = \"\""), HasSubstr("1 to 4096 bytes"));
  EXPECT_THAT(problem("model = \"a\\u001b[2J\""), HasSubstr("without control characters"));
  EXPECT_THAT(problem("GEMINI_API_KEY = \"x\""), HasSubstr("a key is not a setting"));
  EXPECT_THAT(problem("max-calls = 5"), HasSubstr("the setting of --max-calls is budget_calls"));
  EXPECT_THAT(problem("rules = \"x\""), HasSubstr("there is no setting \"rules\""));
  EXPECT_THAT(problem("unlock_writes = true"), HasSubstr("there is no setting"));
  EXPECT_THAT(problem("[planner]\nmax_turns = 5"), HasSubstr("planner must be a text"));
  EXPECT_THAT(problem("[policy]\nrules = \"x\""), HasSubstr("s.toml:1:2: there is no setting \"policy\""));
  EXPECT_THAT(problem(std::string(300'000, '#')), HasSubstr("has more than 262144 bytes"));
  EXPECT_NE(problem("[[#"), "");  // toml++ 3.3 fails an assertion on it.
  EXPECT_NE(problem("a = \xff"), "");
  EXPECT_NE(problem("max_turns = 1\nmax_turns = 2"), "");
}

TEST(SettingsFile, SetKeepsCommentsAndOtherLines) {
  const std::string before =
      "# my settings\n\nmodel = \"größe\" # é\nmax_turns   =  5   # five\nprices = [\n  \"m 1 1 1\", # m\n]\n# end";
  EXPECT_EQ(
      set(before, "max_turns", std::int64_t{20}),
      "# my settings\n\nmodel = \"größe\" # é\nmax_turns   =  20   # five\nprices = [\n  \"m 1 1 1\", # m\n]\n# end");
  EXPECT_EQ(set(before, "model", std::string("x")),
            "# my settings\n\nmodel = \"x\" # é\nmax_turns   =  5   # five\nprices = [\n  \"m 1 1 1\", # m\n]\n# end");
  EXPECT_EQ(set(before, "prices", std::vector<std::string>{"n 2 2 2"}),
            "# my settings\n\nmodel = \"größe\" # é\nmax_turns   =  5   # five\nprices = [\"n 2 2 2\"]\n# end");
  EXPECT_EQ(set(before, "images", false), before + "\nimages = false\n");
  EXPECT_EQ(set("", "budget_money", 2.0), "budget_money = 2.0\n");
  EXPECT_EQ(set("max_turns = 5\r\nimages = true\r\n", "max_turns", std::int64_t{6}),
            "max_turns = 6\r\nimages = true\r\n");
  EXPECT_EQ(set("max_turns = 5", "images", true), "max_turns = 5\nimages = true\n");
  EXPECT_EQ(set("model = '''a'''\n", "model", std::string("b\"c")), "model = \"b\\\"c\"\n");
}

TEST(SettingsFile, SetRefusesAFileWithUnknownLines) {
  EXPECT_THAT(set("colour = \"red\"\n", "max_turns", std::int64_t{5}),
              HasSubstr("error: s.toml:1:1: there is no setting"));
  EXPECT_THAT(set("max_turns = \n", "max_turns", std::int64_t{5}), HasSubstr("error: s.toml:1:"));
}

TEST(SettingsFile, UnsetRemovesTheLinesOfOneName) {
  EXPECT_EQ(unset("# a\nmax_turns = 5 # five\nimages = true\n", "max_turns"), "# a\nimages = true\n");
  EXPECT_EQ(unset("prices = [\n  \"m 1 1 1\", # m\n]\nimages = true", "prices"), "images = true");
  EXPECT_EQ(unset("images = true\nmax_turns = 5", "max_turns"), "images = true\n");
  EXPECT_EQ(unset("colour = \"red\"\nimages = true\n", "colour"), "images = true\n");  // Also an unknown name.
  EXPECT_THAT(unset("images = true\n", "max_turns"), HasSubstr("\"max_turns\" is not set in s.toml"));
}

TEST(SettingsFile, WrittenSettingIsRead) {
  const std::pair<const char*, SettingValue> values[] = {{"max_turns", std::int64_t{7}},
                                                         {"budget_money", 0.1},
                                                         {"budget_money", 1e9},
                                                         {"images", false},
                                                         {"model", std::string("a \"b\" \\ ü")},
                                                         {"prices", std::vector<std::string>{"a 1 1 1", "b 2 2 2"}}};
  for (const auto& [name, value] : values) {
    const auto read = parse_settings(set("images = true\n", name, value), "s.toml");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->at(name), value) << name;
  }
}

class SettingsOnDisk : public testing::Test {
 protected:
  const da::test::TempDir directory_;
  const std::filesystem::path file_ = directory_.path() / "config/desktopassist/settings.toml";
};

TEST_F(SettingsOnDisk, AMissingFileIsCreatedWithMode0600) {
  EXPECT_TRUE(read_settings_file(file_)->empty());
  ASSERT_TRUE(set_in_file(file_, "max_turns", std::int64_t{5}));
  struct stat info {};
  ASSERT_EQ(::stat(file_.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
  EXPECT_EQ(read_settings_file(file_)->size(), 1u);
  ASSERT_TRUE(unset_in_file(file_, "max_turns"));
  EXPECT_TRUE(read_settings_file(file_)->empty());
}

TEST_F(SettingsOnDisk, AFileThatOthersCanWriteIsRefused) {
  ASSERT_TRUE(set_in_file(file_, "max_turns", std::int64_t{5}));
  ASSERT_EQ(::chmod(file_.c_str(), 0666), 0);
  EXPECT_THAT(read_settings_file(file_).error().message, HasSubstr("chmod go-w"));
  EXPECT_FALSE(set_in_file(file_, "max_turns", std::int64_t{6}));
}

TEST_F(SettingsOnDisk, APathBeginsAtTheFile) {
  ASSERT_TRUE(set_in_file(file_, "ca_file", std::string("ca.pem")));
  EXPECT_EQ(read_settings_file(file_)->at("ca_file"), SettingValue((file_.parent_path() / "ca.pem").string()));
}

TEST_F(SettingsOnDisk, ChangesAtTheSameTimeAreAllKept) {
  const char* names[] = {"max_turns", "budget_calls", "budget_tokens", "max_steps", "max_rate", "max_launches"};
  {
    std::vector<std::jthread> threads;
    for (const char* name : names) {
      threads.emplace_back([&, name] { EXPECT_TRUE(set_in_file(file_, name, std::int64_t{5})); });
    }
  }
  EXPECT_EQ(read_settings_file(file_)->size(), std::size(names));
}

TEST_F(SettingsOnDisk, AFailedChangeLeavesTheFileAsItWas) {
  ASSERT_TRUE(set_in_file(file_, "max_turns", std::int64_t{5}));
  std::ofstream(file_, std::ios::app) << "colour = 1\n";
  const std::string before = os::read_file(file_).value();
  EXPECT_FALSE(set_in_file(file_, "max_turns", std::int64_t{6}));
  EXPECT_EQ(os::read_file(file_).value(), before);
}

}  // namespace
}  // namespace da::console
