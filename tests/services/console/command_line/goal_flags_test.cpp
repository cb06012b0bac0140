#include "services/console/command_line/goal_flags.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace da::console {
namespace {

using testing::HasSubstr;

class GoalFlagsTest : public testing::Test {
 protected:
  GoalFlagsTest() {
    app_.add_option("--config", config_);
    app_.add_flag("--json", json_);
    app_.add_subcommand("status")->fallthrough();
    app_.add_subcommand("stdio")->fallthrough();
    app_.add_subcommand("run")->fallthrough();
    add_goal_flags(app_, flags_);
  }

  std::string stdio_problem(const std::vector<std::string>& arguments) {
    check_ = stdio_contradiction;
    return problem(arguments);
  }

  std::string run_problem(const std::vector<std::string>& arguments) {
    check_ = run_contradiction;
    return problem(arguments);
  }

  // Empty if there is no error.
  std::string problem(std::vector<std::string> arguments) {
    std::ranges::reverse(arguments);  // CLI11 takes them in reverse order.
    try {
      app_.parse(arguments);
    } catch (const CLI::ParseError& error) {
      return usage_problem(app_, error);
    }
    return check_(app_, flags_).value_or("");
  }

  CLI::App app_{"test", "test"};
  GoalFlags flags_;
  std::string config_;
  bool json_ = false;
  std::optional<std::string> (*check_)(const CLI::App&, const GoalFlags&) = contradiction;
};

TEST_F(GoalFlagsTest, AFlagThatIsGivenTwiceIsAnError) {
  EXPECT_EQ(problem({"--goal", "a", "--goal", "b"}), "--goal is given 2 times; give it once");
  EXPECT_EQ(problem({"--goal", "a", "--max-steps", "1", "--max-steps", "2"}),
            "--max-steps is given 2 times; give it once");
  EXPECT_EQ(problem({"--goal", "a", "--dry-run", "--dry-run"}), "--dry-run is given 2 times; give it once");
}

TEST_F(GoalFlagsTest, RunTakesTheFlagsThatDoNotSayHowAModelPlans) {
  EXPECT_EQ(
      run_problem({"run",     "--unlock-writes", "--desktop",  "fake",     "--max-steps", "5",         "--set",
                   "a=b",     "--dry-run",       "--secrets",  "s.toml",   "--json",      "--planner", "openai",
                   "--model", "gpt-5",           "--base-url", "http://x", "--max-calls", "9",         "--max-cost",
                   "1",       "--price",         "gpt-5 1 1 1"}),
      "");
  EXPECT_THAT(run_problem({"run", "--planner", "plain"}), HasSubstr("--planner plain has no model"));
  const std::vector<std::vector<std::string>> refused = {
      {"--suggest", "3"}, {"--text-only"}, {"--overlay", "grid"}, {"--max-turns", "3"}};
  for (auto flags : refused) {
    flags.insert(flags.begin(), "run");
    EXPECT_THAT(run_problem(flags), HasSubstr("in `run` the rules of the profile decide")) << flags[1];
  }
}

TEST_F(GoalFlagsTest, StdioTakesTheFlagsThatDoNotDependOnAGoal) {
  EXPECT_EQ(
      stdio_problem({"stdio", "--unlock-writes", "--desktop", "fake", "--max-steps", "5", "--time-limit", "5m",
                     "--allow-tools", "ui_click", "--no-recording", "-v", "--log-file", "x.log", "--step-pause", "5"}),
      "");
  const std::vector<std::vector<std::string>> refused = {
      {"--set", "a=b"},      {"--dry-run"},         {"--planner", "openai"},
      {"--model", "x"},      {"--suggest", "3"},    {"--json"},
      {"--text-only"},       {"--max-turns", "3"},  {"--max-cost", "3", "--price", "m 1 1 1"},
      {"--overlay", "grid"}, {"--model-calls", "f"}};
  for (std::vector<std::string> arguments : refused) {
    const std::string flag = arguments.front();
    arguments.insert(arguments.begin(), "stdio");
    EXPECT_EQ(stdio_problem(arguments), flag + " is for a goal; `stdio` takes its steps from stdin");
  }
  EXPECT_THAT(stdio_problem({"stdio", "--quiet", "--verbose"}), HasSubstr("exclude each other"));
}

TEST_F(GoalFlagsTest, ListFlagsMayBeRepeated) {
  EXPECT_EQ(
      problem({"--goal", "a", "--set", "a=1", "--set", "b=2", "--allow-tools", "write", "--allow-tools", "press"}), "");
  EXPECT_EQ(flags_.variables.size(), 2u);
  EXPECT_EQ(flags_.options.allowed_tools.size(), 2u);
}

TEST_F(GoalFlagsTest, FlagsThatContradictEachOtherAreAnError) {
  const std::vector<std::vector<std::string>> pairs = {{"--goal", "a", "--goal-file", "b"},
                                                       {"--text-only", "--overlay", "grid"},
                                                       {"--quiet", "--verbose"},
                                                       {"--quiet", "--json"},
                                                       {"--config", "x", "--rules", "y"},
                                                       {"--config", "x", "--max-turns", "3"},
                                                       {"--planner", "plain", "--model", "x"},
                                                       {"--planner", "plain", "--max-turns", "3"},
                                                       {"--planner", "openai", "--model-calls", "x"},
                                                       {"--config", "x", "--log-file", "y"},
                                                       {"--config", "x", "--step-pause", "5"},
                                                       {"--planner", "plain", "--suggest", "3"},
                                                       {"--planner", "plain", "--schema", "flat"},
                                                       {"--journal", "x"}};
  for (const auto& arguments : pairs) {
    EXPECT_NE(problem(arguments), "") << arguments.front();
    EXPECT_EQ(problem({arguments.begin(), arguments.begin() + 1 + (arguments[1].starts_with("--") ? 0 : 1)}) == "",
              arguments.front() != "--journal")
        << arguments.front();
  }
}

TEST_F(GoalFlagsTest, FlagsOfSettingsAreCheckedLikeTheFile) {
  EXPECT_THAT(problem({"--goal", "a", "--overlay", "gird"}), HasSubstr("did you mean \"grid\"?"));
  EXPECT_THAT(problem({"--goal", "a", "--max-turns", "0"}), HasSubstr("a whole number from 1 to"));
  EXPECT_THAT(problem({"--goal", "a", "--base-url", "ftp://x"}), HasSubstr("must begin with http://"));
  EXPECT_THAT(problem({"--goal", "a", "--price", "gpt-5 one"}), HasSubstr("MODEL INPUT CACHED OUTPUT"));
}

TEST_F(GoalFlagsTest, EverySettingHasAFlagThatGivesIt) {
  for (const Setting& setting : all_settings()) {
    const CLI::Option* option = app_.get_option_no_throw(setting.flag);
    ASSERT_NE(option, nullptr) << setting.name;
    EXPECT_THAT(option->get_description(),
                HasSubstr(setting.flag_meaning == nullptr ? setting.meaning : setting.flag_meaning));
  }
  EXPECT_EQ(problem({"--goal", "a", "--text-only", "--max-calls", "7", "--price", "m 1 1 1", "--price", "n 2 2 2"}),
            "");
  EXPECT_EQ(flags_.settings["images"], std::vector<std::string>{"false"});
  EXPECT_EQ(flags_.settings["budget_calls"], std::vector<std::string>{"7"});
  EXPECT_EQ(flags_.settings["prices"], (std::vector<std::string>{"m 1 1 1", "n 2 2 2"}));
  EXPECT_TRUE(flags_.settings["max_turns"].empty());
}

TEST_F(GoalFlagsTest, AnUnknownToolIsAnErrorThatNamesTheNearest) {
  EXPECT_THAT(problem({"--goal", "a", "--allow-tools", "write,pres"}), HasSubstr("did you mean \"press\"?"));
}

TEST_F(GoalFlagsTest, UnknownFlagsAndCommandsNameTheNearest) {
  EXPECT_THAT(problem({"--gaol", "a"}), HasSubstr("there is no flag \"--gaol\" (did you mean \"--goal\"?)"));
  EXPECT_THAT(problem({"statsu"}), HasSubstr("there is no command \"statsu\" (did you mean \"status\"?)"));
  EXPECT_THAT(problem({"status", "--conifg=x"}), HasSubstr("did you mean \"--config\"?"));
}

}  // namespace
}  // namespace da::console
