#include "services/planner/rules/run/profile_models.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "services/planner/rules/profile/profile_reader.h"

namespace da::planner::rules {
namespace {

using testing::HasSubstr;

model::Environment environment_with(std::map<std::string, std::string> variables) {
  return [variables](const std::string& name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  };
}

const model::Environment kAllKeys =
    environment_with({{"GEMINI_API_KEY", "g-12345678"}, {"OPENAI_API_KEY", "o-12345678"}});

std::string chosen_for(const std::string& name, const ModelWish& wish = {}, const model::Settings& settings = {}) {
  const auto choice = choose_model(settings, name, wish);
  return choice ? choice->planner + " " + choice->model : "error: " + choice.error().message;
}

TEST(ChooseModel, ProviderIsWrittenOrKnownByTheName) {
  EXPECT_EQ(chosen_for("openai/gpt-4.1"), "openai gpt-4.1");
  EXPECT_EQ(chosen_for("vllm/openai/gpt-oss-20b"), "vllm openai/gpt-oss-20b");
  EXPECT_EQ(chosen_for("gemini-2.0-flash"), "gemini gemini-2.0-flash");
  EXPECT_EQ(chosen_for("models/gemini-1.5-pro"), "gemini gemini-1.5-pro");
  EXPECT_EQ(chosen_for("gpt-4o"), "openai gpt-4o");
  EXPECT_EQ(chosen_for("claude-sonnet-4-5"), "anthropic claude-sonnet-4-5");
}

TEST(ChooseModel, UnknownNameBelongsToTheConfiguredProvider) {
  model::Settings settings;
  EXPECT_THAT(chosen_for("qwen3-vl"), HasSubstr("write it as in \"openai/qwen3-vl\""));
  settings.planner = "plain";
  EXPECT_THAT(chosen_for("qwen3-vl", {}, settings), HasSubstr("does not tell its provider"));
  settings.planner = "ollama";
  EXPECT_EQ(chosen_for("qwen3-vl", {}, settings), "ollama qwen3-vl");
  EXPECT_EQ(chosen_for("qwen/qwen3-vl", {}, settings), "ollama qwen/qwen3-vl");
  EXPECT_EQ(chosen_for("gemini-2.0-flash", {}, settings), "gemini gemini-2.0-flash");
}

TEST(ChooseModel, ModelOfTheRunReplacesThatOfTheProfile) {
  EXPECT_EQ(chosen_for("gemini-2.0-flash", {"", "gpt-4.1"}), "openai gpt-4.1");
  EXPECT_EQ(chosen_for("openai/gpt-4.1", {"", "gemini/gemini-2.5-pro"}), "gemini gemini-2.5-pro");
  EXPECT_EQ(chosen_for("gemini-2.0-flash", {"vllm", "openai/gpt-oss-20b"}), "vllm openai/gpt-oss-20b");
  EXPECT_EQ(chosen_for("gemini-2.0-flash", {"recorded", ""}), "recorded recorded");
}

TEST(ChooseModel, ProviderOfTheRunHasTheModelsWithoutAProvider) {
  EXPECT_EQ(chosen_for("gemini-2.0-flash", {"openai", ""}), "openai gemini-2.0-flash");
  EXPECT_EQ(chosen_for("qwen3-vl", {"ollama", ""}), "ollama qwen3-vl");
  EXPECT_EQ(chosen_for("gemini/gemini-2.0-flash", {"ollama", ""}), "gemini gemini-2.0-flash");
}

TEST(ChooseModel, NameOrProviderThatCannotBeUsedIsAnError) {
  EXPECT_THAT(chosen_for("gemini-2.0-flash", {"gemni", ""}), HasSubstr("there is no planner gemni"));
  EXPECT_THAT(chosen_for("gemini-2.0-flash", {"plain", ""}), HasSubstr("uses no model"));
  EXPECT_THAT(chosen_for("openai/"), HasSubstr("has no name"));
  EXPECT_THAT(chosen_for(""), HasSubstr("has no name"));
}

std::string rule_asking(const std::string& model, const std::string& rule = "look") {
  return R"({"name":")" + rule + R"(","region":"all","condition":{"type":"gemini_vision_query","prompt":"?")" +
         (model.empty() ? "" : R"(,"model_name":")" + model + R"(")") +
         R"(},"action":{"type":"log_message","message":"x"}})";
}

Profile profile_asking(const std::string& rules) {
  ReadOptions options;
  options.variables.insert("which");
  auto read =
      read_profile(R"({"regions":[{"name":"all","x":0,"y":0,"width":9,"height":9}],"rules":[)" + rules + "]}", options);
  EXPECT_TRUE(read.profile);
  return *std::move(read.profile);
}

std::string open_problem(const Profile& profile, const model::Environment& environment,
                         const model::Settings& settings = {}, const ModelWish& wish = {}) {
  const auto opened = ProfileModels::open(settings, environment, profile, {}, wish);
  return opened ? "" : opened.error().message;
}

TEST(ProfileModels, ProfileWithoutQuestionsNeedsNoKey) {
  const Profile plain = profile_asking(
      R"({"name":"a","region":"all","condition":{"type":"always_true"},"action":{"type":"press_key","key":"f5"}})");
  const auto opened = ProfileModels::open({}, environment_with({}), plain, {}, {});
  ASSERT_TRUE(opened);
  EXPECT_TRUE(opened->empty());
}

TEST(ProfileModels, MissingKeyNamesRuleModelAndVariable) {
  const Profile two = profile_asking(rule_asking("gemini-2.0-flash") + "," + rule_asking("openai/gpt-4.1", "second"));
  EXPECT_EQ(open_problem(two, kAllKeys), "");
  const std::string error = open_problem(two, environment_with({{"GEMINI_API_KEY", "g-12345678"}}));
  EXPECT_THAT(error, HasSubstr("rule \"second\" asks the model \"openai/gpt-4.1\""));
  EXPECT_THAT(error, HasSubstr("OPENAI_API_KEY"));
}

TEST(ProfileModels, NamesOfOneModelShareIt) {
  const Profile same = profile_asking(rule_asking("gemini-2.0-flash") + "," + rule_asking("gemini/gemini-2.0-flash") +
                                      "," + rule_asking(""));
  auto opened = ProfileModels::open({}, kAllKeys, same, {}, {});
  ASSERT_TRUE(opened);
  ASSERT_NE(opened->find("gemini-2.0-flash"), nullptr);
  EXPECT_EQ(opened->find("gemini-2.0-flash"), opened->find("gemini/gemini-2.0-flash"));
  EXPECT_NE(opened->find("gemini-1.5-flash-latest"), opened->find("gemini-2.0-flash"));
  EXPECT_EQ(opened->find("gpt-5"), nullptr);
}

TEST(ProfileModels, ModelMayBeAVariableOfTheRunAndNeverACapturedValue) {
  const Profile chosen = profile_asking(rule_asking("{which}"));
  EXPECT_EQ(open_problem(profile_asking(rule_asking("gemini-2.0-flash")), kAllKeys), "");
  EXPECT_TRUE(ProfileModels::open({}, kAllKeys, chosen, {{"which", "openai/gpt-4.1"}}, {}));
  EXPECT_THAT(open_problem(chosen, kAllKeys), HasSubstr("must not depend on what the rule captures"));
}

TEST(ProfileModels, AddressAndKeyFileAreOfTheConfiguredProviderOnly) {
  model::Settings settings;
  settings.planner = "openai";
  settings.key_file = "/nowhere/model.key";
  EXPECT_EQ(open_problem(profile_asking(rule_asking("gemini-2.0-flash")), kAllKeys, settings), "");
  EXPECT_THAT(open_problem(profile_asking(rule_asking("openai/gpt-4.1")), kAllKeys, settings),
              HasSubstr("/nowhere/model.key"));
}

TEST(ProfileModels, LimitedCostNeedsAPriceBeforeTheFirstCycle) {
  model::Settings settings;
  settings.budget.money = 1;
  EXPECT_THAT(open_problem(profile_asking(rule_asking("gemini-2.0-flash")), kAllKeys, settings),
              HasSubstr("price of \"gemini-2.0-flash\""));
  settings.prices["gemini-2.0-flash"] = {};
  EXPECT_EQ(open_problem(profile_asking(rule_asking("gemini-2.0-flash")), kAllKeys, settings), "");
}

TEST(ProfileModels, ModelThatTakesNoPicturesIsRefused) {
  model::Settings settings;
  settings.options.sees = model::Sees::kElements;
  EXPECT_THAT(open_problem(profile_asking(rule_asking("")), kAllKeys, settings), HasSubstr("planner.images is false"));
}

}  // namespace
}  // namespace da::planner::rules
