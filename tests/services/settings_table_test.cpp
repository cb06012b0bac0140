// The console's table of settings and the planner's reader agree: keys, types, bounds and defaults.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "services/console/settings/setting_value.h"
#include "services/planner/model/settings/settings.h"

namespace da {
namespace {

using console::Setting;
using console::SettingKind;
using console::SettingValue;
using testing::HasSubstr;

Result<planner::model::Settings> read(const std::string& lines) {
  const auto config = service::Config::parse("[planner]\n" + lines, "planner.toml");
  if (!config) return config.error();
  return planner::model::read_settings(*config, [](const std::string&) { return std::optional<std::string>(); });
}

std::vector<std::pair<const Setting*, std::string>> planner_keys() {
  std::vector<std::pair<const Setting*, std::string>> keys;
  for (const Setting& setting : console::all_settings()) {
    if (const auto* key = std::get_if<console::PlannerKey>(&setting.target)) keys.emplace_back(&setting, key->key);
  }
  return keys;
}

// Values that the console accepts.
std::vector<std::string> accepted(const Setting& setting) {
  switch (setting.kind) {
    case SettingKind::kCount: return {std::to_string(setting.least), std::to_string(setting.most)};
    case SettingKind::kMoney: return {"0.5", std::to_string(setting.most)};
    case SettingKind::kSwitch: return {"true", "false"};
    case SettingKind::kWord: return {setting.words.begin(), setting.words.end()};
    case SettingKind::kTexts: return {"gpt-5 1.25 0.125 10"};
    case SettingKind::kPath: return {"/a/file"};
    case SettingKind::kDuration: return {"10m"};
    case SettingKind::kText: break;
  }
  const std::string_view name = setting.name;
  if (name == "base_url") return {"http://127.0.0.1:8000/v1", "https://models.example"};
  if (name == "proxy") return {"http://proxy:3128", "socks5h://proxy:1080"};
  if (name == "computer_tool") return {"computer_20251124"};
  return {"a-name"};
}

TEST(SettingsTable, ThePlannerReadsEveryKey) {
  for (const auto& [setting, key] : planner_keys()) {
    const auto settings = read(key + " = {}\n");
    ASSERT_FALSE(settings) << key << " is not read";
    EXPECT_THAT(settings.error().message, HasSubstr("planner." + key));
  }
}

TEST(SettingsTable, ThePlannerAcceptsEveryValueThatTheConsoleAccepts) {
  for (const auto& [setting, key] : planner_keys()) {
    for (const std::string& text : accepted(*setting)) {
      const auto value = console::parse_value(*setting, text);
      ASSERT_TRUE(value) << key << ": " << value.error().message;
      const auto settings = read(key + " = " + console::to_toml(*value) + "\n");
      EXPECT_TRUE(settings) << key << " = " << text << ": " << settings.error().message;
    }
  }
}

TEST(SettingsTable, DefaultsAreThoseOfThePlanner) {
  const planner::model::Settings settings = *read("");
  const auto initial = [](const char* name) { return std::string(console::find_setting(name)->initial); };
  EXPECT_EQ(initial("max_turns"), std::to_string(settings.options.max_turns));
  EXPECT_EQ(initial("budget_calls"), std::to_string(settings.budget.calls));
  EXPECT_EQ(initial("budget_tokens"), std::to_string(settings.budget.tokens));
  EXPECT_EQ(initial("timeout_s"), std::to_string(settings.rules.timeout / std::chrono::seconds(1)));
  EXPECT_EQ(initial("step_pause_ms"), std::to_string(settings.step_pause.count()));
  EXPECT_EQ(initial("store"), settings.store ? "true" : "false");
  EXPECT_EQ(initial("images"), settings.options.sees == planner::model::Sees::kImages ? "true" : "false");
  EXPECT_EQ(settings.budget.money, 0);
  EXPECT_EQ(settings.budget.time.count(), 0);
}

}  // namespace
}  // namespace da
