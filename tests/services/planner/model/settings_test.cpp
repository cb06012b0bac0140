#include "services/planner/model/settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace da::planner::model {
namespace {

using testing::HasSubstr;

Environment with(std::map<std::string, std::string> variables) {
  return [variables](const std::string& name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  };
}

Settings read(const std::string& toml) {
  const auto settings = read_settings(*service::Config::parse(toml, "planner.toml"));
  EXPECT_TRUE(settings) << settings.error().message;
  return settings.value_or(Settings());
}

std::string error_of(const std::string& toml) {
  const auto settings = read_settings(*service::Config::parse(toml, "planner.toml"));
  return settings ? "(accepted)" : settings.error().message;
}

TEST(Choose, IsPlainWithoutAKey) {
  const auto choice = choose({}, with({}), "", "");
  EXPECT_EQ(choice->planner, "plain");
  EXPECT_EQ(choice->why, "no provider's key is in the environment");
}

TEST(Choose, TakesTheProviderWhoseKeyIsThere) {
  const auto choice = choose({}, with({{"GEMINI_API_KEY", "k"}}), "", "");
  EXPECT_EQ(choice->planner, "gemini");
  EXPECT_FALSE(choice->model.empty());
  EXPECT_EQ(choice->why, "GEMINI_API_KEY is set");
}

TEST(Choose, WhatIsConfiguredGoesBeforeKeysAndWhatIsAskedForBeforeBoth) {
  const Settings settings = read("[planner]\nplanner = \"anthropic\"\nmodel = \"claude-x\"\n");
  const auto environment = with({{"OPENAI_API_KEY", "k"}});
  EXPECT_EQ(choose(settings, environment, "", "")->planner, "anthropic");
  EXPECT_EQ(choose(settings, environment, "", "")->model, "claude-x");
  EXPECT_EQ(choose(settings, environment, "plain", "")->planner, "plain");
  // The configured model is one of the configured provider.
  EXPECT_NE(choose(settings, environment, "openai", "")->model, "claude-x");
  EXPECT_EQ(choose(settings, environment, "openai", "gpt-x")->model, "gpt-x");
}

TEST(Choose, NamesTheKnownOnesWhereThereIsNone) {
  const auto choice = choose({}, with({}), "gpt", "");
  ASSERT_FALSE(choice);
  EXPECT_THAT(choice.error().message, HasSubstr("anthropic"));
  EXPECT_THAT(choose({}, with({}), "ollama", "").error().message, HasSubstr("name one"));
}

TEST(OpenModel, AMissingKeyNamesItsVariable) {
  const auto model = open_model({}, with({}), {"openai", "gpt-x", ""});
  ASSERT_FALSE(model);
  EXPECT_THAT(model.error().message, HasSubstr("OPENAI_API_KEY"));
  EXPECT_TRUE(open_model({}, with({}), {"ollama", "llava", ""}));
}

TEST(OpenModel, AKeyIsOneWord) {
  for (const std::string key : {"two words", "line\nX-Header: break", "k\xc3\xa9y", "  "}) {
    const auto model = open_model({}, with({{"OPENAI_API_KEY", key}}), {"openai", "gpt-x", ""});
    ASSERT_FALSE(model) << key;
    EXPECT_THAT(model.error().message, HasSubstr("OPENAI_API_KEY holds no key"));
    EXPECT_THAT(model.error().message, testing::Not(HasSubstr("Header")));
  }
  EXPECT_TRUE(open_model({}, with({{"OPENAI_API_KEY", " sk-1\n"}}), {"openai", "gpt-x", ""}));
}

TEST(ReadSettings, HasDefaults) {
  const Settings settings = read("");
  EXPECT_EQ(settings.options.max_turns, 12u);
  EXPECT_EQ(settings.options.sees, Sees::kImages);
  EXPECT_EQ(settings.rules.timeout, Milliseconds(120'000));
}

TEST(ReadSettings, ReadsAllKeys) {
  const Settings settings = read(R"([planner]
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

TEST(ReadSettings, RefusesWhatCannotBe) {
  EXPECT_THAT(error_of("[planner]\nbase_url = \"http://models.example/v1\"\n"), HasSubstr("not encrypted"));
  EXPECT_THAT(error_of("[planner]\nbudget_calls = -1\n"), HasSubstr("planner.budget_calls"));
  for (const std::string price : {"gpt-x", "gpt-x 1 2", "gpt-x 1 2 3 4", "gpt-x 1 -2 3", "gpt-x a b c"}) {
    EXPECT_THAT(error_of("[planner]\nprices = [\"" + price + "\"]\n"), HasSubstr("planner.prices")) << price;
  }
}

TEST(ImageLimits, AreTheProvidersOwn) {
  EXPECT_EQ(image_wants({}, "anthropic").limits.long_edge(), 1568u);
  EXPECT_EQ(image_wants({}, "openai").limits.short_edge(), 768u);
  EXPECT_EQ(image_wants({}, "recorded").limits.long_edge(), 0u);
}

}  // namespace
}  // namespace da::planner::model
