#include "services/planner/model/settings/choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "services/planner/model/settings/providers.h"
#include "tests/services/planner/model/settings/test_settings.h"

namespace da::planner::model {
namespace {

using testing::HasSubstr;

TEST(Choose, IsPlainWithoutAKey) {
  const auto choice = choose({}, environment_with({}), "", "");
  EXPECT_EQ(choice->planner, "plain");
  EXPECT_EQ(choice->why, "no provider's key is in the environment");
}

TEST(Choose, UsesTheProviderWithAKey) {
  const auto choice = choose({}, environment_with({{"GEMINI_API_KEY", "k"}}), "", "");
  EXPECT_EQ(choice->planner, "gemini");
  EXPECT_FALSE(choice->model.empty());
  EXPECT_EQ(choice->why, "GEMINI_API_KEY is set");
}

TEST(Choose, TaskOverridesConfigurationWhichOverridesKeys) {
  const Settings settings = settings_of("[planner]\nplanner = \"anthropic\"\nmodel = \"claude-x\"\n");
  const auto environment = environment_with({{"OPENAI_API_KEY", "k"}});
  EXPECT_EQ(choose(settings, environment, "", "")->planner, "anthropic");
  EXPECT_EQ(choose(settings, environment, "", "")->model, "claude-x");
  EXPECT_EQ(choose(settings, environment, "plain", "")->planner, "plain");
  // The configured model belongs to the configured provider.
  EXPECT_NE(choose(settings, environment, "openai", "")->model, "claude-x");
  EXPECT_EQ(choose(settings, environment, "openai", "gpt-x")->model, "gpt-x");
}

// Bug: the model was ignored silently.
TEST(Choose, ModelForThePlainPlannerIsAnError) {
  EXPECT_THAT(choose({}, environment_with({}), "", "gpt-x").error().message, HasSubstr("--planner"));
  EXPECT_FALSE(choose({}, environment_with({{"OPENAI_API_KEY", "k"}}), "plain", "gpt-x"));
  EXPECT_TRUE(choose({}, environment_with({{"OPENAI_API_KEY", "k"}}), "", "gpt-x"));
}

TEST(Choose, UnknownPlannerIsAnErrorWithTheKnownOnes) {
  const auto choice = choose({}, environment_with({}), "gpt", "");
  ASSERT_FALSE(choice);
  EXPECT_THAT(choice.error().message, HasSubstr("anthropic"));
  EXPECT_THAT(choose({}, environment_with({}), "antropic", "").error().message,
              HasSubstr("did you mean \"anthropic\"?"));
  EXPECT_THAT(choose({}, environment_with({}), "ollama", "").error().message, HasSubstr("name one"));
}

TEST(OpenModel, AMissingKeyNamesItsVariable) {
  const auto model = open_model({}, environment_with({}), {"openai", "gpt-x", ""});
  ASSERT_FALSE(model);
  EXPECT_THAT(model.error().message, HasSubstr("OPENAI_API_KEY"));
  EXPECT_TRUE(open_model({}, environment_with({}), {"ollama", "llava", ""}));
}

TEST(OpenModel, KeyMustBeOneWord) {
  for (const std::string key : {"two words", "line\nX-Header: break", "k\xc3\xa9y", "  "}) {
    const auto model = open_model({}, environment_with({{"OPENAI_API_KEY", key}}), {"openai", "gpt-x", ""});
    ASSERT_FALSE(model) << key;
    EXPECT_THAT(model.error().message, HasSubstr("OPENAI_API_KEY contains no valid key"));
    EXPECT_THAT(model.error().message, testing::Not(HasSubstr("Header")));
  }
  EXPECT_TRUE(open_model({}, environment_with({{"OPENAI_API_KEY", " sk-1\n"}}), {"openai", "gpt-x", ""}));
}

TEST(ImageWants, HaveTheProvidersLimits) {
  EXPECT_EQ(image_wants({}, "anthropic", Names::kPlaces).limits.long_edge(), 1568u);
  EXPECT_EQ(image_wants({}, "openai", Names::kPlaces).limits.short_edge(), 768u);
  EXPECT_EQ(image_wants({}, "recorded", Names::kPlaces).limits.long_edge(), 0u);
}

TEST(ImageWants, FollowTheConfigurationAndArePlainForComputerTools) {
  EXPECT_EQ(image_wants({}, "openai", Names::kPlaces).wish, v1::IMAGE_WISH_ANNOTATED);
  EXPECT_EQ(image_wants({}, "openai-computer", Names::kPlaces).wish, v1::IMAGE_WISH_PLAIN);
  const Settings marks = settings_of("[planner]\noverlay = \"marks\"\n");
  EXPECT_EQ(image_wants(marks, "openai", Names::kPlaces).wish, v1::IMAGE_WISH_PLAIN);
  EXPECT_TRUE(image_wants(marks, "openai-computer", Names::kPlaces).marks);
  const Settings both = settings_of("[planner]\noverlay = \"both\"\nimage_long_edge = 900\n");
  EXPECT_EQ(image_wants(both, "openai", Names::kPlaces).wish, v1::IMAGE_WISH_ANNOTATED);
  EXPECT_TRUE(image_wants(both, "ollama", Names::kPlaces).marks);
  EXPECT_EQ(image_wants(both, "ollama", Names::kPlaces).limits.long_edge(), 900u);
}

TEST(Access, ConfiguredTraitsOverrideTheServers) {
  const auto usual = access_of({}, environment_with({}), {"llamacpp", "default", ""});
  ASSERT_TRUE(usual);
  EXPECT_EQ(usual->target.chat.schema, ChatTraits::Schema::kFlat);
  EXPECT_EQ(usual->target.chat.max_tokens_field, "max_tokens");
  const Settings other = settings_of("[planner]\nschema = \"object\"\nmax_tokens_field = \"max_completion_tokens\"\n");
  const auto configured = access_of(other, environment_with({}), {"llamacpp", "default", ""});
  ASSERT_TRUE(configured);
  EXPECT_EQ(configured->target.chat.schema, ChatTraits::Schema::kObject);
  EXPECT_EQ(configured->target.chat.max_tokens_field, "max_completion_tokens");
}

TEST(Access, OnlyComputerPlannersOfferTheComputerTool) {
  const auto environment = environment_with({{"OPENAI_API_KEY", "k"}});
  EXPECT_FALSE(access_of({}, environment, {"openai-responses", "gpt-5", ""})->target.computer);
  EXPECT_TRUE(access_of({}, environment, {"openai-computer", "gpt-5.4", ""})->target.computer);
}

TEST(Providers, HaveUniqueNamesAndKeysChooseChatRows) {
  for (const Provider& provider : providers()) {
    EXPECT_EQ(find_provider(provider.name), &provider) << "a name twice: " << provider.name;
  }
  EXPECT_EQ(choose({}, environment_with({{"OPENAI_API_KEY", "k"}}), "", "")->planner, "openai");
  EXPECT_EQ(find_provider("nobody"), nullptr);
}

}  // namespace
}  // namespace da::planner::model
