#include "services/console/settings/resolved_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace da::console {
namespace {

using testing::HasSubstr;

class ResolvedSettingsTest : public testing::Test {
 protected:
  ResolvedSettings resolve() {
    auto settings = resolve_settings(inputs());
    EXPECT_TRUE(settings) << settings.error().message;
    return *std::move(settings);
  }
  SettingInputs inputs() {
    const auto environment = [this](const std::string& name) -> std::optional<Variable> {
      const auto found = environment_.find(name);
      return found == environment_.end() ? std::nullopt : std::optional(Variable{found->second, ""});
    };
    return {flags_, environment, file_, "/c/settings.toml"};
  }
  ResolvedSetting get(std::string_view name) {
    const auto settings = resolve();
    return *std::ranges::find(settings, name, [](const auto& each) { return std::string_view(each.setting->name); });
  }

  GivenFlags flags_;
  std::map<std::string, std::string> environment_;
  SettingValues file_;
};

TEST_F(ResolvedSettingsTest, AFlagComesBeforeTheEnvironmentBeforeTheFileBeforeTheDefault) {
  EXPECT_EQ(get("max_turns").source, SettingSource::kDefault);
  EXPECT_FALSE(get("max_turns").value);
  file_["max_turns"] = std::int64_t{1};
  EXPECT_EQ(get("max_turns").value, SettingValue(std::int64_t{1}));
  EXPECT_EQ(get("max_turns").from, "/c/settings.toml");
  environment_["DA_MAX_TURNS"] = "2";
  EXPECT_EQ(get("max_turns").value, SettingValue(std::int64_t{2}));
  EXPECT_EQ(get("max_turns").from, "DA_MAX_TURNS");
  flags_["max_turns"] = {"3"};
  EXPECT_EQ(get("max_turns").value, SettingValue(std::int64_t{3}));
  EXPECT_EQ(get("max_turns").from, "--max-turns");
  EXPECT_EQ(get("max_turns").source, SettingSource::kFlag);
}

TEST_F(ResolvedSettingsTest, AListInAVariableIsSeparatedBySemicolons) {
  environment_["DA_PRICES"] = "a 1 1 1; b 2 2 2;";
  EXPECT_EQ(get("prices").value, SettingValue(std::vector<std::string>{"a 1 1 1", "b 2 2 2"}));
}

TEST_F(ResolvedSettingsTest, ABadVariableIsAnErrorThatNamesIt) {
  environment_["DA_MAX_TURNS"] = "many";
  EXPECT_THAT(resolve_settings(inputs()).error().message, HasSubstr("DA_MAX_TURNS: \"many\" is not a whole number"));
  environment_ = {{"APP_ENV", "devlopment"}};
  EXPECT_THAT(resolve_settings(inputs()).error().message,
              HasSubstr("APP_ENV: \"devlopment\" is not development, testing or production (did you mean"));
}

TEST_F(ResolvedSettingsTest, AnAddressOfAnotherPlannerIsLeftOut) {
  file_ = {{"planner", std::string("ollama")},
           {"model", std::string("qwen")},
           {"base_url", std::string("http://local")},
           {"max_turns", std::int64_t{5}}};
  EXPECT_TRUE(get("base_url").value);
  flags_["planner"] = {"openai"};
  EXPECT_FALSE(get("base_url").value);
  EXPECT_FALSE(get("model").value);
  EXPECT_TRUE(get("max_turns").value);
  flags_["planner"] = {"ollama"};
  EXPECT_TRUE(get("base_url").value);
  flags_["planner"] = {"openai"};
  environment_ = {{"DA_PLANNER", "gemini"}, {"DA_MODEL", "m"}};
  EXPECT_FALSE(get("model").value);
  flags_["model"] = {"gpt-x"};
  EXPECT_EQ(get("model").value, SettingValue(std::string("gpt-x")));
}

TEST_F(ResolvedSettingsTest, AnAddressWithoutAPlannerIsForAny) {
  file_ = {{"base_url", std::string("http://proxy")}};
  flags_["planner"] = {"openai"};
  EXPECT_TRUE(get("base_url").value);
}

TEST(SettingTable, NamesFlagsAndVariablesAreUnique) {
  std::set<std::string> names;
  for (const Setting& setting : all_settings()) {
    for (const std::string& name : {std::string(setting.name), std::string(setting.flag), variable_of(setting)}) {
      EXPECT_TRUE(names.insert(name).second) << name;
    }
    EXPECT_EQ(setting.kind == SettingKind::kWord, !setting.words.empty()) << setting.name;
    const bool flag_is_valid = setting.kind != SettingKind::kSwitch || parse_value(setting, setting.value);
    EXPECT_TRUE(flag_is_valid) << setting.name;
    EXPECT_FALSE(std::string_view(setting.meaning).empty());
    EXPECT_FALSE(std::string_view(setting.initial).empty());
  }
}

TEST(SettingTable, NothingOfThePolicyIsASetting) {
  for (const char* name : {"rules", "unlock_writes", "allow_tools", "secrets", "masks", "notify", "desktop",
                           "no_recording", "unconfirmed"}) {
    EXPECT_EQ(find_setting(name), nullptr) << name;
  }
}

TEST(SettingTable, AVariableHasThePrefixAndTheName) {
  EXPECT_EQ(variable_of(*find_setting("budget_calls")), "DA_BUDGET_CALLS");
  EXPECT_EQ(variable_of(*find_setting("app_env")), "APP_ENV");
  EXPECT_EQ(variable_of(*find_setting("log_level")), "DESKTOPASSIST_LOG_LEVEL");
}

}  // namespace
}  // namespace da::console
