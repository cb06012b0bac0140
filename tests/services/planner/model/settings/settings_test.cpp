#include "services/planner/model/settings/settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/services/planner/model/settings/test_settings.h"

namespace da::planner::model {
namespace {

using testing::HasSubstr;

std::string settings_error(const std::string& toml) {
  const auto settings = try_settings(toml);
  return settings ? "(accepted)" : settings.error().message;
}

TEST(ReadSettings, HasDefaults) {
  const Settings settings = settings_of("");
  EXPECT_EQ(settings.options.max_turns, 12u);
  EXPECT_EQ(settings.options.sees, Sees::kImages);
  EXPECT_EQ(settings.rules.timeout, Milliseconds(120'000));
}

TEST(ReadSettings, ReadsAllKeys) {
  const Settings settings = settings_of(R"([planner]
base_url = "https://models.example/v1"
timeout_s = 5
images = false
max_turns = 3
budget_tokens = 10
budget_money = 2
budget_calls = 4
budget_s = 60
prices = ["gpt-x 1.25 0.125 10"]
)");
  EXPECT_EQ(settings.base_url, "https://models.example/v1");
  EXPECT_EQ(settings.rules.timeout, Milliseconds(5'000));
  EXPECT_EQ(settings.options.sees, Sees::kElements);
  EXPECT_EQ(settings.options.max_turns, 3u);
  EXPECT_EQ(settings.budget.tokens, 10u);
  EXPECT_EQ(settings.budget.money, 2);
  EXPECT_EQ(settings.budget.calls, 4u);
  EXPECT_EQ(settings.budget.time, std::chrono::seconds(60));
  EXPECT_EQ(settings.prices.at("gpt-x").cached_input, 0.125);
}

TEST(ReadSettings, RefusesInvalidValues) {
  EXPECT_THAT(settings_error("[planner]\nbase_url = \"http://models.example/v1\"\n"), HasSubstr("not encrypted"));
  EXPECT_THAT(settings_error("[planner]\nbudget_calls = -1\n"), HasSubstr("planner.budget_calls"));
  EXPECT_THAT(settings_error("[planner]\noverlay = \"stars\"\n"), HasSubstr("known: grid, marks, both, none"));
  EXPECT_THAT(settings_error("[planner]\nschema = \"deep\"\n"), HasSubstr("known: nested, flat, object, none"));
  EXPECT_THAT(settings_error("[planner]\nmax_tokens_field = \"x\"\n"), HasSubstr("known: max_tokens"));
  EXPECT_THAT(settings_error("[planner]\ncomputer_tool = \"computer_1999\"\n"), HasSubstr("computer_20251124"));
  for (const std::string price : {"gpt-x", "gpt-x 1 2", "gpt-x 1 2 3 4", "gpt-x 1 -2 3", "gpt-x a b c"}) {
    EXPECT_THAT(settings_error("[planner]\nprices = [\"" + price + "\"]\n"), HasSubstr("planner.prices")) << price;
  }
}

TEST(ReadSettings, EnvironmentFillsMissingKeys) {
  const Environment environment = [](const std::string& name) -> std::optional<std::string> {
    if (name == "DA_PLANNER") return "ollama";
    if (name == "DA_MODEL") return "llava";
    if (name == "DA_BASE_URL") return "https://models.example/v1";
    return std::nullopt;
  };
  const auto config = service::Config::parse("[planner]\nmodel = \"qwen\"\n", "planner.toml");
  const auto settings = read_settings(*config, environment);
  ASSERT_TRUE(settings) << settings.error().message;
  EXPECT_EQ(settings->planner, "ollama");
  EXPECT_EQ(settings->planner_from, "DA_PLANNER");
  EXPECT_EQ(settings->model, "qwen");
  EXPECT_EQ(settings->base_url, "https://models.example/v1");
  const Environment open = [](const std::string& name) -> std::optional<std::string> {
    return name == "DA_BASE_URL" ? std::optional<std::string>("http://models.example/v1") : std::nullopt;
  };
  EXPECT_FALSE(read_settings(*config, open)) << "nothing goes over the network in the clear";
}

}  // namespace
}  // namespace da::planner::model
